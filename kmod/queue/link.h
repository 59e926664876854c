/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_LINK_H
#define RF_QUEUE_LINK_H

#include "config.h"

/**
 * struct rf_wire - how far the sending end of a link has come
 * @free_at: when the last bit of the last packet is out; this and all other
 * times in nanoseconds of one clock
 * @arrival: when the last packet is at the other end
 * @rest: of the last division, in bits * 10^9
 * @serial: counts the packets
 */
struct rf_wire {
	u64 free_at;
	u64 arrival;
	u64 rest;
	u64 serial;
};

u64 rf_wire_begin(const struct rf_wire *wire, u64 since, u64 now);
u64 rf_wire_send(struct rf_wire *wire, const struct rf_link_conf *link,
		 u32 bytes, u64 begin);

/**
 * rf_link_is_none - is there nothing that a link does to a packet?
 * @link: the link
 *
 * Return: true if it has neither rate nor delay nor jitter.
 */
static inline bool rf_link_is_none(const struct rf_link_conf *link)
{
	return !(link->rate | link->delay | link->jitter);
}

#endif
