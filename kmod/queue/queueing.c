// SPDX-License-Identifier: GPL-2.0
/*
 * The way of a leaving packet behind the rules:
 *
 *   add:   its queue - is there room? - and where it came in? - is it marked? -
 *          the queue
 *   take:  what has arrived at the end of the wire - is the wire free? - the
 *          queue whose turn it is - the wire
 *
 * All of it is counted in the qdisc's length. A packet that is dropped here is
 * dropped in silence, as everywhere.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>

#include "../pfc/buffer.h"
#include "classify.h"
#include "../compat/qdisc.h"
#include "ecn.h"
#include "queueing.h"

/* The watchdog drops what comes as it does what waits. */
static bool is_guarded(struct rf_port *port, u32 band)
{
	if (likely(!(rf_watchdog_drops(port) & BIT(band))))
		return false;
	port->queue.stats[band].watchdog_dropped++;
	return true;
}

/**
 * rf_queueing_add - let a packet wait for its turn
 * @port: the port
 * @skb: the packet
 *
 * Context: the lock of the qdisc held.
 * Return: false if there is no room, or the guard or the ECN profile drops it; then it
 * is still the caller's.
 */
bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb)
{
	const struct rf_conf *conf = rf_port_conf(port);
	struct rf_class class = rf_classify(skb, conf);
	u32 bytes = qdisc_pkt_len(skb);
	struct Qdisc *sch = port->sch;
	u64 now = ktime_get_ns();
	struct rf_account *from;

	if (is_guarded(port, class.band) ||
	    rf_prioq_is_stuck(port, skb, class.band) ||
	    !rf_prioq_has_room(&port->queue, conf, class.band, bytes))
		return false;
	if (!rf_buffer_charge(port, skb, &class, &from)) {
		port->queue.stats[class.band].no_buffer++;
		return false;
	}
	/* Last, so that what is counted as marked goes on. */
	if (!rf_ecn_pass(port, skb, &class, now)) {
		rf_buffer_release(from, bytes);
		return false;
	}
	rf_prioq_add(&port->queue, skb, class.band, now, from);
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
	return true;
}

static void add_control(struct rf_port *port, struct sk_buff *skb, u64 now)
{
	struct Qdisc *sch = port->sch;
	u32 says = skb->mark;

	skb->mark = 0;
	rf_qdisc_frame_init(skb);
	rf_prioq_add(&port->queue, skb, RF_CONTROL, now, NULL);
	rf_prioq_note(skb, says);
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
}

/*
 * Frames of the port's own come in without the lock of the qdisc. Where a wire
 * takes no more, they stay in their band, which lets go of the oldest.
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

/* Which priorities a pause stops, and when the first of them resumes. */
static u32 paused_by_frames(struct rf_port *port, u64 now, u64 *resume)
{
	*resume = U64_MAX;
	if (!rf_pause_any(port))
		return 0;
	return rf_paused_prios(port, now, resume) & ~READ_ONCE(port->guard.forward);
}

/*
 * The queue that is served next, and when its first packet begins. The highest
 * strict priority is served without a look at the others if its packet can
 * begin as early as any packet can, or if there is no other.
 */
static u32 next_band(struct rf_port *port, const struct rf_conf *conf, u32 ready,
		     u64 now, u64 *begin)
{
	const struct rf_wire *wire = &port->in_flight.wire;
	u32 mtu = READ_ONCE(port->dev->mtu) + ETH_HLEN;
	u64 since, earliest = rf_wire_begin(wire, 0, now);
	struct rf_heads heads __uninitialized;
	struct rf_prioq *q = &port->queue;
	u32 strict = ready & ~conf->ets;

	if (strict) {
		since = rf_prioq_since(q, __fls(strict));
		if (since <= earliest || ready == BIT(__fls(strict))) {
			*begin = max(since, earliest);
			return __fls(strict);
		}
	}
	rf_prioq_heads(q, &heads);
	*begin = rf_wire_begin(wire, rf_heads_since(&heads), now);
	rf_heads_until(&heads, *begin);
	return rf_service_next(&q->service, conf, &heads, mtu);
}

/*
 * The packet that is next on the wire, and when it begins; NULL and when to
 * look again if there is none now.
 */
static struct sk_buff *next_one(struct rf_port *port, const struct rf_conf *conf,
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
	again = rf_prioq_tidy(port, now);
	rf_prioq_pause(q, paused_by_frames(port, now, &resume), now);
	again = min(again, resume);
	ready = q->waiting & ~q->paused;
	free_at = rf_in_flight_free_at(&port->in_flight);
	if (!ready || free_at > now) {
		*begin = ready ? min(again, free_at) : again;
		return NULL;
	}
	band = next_band(port, conf, ready, now, begin);
	skb = rf_prioq_take(q, band);
	if (band == RF_CONTROL)
		rf_storm_sent(port, skb, rf_prioq_noted(skb));
	return skb;
}

/**
 * rf_queueing_take - take a packet that leaves the port now
 * @port: the port
 * @next: gets when to look again if there is none, U64_MAX if nothing waits
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
		skb = rf_in_flight_pop(in_flight, now);
		if (skb)
			break;
		skb = next_one(port, conf, now, next);
		if (!skb) {
			*next = min(*next, rf_in_flight_next(in_flight));
			return NULL;
		}
	} while (rf_in_flight_send(in_flight, &conf->link, skb, *next, now));
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	return skb;
}

/**
 * rf_queueing_purge - free all that waits and all that is on the wire
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
