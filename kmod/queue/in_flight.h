/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_INFLIGHT_H
#define RF_QUEUE_INFLIGHT_H

#include <net/sch_generic.h>

#include "link.h"

/**
 * struct rf_in_flight - what is on the wire behind a port
 * @fifo: the packets, by the time of their arrival
 * @wire: its sending end
 * @bytes: of the packets
 *
 * Under the lock of the port's qdisc; the counts may be read without.
 */
struct rf_in_flight {
	struct qdisc_skb_head fifo;
	struct rf_wire wire;
	u64 bytes;
};

u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead);
u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight);
bool rf_in_flight_send(struct rf_in_flight *in_flight, const struct rf_link_conf *link,
		  struct sk_buff *skb, u64 begin, u64 now);
struct sk_buff *rf_in_flight_pop(struct rf_in_flight *in_flight, u64 now);
u64 rf_in_flight_next(const struct rf_in_flight *in_flight);
void rf_in_flight_purge(struct rf_in_flight *in_flight);

/**
 * rf_in_flight_count - how many packets are on the wire
 * @in_flight: the line
 *
 * Context: any; the number may be old when it arrives.
 * Return: the number.
 */
static inline u32 rf_in_flight_count(const struct rf_in_flight *in_flight)
{
	return READ_ONCE(in_flight->fifo.qlen);
}

#endif
