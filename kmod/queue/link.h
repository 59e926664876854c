/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_LINK_H
#define RF_QUEUE_LINK_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <net/sch_generic.h>

#include "config.h"

/*
 * The longest delay of a timer, in nanoseconds, that the link makes up for. After
 * a longer one, for example of a suspended machine, there is no burst.
 */
#define RF_LINK_CATCH_UP	(10ULL * 1000 * 1000)

/*
 * The same limits as those of the delay queue. While the in-flight queue is full,
 * packets stay in the queues of their priorities, and none is dropped.
 */
#define RF_IN_FLIGHT_PACKETS	16384
#define RF_IN_FLIGHT_BYTES	(64ULL << 20)

/**
 * struct rf_link_state - the state of the sending end of a link
 * @free_at: when the last bit of the last packet has been sent; all times are in
 *	nanoseconds of one clock
 * @arrival: when the last packet arrives at the other end
 * @rest: remainder of the last division by the rate, in bits * 10^9
 * @serial: number of packets sent
 * @draw_port: rf_draw_port() of the port's name
 */
struct rf_link_state {
	u64 free_at;
	u64 arrival;
	u64 rest;
	u64 serial;
	u64 draw_port;
};

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
 * rf_link_begin - compute when the link begins to send a packet
 * @state: the state of the link
 * @eligible: when the packet could have been sent if the link had been free
 * @now: the time, not before @eligible
 *
 * Return: the time.
 */
static inline u64 rf_link_begin(const struct rf_link_state *state, u64 eligible,
				u64 now)
{
	u64 begin = now > RF_LINK_CATCH_UP ? now - RF_LINK_CATCH_UP : 0;

	begin = max(begin, eligible);
	return max(begin, state->free_at);
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

bool rf_in_flight_enqueue(struct rf_in_flight *in_flight,
			  const struct rf_link_conf *link, struct sk_buff *skb,
			  u64 begin, u64 now);
struct sk_buff *rf_in_flight_dequeue(struct rf_in_flight *in_flight, u64 now);
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

/**
 * rf_in_flight_bytes - compute the length of a packet on the link
 * @skb: the packet
 * @overhead: bytes that the link adds to each frame; a GSO packet becomes several
 *	frames
 *
 * Return: the length with the overhead, in bytes.
 */
static inline u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead)
{
	u32 frames = skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;

	return qdisc_pkt_len(skb) + overhead * max(frames, 1u);
}

/**
 * rf_in_flight_free_at - get the time at which the link can send a packet
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if the in-flight queue is full.
 */
static inline u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight)
{
	if (unlikely(in_flight->fifo.qlen >= RF_IN_FLIGHT_PACKETS ||
		     in_flight->bytes >= RF_IN_FLIGHT_BYTES))
		return U64_MAX;
	return in_flight->link.free_at;
}

/* The time at which a packet in the in-flight queue arrives, in its control buffer */
static inline u64 *rf_in_flight_arrival(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(u64));
	return (u64 *)qdisc_skb_cb(skb)->data;
}

/**
 * rf_in_flight_next - get the time at which the next packet arrives
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if no packet is on the link.
 */
static inline u64 rf_in_flight_next(const struct rf_in_flight *in_flight)
{
	const struct sk_buff *skb = in_flight->fifo.head;

	return skb ? *rf_in_flight_arrival(skb) : U64_MAX;
}

#endif
