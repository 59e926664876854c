/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_IN_FLIGHT_H
#define RF_QUEUE_IN_FLIGHT_H

#include <net/sch_generic.h>

#include "link.h"

/**
 * struct rf_in_flight - the packets on the link of a port
 * @fifo: the packets, in the order of their arrival
 * @link: the state of the sending end
 * @bytes: length of all packets
 *
 * Protected by the lock of the port's qdisc. The number of packets and @bytes are
 * also read without it.
 */
struct rf_in_flight {
	struct qdisc_skb_head fifo;
	struct rf_link_state link;
	u64 bytes;
};

u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead);
u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight);
bool rf_in_flight_enqueue(struct rf_in_flight *in_flight,
			  const struct rf_link_conf *link, struct sk_buff *skb,
			  u64 begin, u64 now);
struct sk_buff *rf_in_flight_dequeue(struct rf_in_flight *in_flight, u64 now);
u64 rf_in_flight_next(const struct rf_in_flight *in_flight);
void rf_in_flight_purge(struct rf_in_flight *in_flight);

/**
 * rf_in_flight_count - get the number of packets on the link
 * @in_flight: the in-flight queue
 *
 * Context: any. Without the lock of the qdisc the number can change at any time.
 * Return: the number.
 */
static inline u32 rf_in_flight_count(const struct rf_in_flight *in_flight)
{
	return READ_ONCE(in_flight->fifo.qlen);
}

#endif
