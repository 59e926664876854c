/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_LINK_H
#define RF_QUEUE_LINK_H

#include "config.h"

/**
 * struct rf_link_state - the state of the sending end of a link
 * @free_at: when the last bit of the last packet has been sent; all times are in
 *	nanoseconds of one clock
 * @arrival: when the last packet arrives at the other end
 * @rest: remainder of the last division by the rate, in bits * 10^9
 * @serial: number of packets sent
 */
struct rf_link_state {
	u64 free_at;
	u64 arrival;
	u64 rest;
	u64 serial;
};

u64 rf_link_begin(const struct rf_link_state *state, u64 since, u64 now);
u64 rf_link_send(struct rf_link_state *state, const struct rf_link_conf *link,
		 u32 bytes, u64 begin);

/**
 * rf_link_is_none - check if a link changes nothing
 * @link: the link
 *
 * Return: true if it has neither rate nor delay nor jitter.
 */
static inline bool rf_link_is_none(const struct rf_link_conf *link)
{
	return !(link->rate | link->delay | link->jitter);
}

#endif
