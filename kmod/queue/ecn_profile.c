// SPDX-License-Identifier: GPL-2.0
/*
 * When a packet is marked, as arithmetic: the profile of RED and WRED (S. Floyd
 * and V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance",
 * 1993), as DCQCN has it (Y. Zhu et al., "Congestion Control for Large-Scale
 * RDMA Deployments", SIGCOMM 2015, figure 5). For a length q
 *
 *   q <= kmin:         0
 *   kmin < q <= kmax:  pmax * (q - kmin) / (kmax - kmin)
 *   kmax < q:          1
 *
 * q is what waits when a packet comes, without that packet; or what would wait
 * if the queue drained at another rate, which is a phantom queue (M. Alizadeh et
 * al., "Less Is More", NSDI 2012); or an average of either over the packets.
 */
#include "ecn_profile.h"

#ifdef __KERNEL__
#include <linux/math64.h>
#endif

#define AVERAGE_SHIFT	20
#define NS_PER_S	1000000000ULL
/* The longest that fits into 64 bits, and a packet beside it. */
#define PHANTOM_MAX	((2ULL << 30) * 8 * NS_PER_S)

/* The values of the ECN field (RFC 3168, 5) */
#define NOT_ECT		0
#define ECT1		1
#define ECT0		2
#define CE		3

static u64 mul_div(u64 a, u64 b, u64 c)
{
#ifdef __KERNEL__
	return mul_u64_u64_div_u64(a, b, c);
#else
	return (u64)((__uint128_t)a * b / c);
#endif
}

/* Bytes in the virtual queue, before this packet goes there. */
static u64 phantom(struct rf_ecn_state *state, u64 rate, u32 bytes, u64 now)
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
 * rf_ecn_queue - a packet comes: how long is the queue that counts?
 * @state: of its priority; the packet changes it
 * @conf: the ECN profile
 * @backlog: bytes that wait in the priority
 * @bytes: of the packet, all that the wire carries for it
 * @now: the time, in nanoseconds
 *
 * Context: any.
 * Return: bytes.
 */
u64 rf_ecn_queue(struct rf_ecn_state *state, const struct rf_ecn_conf *conf,
		 u64 backlog, u32 bytes, u64 now)
{
	u64 queue = backlog;
	s64 distance;

	state->serial++;
	if (conf->phantom)
		queue = phantom(state, conf->phantom, bytes, now);
	distance = (s64)(queue << AVERAGE_SHIFT) - (s64)state->average;
	state->average += distance >> conf->weight;
	return state->average >> AVERAGE_SHIFT;
}

/**
 * rf_ecn_chance - how likely a packet is marked
 * @conf: the ECN profile
 * @queue: what rf_ecn_queue() has said
 *
 * Context: any.
 * Return: probability, of RDMAFAULT_PROBABILITY_ONE.
 */
u64 rf_ecn_chance(const struct rf_ecn_conf *conf, u64 queue)
{
	if (queue <= conf->kmin)
		return 0;
	if (queue > conf->kmax)
		return RDMAFAULT_PROBABILITY_ONE;
	return mul_div(conf->pmax, queue - conf->kmin, conf->kmax - conf->kmin);
}

/**
 * rf_ecn_fate - what becomes of a packet that the ECN profile has hit
 * @conf: the ECN profile
 * @ecn: the ECN field of the packet, which is IP
 *
 * Context: any.
 * Return: its fate. One that bears CE already says what there is to say.
 */
enum rf_ecn_fate rf_ecn_fate(const struct rf_ecn_conf *conf, u32 ecn)
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
