/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_LINK_H
#define RF_QUEUE_LINK_H

#include <net/sch_generic.h>

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
