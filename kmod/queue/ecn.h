/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_ECN_H
#define RF_QUEUE_ECN_H

#include <linux/compiler.h>

#include "config.h"

#define RF_ECN_AVERAGE_SHIFT	20

/**
 * struct rf_ecn_state - the state of the ECN profile of a priority
 * @average: average length of the queue, in units of 2^-20 bytes
 * @phantom: length of the phantom queue at @phantom_at, in units of 10^-9 bits
 * @phantom_at: a time in nanoseconds
 * @serial: number of packets so far
 * @draw_port: rf_draw_port() of the port's name
 */
struct rf_ecn_state {
	u64 average;
	u64 phantom;
	u64 phantom_at;
	u64 serial;
	u64 draw_port;
};

/**
 * enum rf_ecn_action - what is done with a packet that the ECN profile selects
 * @RF_ECN_LEAVE: nothing
 * @RF_ECN_MARK: set CE
 * @RF_ECN_DROP: drop the packet
 */
enum rf_ecn_action {
	RF_ECN_LEAVE,
	RF_ECN_MARK,
	RF_ECN_DROP,
};

u64 rf_ecn_virtual_queue(struct rf_ecn_state *state,
			 const struct rf_ecn_conf *conf, u64 backlog, u32 bytes,
			 u64 now);
u64 rf_ecn_probability(const struct rf_ecn_conf *conf, u64 queue);
enum rf_ecn_action rf_ecn_action(const struct rf_ecn_conf *conf, u32 ecn);
enum rf_ecn_action rf_ecn_select(const struct rf_ecn_state *state,
				 const struct rf_conf *conf, u32 prio, u64 queue,
				 u32 ecn);

/**
 * rf_ecn_queue - compute the queue length for a packet that arrives
 * @state: the state of the profile in this priority; updated
 * @conf: the ECN profile
 * @backlog: bytes queued in the priority
 * @bytes: length of the packet with the overhead of the link
 * @now: the time in nanoseconds; only used with a phantom queue, like @bytes
 *
 * Context: any, the lock of the qdisc held.
 * Return: the queue length in bytes.
 */
static inline u64 rf_ecn_queue(struct rf_ecn_state *state,
			       const struct rf_ecn_conf *conf, u64 backlog,
			       u32 bytes, u64 now)
{
	state->serial++;
	if (unlikely(conf->phantom || conf->weight))
		return rf_ecn_virtual_queue(state, conf, backlog, bytes, now);
	state->average = backlog << RF_ECN_AVERAGE_SHIFT;
	return backlog;
}

#endif
