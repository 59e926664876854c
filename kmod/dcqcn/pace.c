// SPDX-License-Identifier: GPL-2.0
/*
 * The departure times of the packets of a paced flow. The next packet departs when the
 * last one has been sent at the rate of the flow. An idle flow saves up nothing, so there are no
 * bursts after a pause.
 *
 * Timers run late. A packet that could have departed before the present counts as
 * departed at that earlier time, because otherwise each late timer would reduce the rate.
 * The remainder of the division is added to the next packet for the same reason.
 */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "pace.h"

#define NS_PER_S	1000000000ULL

/**
 * rf_pace_depart - compute when the next packet of a flow departs
 * @pace: the pace of the flow
 * @arrived: when the packet arrived
 * @now: the time, not before @arrived
 *
 * Return: the time. The packet can be sent if it is not after @now.
 */
u64 rf_pace_depart(const struct rf_pace *pace, u64 arrived, u64 now)
{
	u64 depart = now > RF_PACE_CATCH_UP ? now - RF_PACE_CATCH_UP : 0;

	depart = max(depart, arrived);
	return max(depart, pace->next);
}

/**
 * rf_pace_sent - compute the earliest departure of the packet after one
 * @pace: the pace of the flow
 * @rate: the rate of the flow in bits per second, not 0
 * @bytes: length of the packet, less than 2^31
 * @depart: the time that rf_pace_depart() returned for it
 */
void rf_pace_sent(struct rf_pace *pace, u64 rate, u32 bytes, u64 depart)
{
	/* If the rate has changed, the remainder can be larger than the rate. */
	u64 bits = (u64)bytes * 8 * NS_PER_S + (pace->rest < rate ? pace->rest : 0);
	u64 ns = div64_u64(bits, rate);

	pace->next = depart + ns;
	pace->rest = bits - ns * rate;
}
