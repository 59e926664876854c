/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_ECN_PROFILE_H
#define RF_QUEUE_ECN_PROFILE_H

#include "config.h"

/**
 * struct rf_ecn_state - what the ECN profile of a priority remembers
 * @average: of the queue, in 2^-20 bytes
 * @phantom: what is in the virtual queue, in 10^-9 bits
 * @phantom_at: when that was so, in nanoseconds
 * @serial: counts the packets
 */
struct rf_ecn_state {
	u64 average;
	u64 phantom;
	u64 phantom_at;
	u64 serial;
};

/**
 * enum rf_ecn_fate - what becomes of a packet that the ECN profile has hit
 * @RF_ECN_LEAVE: nothing
 * @RF_ECN_MARK: CE is set
 * @RF_ECN_DROP: it is lost
 */
enum rf_ecn_fate {
	RF_ECN_LEAVE,
	RF_ECN_MARK,
	RF_ECN_DROP,
};

u64 rf_ecn_queue(struct rf_ecn_state *state, const struct rf_ecn_conf *conf,
		 u64 backlog, u32 bytes, u64 now);
u64 rf_ecn_chance(const struct rf_ecn_conf *conf, u64 queue);
enum rf_ecn_fate rf_ecn_fate(const struct rf_ecn_conf *conf, u32 ecn);

#endif
