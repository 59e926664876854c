// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of a link. It sends one packet after the other, at its rate. A
 * packet arrives when its last bit arrives.
 *
 *   begin   = when the link is free and the packet can be sent
 *   end     = begin + bytes * 8 / rate
 *   arrival = end + delay + a random time of 0 to jitter, and not before the
 *             packet that was sent before it
 *
 * Timers run late. A packet that could have begun before the present begins at
 * that earlier time, because otherwise each late timer would reduce the rate.
 * The remainder of the division is added to the next packet for the same reason.
 *
 * The in-flight queue has the packets on the link. They keep their order. A packet on
 * the link has left its sender: it is no longer charged to its socket, and no pause
 * stops it.
 */
#include <net/net_debug.h>

#include "../rand.h"
#include "sched.h"

#define NS_PER_S	1000000000ULL
/* Random numbers for jitter are independent of those of rules. */
static u64 link_jitter(const struct rf_link_state *state,
		       const struct rf_link_conf *link)
{
	struct rf_draw_key key = {
		.serial = (u32)state->serial,
		.attempt = state->serial >> 32,
	};

	if (!link->jitter)
		return 0;
	key.base = rf_draw_base(state->draw_port, link->seed, 0, 0);
	return rf_draw_below(rf_draw(&key, RF_DRAW_LINK), link->jitter + 1);
}

static u64 link_duration(struct rf_link_state *state, u64 rate, u32 bytes)
{
	u64 bits;

	if (!rate)
		return 0;
	/* If the rate has changed, the remainder can be larger than the rate. */
	bits = (u64)bytes * 8 * NS_PER_S + (state->rest < rate ? state->rest : 0);
	state->rest = bits % rate;
	return bits / rate;
}

/**
 * rf_link_send - send a packet over a link
 * @state: the state of the link
 * @link: its configuration
 * @bytes: length of the packet with the overhead of the link
 * @begin: the time that rf_link_begin() returned
 *
 * Return: when the packet arrives at the other end.
 */
u64 rf_link_send(struct rf_link_state *state, const struct rf_link_conf *link,
		 u32 bytes, u64 begin)
{
	u64 arrival;

	state->free_at = begin + link_duration(state, link->rate, bytes);
	arrival = state->free_at + link->delay + link_jitter(state, link);
	state->serial++;
	if (state->arrival < arrival)
		state->arrival = arrival;
	return state->arrival;
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
	*rf_in_flight_arrival(skb) = at;
	__qdisc_enqueue_tail(skb, &in_flight->fifo);
	WRITE_ONCE(in_flight->bytes, in_flight->bytes + qdisc_pkt_len(skb));
	return true;
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
	in_flight->link = (struct rf_link_state){ .draw_port = in_flight->link.draw_port };
	in_flight->bytes = 0;
}
