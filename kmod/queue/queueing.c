// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port together with PFC, the ECN profile and the link:
 *
 *   enqueue:  classify the packet; check the watchdog, the limits and the buffer of
 *             the ingress port; apply the ECN profile; queue the packet
 *   dequeue:  return a packet that has arrived at the end of the link, or choose
 *             the next packet and send it over the link
 *
 * The length of the qdisc includes all these packets. Packets are dropped
 * silently: the sender sees no error.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>

#include "../pfc/buffer.h"
#include "classify.h"
#include "../compat/qdisc.h"
#include "ecn.h"
#include "queueing.h"

/* In a storm, the watchdog drops packets that arrive as well as queued packets. */
static bool is_dropped_by_watchdog(struct rf_port *port, u32 band)
{
	if (likely(!(rf_watchdog_drops(port) & BIT(band))))
		return false;
	port->queue.stats[band].watchdog_dropped++;
	return true;
}

/**
 * rf_queueing_add - queue a packet
 * @port: the port
 * @skb: the packet
 *
 * Context: the lock of the qdisc held.
 * Return: true if the packet is queued; false if the caller is to drop it.
 */
bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_class class = rf_classify(skb, conf);
	u32 bytes = qdisc_pkt_len(skb);
	struct Qdisc *sch = port->sch;
	u64 now = ktime_get_ns();
	struct rf_account *account;

	if (is_dropped_by_watchdog(port, class.band) ||
	    rf_prioq_hoq_expired(port, skb, class.band) ||
	    !rf_prioq_has_room(&port->queue, conf, class.band, bytes))
		return false;
	if (!rf_buffer_charge(port, skb, &class, &account)) {
		port->queue.stats[class.band].no_buffer++;
		return false;
	}
	/* Last, so that no packet is dropped after it was counted as marked. */
	if (!rf_ecn_pass(port, skb, &class, now)) {
		rf_buffer_release(account, bytes);
		return false;
	}
	rf_prioq_enqueue(&port->queue, skb, class.band, now, account);
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
	return true;
}

static void add_control(struct rf_port *port, struct sk_buff *skb, u64 now)
{
	struct Qdisc *sch = port->sch;
	u32 mark = skb->mark;

	skb->mark = 0;
	rf_qdisc_frame_init(skb);
	rf_prioq_enqueue(&port->queue, skb, RF_CONTROL, now, NULL);
	rf_prioq_set_mark(skb, mark);
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
}

/*
 * Control frames are added to a list without the lock of the qdisc. Move them to
 * the control band. While that is full they stay in the list, which drops the
 * oldest frame when it is full.
 */
static void collect_control(struct rf_port *port, const struct rf_conf *conf,
			    u64 now)
{
	struct sk_buff *skb;

	while (rf_control_any(port) &&
	       rf_prioq_has_room(&port->queue, conf, RF_CONTROL, 0)) {
		skb = rf_control_take(port);
		if (skb)
			add_control(port, skb, now);
	}
}

/* Get the paused priorities, and the time before which none of them resumes. */
static u32 paused_by_frames(struct rf_port *port, u64 now, u64 *resume)
{
	*resume = U64_MAX;
	if (!rf_pause_any(port))
		return 0;
	return rf_paused_prios(port, now, resume) & ~READ_ONCE(port->guard.forward);
}

/*
 * Choose the band that sends next, and the time at which its packet begins. The
 * highest strict priority is chosen at once if its packet can begin at the
 * earliest time at which any packet can, or if no other band is ready.
 */
static u32 next_band(struct rf_port *port, const struct rf_conf *conf, u32 ready,
		     u64 now, u64 *begin)
{
	const struct rf_link_state *link = &port->in_flight.link;
	u32 mtu = READ_ONCE(port->dev->mtu) + ETH_HLEN;
	u64 eligible, earliest = rf_link_begin(link, 0, now);
	struct rf_ready first __uninitialized;
	struct rf_prioq *q = &port->queue;
	u32 strict = ready & ~conf->ets;

	if (strict) {
		eligible = rf_prioq_eligible(q, __fls(strict));
		if (eligible <= earliest || ready == BIT(__fls(strict))) {
			*begin = max(eligible, earliest);
			return __fls(strict);
		}
	}
	rf_prioq_ready(q, &first);
	*begin = rf_link_begin(link, rf_ready_eligible(&first), now);
	rf_ready_filter(&first, *begin);
	return rf_sched_next(&q->dwrr, conf, &first, mtu);
}

/*
 * Remove the packet that the link sends next, and set the time at which it begins.
 * Return: the packet, or NULL. In that case the time is that of the next dequeue.
 */
static struct sk_buff *next_packet(struct rf_port *port, const struct rf_conf *conf,
				u64 now, u64 *begin)
{
	struct rf_prioq *q = &port->queue;
	u64 free_at, again, resume;
	struct sk_buff *skb;
	u32 band, ready;

	if (rf_prioq_is_idle(q)) {
		*begin = U64_MAX;
		return NULL;
	}
	again = rf_prioq_expire(port, now);
	rf_prioq_pause(q, paused_by_frames(port, now, &resume), now);
	again = min(again, resume);
	ready = q->waiting & ~q->paused;
	free_at = rf_in_flight_free_at(&port->in_flight);
	if (!ready || free_at > now) {
		*begin = ready ? min(again, free_at) : again;
		return NULL;
	}
	band = next_band(port, conf, ready, now, begin);
	skb = rf_prioq_dequeue(q, band);
	if (band == RF_CONTROL)
		rf_storm_sent(port, skb, rf_prioq_mark(skb));
	return skb;
}

/**
 * rf_queueing_take - remove a packet that leaves the port now
 * @port: the port
 * @next: if there is no such packet, set to the time of the next dequeue, or to
 *	U64_MAX if no packet is queued
 *
 * Context: the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_queueing_take(struct rf_port *port, u64 *next)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_in_flight *in_flight = &port->in_flight;
	struct Qdisc *sch = port->sch;
	u64 now = ktime_get_ns();
	struct sk_buff *skb;

	collect_control(port, conf, now);
	do {
		skb = rf_in_flight_dequeue(in_flight, now);
		if (skb)
			break;
		skb = next_packet(port, conf, now, next);
		if (!skb) {
			*next = min(*next, rf_in_flight_next(in_flight));
			return NULL;
		}
	} while (rf_in_flight_enqueue(in_flight, &conf->link, skb, *next, now));
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	return skb;
}

/**
 * rf_queueing_purge - free all queued packets and those on the link
 * @port: the port
 *
 * Context: RTNL and the lock of the qdisc held.
 */
void rf_queueing_purge(struct rf_port *port)
{
	rf_prioq_purge(&port->queue);
	memset(port->ecn, 0, sizeof(port->ecn));
	rf_in_flight_purge(&port->in_flight);
}
