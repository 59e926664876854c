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
 * rf_line_bytes - what the wire carries for a packet
 * @skb: the packet
 * @overhead: bytes beside it; one that the driver will cut in pieces has those of
 * each
 *
 * Context: any.
 * Return: bytes.
 */
u32 rf_line_bytes(const struct sk_buff *skb, u32 overhead)
{
	u32 frames = skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;

	return qdisc_pkt_len(skb) + overhead * max(frames, 1u);
}

/**
 * rf_line_free_at - when a packet may be put onto the wire
 * @line: the line
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if one must arrive before.
 */
u64 rf_line_free_at(const struct rf_line *line)
{
	if (line->fifo.qlen >= LINE_PACKETS || line->bytes >= LINE_BYTES)
		return U64_MAX;
	return line->wire.free_at;
}

/**
 * rf_line_send - put a packet onto the wire
 * @line: the line
 * @link: what the wire is like
 * @skb: the packet
 * @begin: when it begins
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: false if the packet is at the other end already and is still the
 * caller's, or if there is nothing that a wire would do to it.
 */
bool rf_line_send(struct rf_line *line, const struct rf_link_conf *link,
		  struct sk_buff *skb, u64 begin, u64 now)
{
	u64 at;

	if (rf_link_is_none(link) && !line->fifo.qlen)
		return false;
	at = rf_wire_send(&line->wire, link, rf_line_bytes(skb, link->overhead),
			  begin);
	skb_orphan(skb);
	if (at <= now && !line->fifo.qlen)
		return false;
	*arrival(skb) = at;
	__qdisc_enqueue_tail(skb, &line->fifo);
	WRITE_ONCE(line->bytes, line->bytes + qdisc_pkt_len(skb));
	return true;
}

/**
 * rf_line_next - when the next packet arrives
 * @line: the line
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if there is none.
 */
u64 rf_line_next(const struct rf_line *line)
{
	return line->fifo.head ? *arrival(line->fifo.head) : U64_MAX;
}

/**
 * rf_line_pop - take a packet that has arrived
 * @line: the line
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_line_pop(struct rf_line *line, u64 now)
{
	struct sk_buff *skb;

	if (rf_line_next(line) > now)
		return NULL;
	skb = __qdisc_dequeue_head(&line->fifo);
	DEBUG_NET_WARN_ON_ONCE(line->bytes < qdisc_pkt_len(skb));
	WRITE_ONCE(line->bytes, line->bytes - qdisc_pkt_len(skb));
	return skb;
}

/**
 * rf_line_purge - free what is on the wire
 * @line: the line
 *
 * Context: the lock of the qdisc held.
 */
void rf_line_purge(struct rf_line *line)
{
	if (line->fifo.head)
		rtnl_kfree_skbs(line->fifo.head, line->fifo.tail);
	line->fifo = (struct qdisc_skb_head){};
	line->wire = (struct rf_wire){};
	line->bytes = 0;
}
