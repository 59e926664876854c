// SPDX-License-Identifier: GPL-2.0
/*
 * Which packets an ECN profile marks. The profile is applied when a packet is queued,
 * as in a switch that marks at enqueue.
 */
#include "../rand.h"
#include "ecn.h"

/* The number of the packet in its priority selects the random number. */
static bool ecn_hits(const struct rf_conf *conf, u32 prio, u64 serial,
		     u64 probability)
{
	struct rf_draw_key key = {
		.base = rf_draw_base(conf->link.seed, prio, 0),
		.serial = (u32)serial,
		.attempt = serial >> 32,
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

	if (!probability || !ecn_hits(conf, prio, state->serial, probability))
		return RF_ECN_LEAVE;
	return rf_ecn_action(&conf->prio[prio].ecn, ecn);
}
