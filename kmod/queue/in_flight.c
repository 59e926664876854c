// SPDX-License-Identifier: GPL-2.0
/*
 * The wire behind a port, with the packets that are on it. None overtakes
 * another there, so they stand in a row. One that is on the wire has left its
 * sender: it no longer counts as its socket's, and no pause stops it.
 */
#include <net/net_debug.h>

#include "in_flight.h"

/* As the hold has; when it is full, senders wait, and nothing is lost. */
#define LINE_PACKETS	16384
#define LINE_BYTES	(64ULL << 20)

static u64 *arrival(struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(u64));
	return (u64 *)qdisc_skb_cb(skb)->data;
}

/**
 * rf_in_flight_bytes - what the wire carries for a packet
 * @skb: the packet
 * @overhead: bytes beside it; one that the driver will cut in pieces has those of
 * each
 *
 * Context: any.
 * Return: bytes.
 */
u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead)
{
	u32 frames = skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;

	return qdisc_pkt_len(skb) + overhead * max(frames, 1u);
}

/**
 * rf_in_flight_free_at - when a packet may be put onto the wire
 * @in_flight: the line
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if one must arrive before.
 */
u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight)
{
	if (in_flight->fifo.qlen >= LINE_PACKETS || in_flight->bytes >= LINE_BYTES)
		return U64_MAX;
	return in_flight->wire.free_at;
}

/**
 * rf_in_flight_send - put a packet onto the wire
 * @in_flight: the line
 * @link: what the wire is like
 * @skb: the packet
 * @begin: when it begins
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: false if the packet is at the other end already and is still the
 * caller's, or if there is nothing that a wire would do to it.
 */
bool rf_in_flight_send(struct rf_in_flight *in_flight, const struct rf_link_conf *link,
		  struct sk_buff *skb, u64 begin, u64 now)
{
	u64 at;

	if (rf_link_is_none(link) && !in_flight->fifo.qlen)
		return false;
	at = rf_wire_send(&in_flight->wire, link, rf_in_flight_bytes(skb, link->overhead),
			  begin);
	skb_orphan(skb);
	if (at <= now && !in_flight->fifo.qlen)
		return false;
	*arrival(skb) = at;
	__qdisc_enqueue_tail(skb, &in_flight->fifo);
	WRITE_ONCE(in_flight->bytes, in_flight->bytes + qdisc_pkt_len(skb));
	return true;
}

/**
 * rf_in_flight_next - when the next packet arrives
 * @in_flight: the line
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if there is none.
 */
u64 rf_in_flight_next(const struct rf_in_flight *in_flight)
{
	return in_flight->fifo.head ? *arrival(in_flight->fifo.head) : U64_MAX;
}

/**
 * rf_in_flight_pop - take a packet that has arrived
 * @in_flight: the line
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_in_flight_pop(struct rf_in_flight *in_flight, u64 now)
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
 * rf_in_flight_purge - free what is on the wire
 * @in_flight: the line
 *
 * Context: the lock of the qdisc held.
 */
void rf_in_flight_purge(struct rf_in_flight *in_flight)
{
	if (in_flight->fifo.head)
		rtnl_kfree_skbs(in_flight->fifo.head, in_flight->fifo.tail);
	in_flight->fifo = (struct qdisc_skb_head){};
	in_flight->wire = (struct rf_wire){};
	in_flight->bytes = 0;
}
