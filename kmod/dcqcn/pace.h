/* SPDX-License-Identifier: GPL-2.0 */
/* The departure times of the packets of a paced flow. No locks, no skbs. */
#ifndef RF_DCQCN_PACE_H
#define RF_DCQCN_PACE_H

#include <linux/types.h>

/*
 * The longest delay of a timer, in nanoseconds, that the pacer makes up for. After a longer
 * one, there is no burst.
 */
#define RF_PACE_CATCH_UP	(10ULL * 1000 * 1000)

/**
 * struct rf_pace - the pace of a flow
 * @next: earliest departure of the next packet, in nanoseconds
 * @rest: remainder of the last division by the rate, in bits * 10^9
 */
struct rf_pace {
	u64 next;
	u64 rest;
};

u64 rf_pace_depart(const struct rf_pace *pace, u64 arrived, u64 now);
void rf_pace_sent(struct rf_pace *pace, u64 rate, u32 bytes, u64 depart);

#endif
