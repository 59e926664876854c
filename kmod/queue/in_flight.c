// SPDX-License-Identifier: GPL-2.0
/*
 * The in-flight queue: the packets on the link of a port. They keep their order.
 * A packet on the link has left its sender: it is no longer charged to its
 * socket, and no pause stops it.
 */
#include <net/net_debug.h>

#include "in_flight.h"

/*
 * The same limits as those of the delay queue. While the in-flight queue is full,
 * packets stay in the queues of their priorities, and none is dropped.
 */
#define IN_FLIGHT_PACKETS	16384
#define IN_FLIGHT_BYTES		(64ULL << 20)

static u64 *arrival(struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(u64));
	return (u64 *)qdisc_skb_cb(skb)->data;
}

/**
 * rf_in_flight_bytes - compute the length of a packet on the link
 * @skb: the packet
 * @overhead: bytes that the link adds to each frame; a GSO packet becomes several
 *	frames
 *
 * Return: the length with the overhead, in bytes.
 */
u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead)
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
u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight)
{
	if (in_flight->fifo.qlen >= IN_FLIGHT_PACKETS ||
	    in_flight->bytes >= IN_FLIGHT_BYTES)
		return U64_MAX;
	return in_flight->link.free_at;
}

/**
 * rf_in_flight_enqueue - send a packet over the link
 * @in_flight: the in-flight queue
 * @link: the configuration of the link
 * @skb: the packet
 * @begin: the time at which the link begins to send the packet
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: true if the in-flight queue has the packet; false if the packet has
 * arrived at the other end already, or if there is no link. In that case the
 * caller still owns the packet.
 */
bool rf_in_flight_enqueue(struct rf_in_flight *in_flight,
			  const struct rf_link_conf *link, struct sk_buff *skb,
			  u64 begin, u64 now)
{
	u64 at;

	if (rf_link_is_none(link) && !in_flight->fifo.qlen)
		return false;
	at = rf_link_send(&in_flight->link, link,
			  rf_in_flight_bytes(skb, link->overhead), begin);
	skb_orphan(skb);
	if (at <= now && !in_flight->fifo.qlen)
		return false;
	*arrival(skb) = at;
	__qdisc_enqueue_tail(skb, &in_flight->fifo);
	WRITE_ONCE(in_flight->bytes, in_flight->bytes + qdisc_pkt_len(skb));
	return true;
}

/**
 * rf_in_flight_next - get the time at which the next packet arrives
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if no packet is on the link.
 */
u64 rf_in_flight_next(const struct rf_in_flight *in_flight)
{
	return in_flight->fifo.head ? *arrival(in_flight->fifo.head) : U64_MAX;
}

/**
 * rf_in_flight_dequeue - remove a packet that has arrived
 * @in_flight: the in-flight queue
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_in_flight_dequeue(struct rf_in_flight *in_flight, u64 now)
{
	struct sk_buff *skb;

	if (rf_in_flight_next(in_flight) > now)
		return NULL;
	skb = __qdisc_dequeue_head(&in_flight->fifo);
	DEBUG_NET_WARN_ON_ONCE(in_flight->bytes < qdisc_pkt_len(skb));
	WRITE_ONCE(in_flight->bytes, in_flight->bytes - qdisc_pkt_len(skb));
	return skb;
}

/**
 * rf_in_flight_purge - free the packets on the link
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 */
void rf_in_flight_purge(struct rf_in_flight *in_flight)
{
	if (in_flight->fifo.head)
		rtnl_kfree_skbs(in_flight->fifo.head, in_flight->fifo.tail);
	in_flight->fifo = (struct qdisc_skb_head){};
	in_flight->link = (struct rf_link_state){};
	in_flight->bytes = 0;
}
