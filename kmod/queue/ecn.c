// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of the ECN profile. It is the profile of RED and WRED (S. Floyd
 * and V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance",
 * 1993) with the parameters of DCQCN (Y. Zhu et al., "Congestion Control for
 * Large-Scale RDMA Deployments", SIGCOMM 2015, figure 5). The probability of a
 * mark depends on the queue length q:
 *
 *   q <= kmin:         0
 *   kmin < q <= kmax:  pmax * (q - kmin) / (kmax - kmin)
 *   kmax < q:          1
 *
 * q is the number of bytes in the queue when a packet arrives, without this
 * packet. With a phantom rate, q is the number of bytes in a virtual queue that
 * has the same arrivals and drains at this rate (M. Alizadeh et al., "Less Is
 * More", NSDI 2012). With a weight, q is the moving average of this number over
 * the packets.
 *
 * The profile is applied when a packet is queued, as in a switch that marks at
 * enqueue.
 */
#include <linux/math64.h>

#include "../rand.h"
#include "sched.h"

#define NS_PER_S	1000000000ULL
/* The longest phantom queue. With one more packet, it still fits into 64 bits. */
#define PHANTOM_MAX	((2ULL << 30) * 8 * NS_PER_S)

/* The values of the ECN field (RFC 3168, 5) */
#define NOT_ECT		0
#define ECT1		1
#define ECT0		2
#define CE		3

/* Add a packet to the phantom queue. Return: its bytes before that. */
static u64 ecn_phantom(struct rf_ecn_state *state, u64 rate, u32 bytes, u64 now)
{
	u64 ns = now > state->phantom_at ? now - state->phantom_at : 0;
	u64 before;

	if (ns > state->phantom / rate)
		state->phantom = 0;
	else
		state->phantom -= ns * rate;
	before = state->phantom / (8 * NS_PER_S);
	state->phantom += (u64)bytes * 8 * NS_PER_S;
	if (state->phantom > PHANTOM_MAX)
		state->phantom = PHANTOM_MAX;
	state->phantom_at = now;
	return before;
}

/**
 * rf_ecn_virtual_queue - compute a phantom queue or a moving average
 * @state: the state of the profile in this priority; updated
 * @conf: the ECN profile
 * @backlog: bytes queued in the priority
 * @bytes: length of the packet with the overhead of the link
 * @now: the time in nanoseconds
 *
 * Context: any, the lock of the qdisc held.
 * Return: the queue length in bytes.
 */
u64 rf_ecn_virtual_queue(struct rf_ecn_state *state,
			 const struct rf_ecn_conf *conf, u64 backlog, u32 bytes,
			 u64 now)
{
	u64 queue = backlog;
	s64 distance;

	if (conf->phantom)
		queue = ecn_phantom(state, conf->phantom, bytes, now);
	distance = (s64)(queue << RF_ECN_AVERAGE_SHIFT) - (s64)state->average;
	state->average += distance >> conf->weight;
	return state->average >> RF_ECN_AVERAGE_SHIFT;
}

/**
 * rf_ecn_probability - compute the probability of a mark
 * @conf: the ECN profile
 * @queue: the queue length from rf_ecn_queue()
 *
 * Return: 0 to RDMAFAULT_PROBABILITY_ONE.
 */
u64 rf_ecn_probability(const struct rf_ecn_conf *conf, u64 queue)
{
	if (queue <= conf->kmin)
		return 0;
	if (queue > conf->kmax)
		return RDMAFAULT_PROBABILITY_ONE;
	return mul_u64_u64_div_u64(conf->pmax, queue - conf->kmin,
				   conf->kmax - conf->kmin);
}

/**
 * rf_ecn_action - decide what is done with a packet that the ECN profile selects
 * @conf: the ECN profile
 * @ecn: the ECN field of the packet, which is IP
 *
 * Return: the action. A packet that has CE already is left as it is.
 */
enum rf_ecn_action rf_ecn_action(const struct rf_ecn_conf *conf, u32 ecn)
{
	static const u8 not_ect[] = {
		[RDMAFAULT_NOT_ECT_LEAVE] = RF_ECN_LEAVE,
		[RDMAFAULT_NOT_ECT_MARK] = RF_ECN_MARK,
		[RDMAFAULT_NOT_ECT_DROP] = RF_ECN_DROP,
	};

	if (ecn == CE || (ecn == ECT0 && conf->ect == RDMAFAULT_ECT_ECT1) ||
	    (ecn == ECT1 && conf->ect == RDMAFAULT_ECT_ECT0))
		return RF_ECN_LEAVE;
	return ecn == NOT_ECT ? not_ect[conf->not_ect] : RF_ECN_MARK;
}

/* The number of the packet in its priority selects the random number. */
static bool ecn_hits(const struct rf_ecn_state *state, const struct rf_conf *conf,
		     u32 prio, u64 probability)
{
	struct rf_draw_key key = {
		.base = rf_draw_base(state->draw_port, conf->link.seed, prio, 0),
		.serial = (u32)state->serial,
		.attempt = state->serial >> 32,
	};

	return rf_chance(rf_draw(&key, RF_DRAW_MARK), probability);
}

/**
 * rf_ecn_select - decide at random what the ECN profile does with a packet
 * @state: the state of the profile, with this packet
 * @conf: the configuration of the port
 * @prio: priority of the packet
 * @queue: the queue length that rf_ecn_queue() returned for the packet
 * @ecn: the ECN field of the packet, which is IP
 *
 * Return: the action.
 */
enum rf_ecn_action rf_ecn_select(const struct rf_ecn_state *state,
				 const struct rf_conf *conf, u32 prio, u64 queue,
				 u32 ecn)
{
	u64 probability = rf_ecn_probability(&conf->prio[prio].ecn, queue);

	if (!probability || !ecn_hits(state, conf, prio, probability))
		return RF_ECN_LEAVE;
	return rf_ecn_action(&conf->prio[prio].ecn, ecn);
}
