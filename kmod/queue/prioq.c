// SPDX-License-Identifier: GPL-2.0
/*
 * The queues that packets wait in until the wire is free and no pause stops
 * them: one per priority, and one for control frames, which are before all.
 *
 * A packet that this host has made stays its socket's while it waits. rxe stops
 * a queue pair with 65 such packets, so a pause that lasts fills no queue and
 * loses nothing. One that is forwarded has left its sender's NIC long ago.
 *
 * The other side of it: rxe frees a queue pair after 50 seconds whatever waits
 * here. So nothing waits longer than the port's max-hold. That alone isn't
 * enough: a queue pair that is about to end goes on sending until nobody holds a
 * packet of it, and for each that is dropped it would send another. So where one
 * has waited too long, no other packet of this host may wait until it is seen
 * that they come through again.
 */
#include <net/net_debug.h>

#include "../pfc/buffer.h"
#include "../port.h"
#include "prioq.h"

/* Of the control band, which no configuration limits. */
#define CONTROL_PACKETS	10000

/**
 * struct waiting - what is kept of a packet in its cb while it waits
 * @came: when it came
 * @from: what it is charged to, or NULL
 * @note: see rf_prioq_note()
 */
struct waiting {
	u64 came;
	struct rf_account *from;
	u32 note;
} __packed __aligned(4);

static struct waiting *waiting(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct waiting));
	return (struct waiting *)qdisc_skb_cb(skb)->data;
}

/**
 * rf_prioq_has_room - may a packet wait?
 * @q: the queues; a packet that may not is counted
 * @conf: with the limits
 * @band: its queue
 * @bytes: its length
 *
 * Context: the lock of the qdisc held.
 * Return: false if its queue is full.
 */
bool rf_prioq_has_room(struct rf_prioq *q, const struct rf_conf *conf,
		       u32 band, u32 bytes)
{
	struct rf_prio_stats *stats = &q->stats[band];
	const struct rf_prio_conf *prio;

	if (band == RF_CONTROL)
		return q->fifo[band].qlen < CONTROL_PACKETS;
	prio = &conf->prio[band];
	if (q->fifo[band].qlen < prio->limit &&
	    (!prio->limit_bytes ||
	     stats->backlog_bytes + bytes <= prio->limit_bytes))
		return true;
	stats->full++;
	return false;
}

/**
 * rf_prioq_is_stuck - must a packet not wait, as others have for too long?
 * @port: the port; a packet that must not is counted
 * @skb: the packet
 * @band: its queue
 *
 * One may wait when the queue is empty and not paused, to see if it comes through.
 *
 * Context: the lock of the qdisc held.
 * Return: true if it must not.
 */
bool rf_prioq_is_stuck(struct rf_port *port, const struct sk_buff *skb,
		       u32 band)
{
	struct rf_prioq *q = &port->queue;

	if (likely(!(q->stuck & BIT(band))) || skb->skb_iif)
		return false;
	if (!q->fifo[band].head && !(q->paused & BIT(band) && rf_pause_any(port)))
		return false;
	q->stats[band].expired++;
	return true;
}

/**
 * rf_prioq_add - let a packet wait
 * @q: the queues
 * @skb: the packet
 * @band: its queue
 * @now: the time
 * @from: what it is charged to, or NULL; released when it leaves
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_add(struct rf_prioq *q, struct sk_buff *skb, u32 band, u64 now,
		  struct rf_account *from)
{
	struct rf_prio_stats *stats = &q->stats[band];

	*waiting(skb) = (struct waiting){ .came = now, .from = from };
	if (skb->skb_iif)
		skb_orphan(skb);
	if (!q->waiting)
		q->expiry = now + q->max_hold;
	__qdisc_enqueue_tail(skb, &q->fifo[band]);
	WRITE_ONCE(q->waiting, q->waiting | BIT(band));
	WRITE_ONCE(stats->backlog, stats->backlog + 1);
	stats->backlog_bytes += qdisc_pkt_len(skb);
	if (stats->peak_bytes < stats->backlog_bytes)
		stats->peak_bytes = stats->backlog_bytes;
}

/**
 * rf_prioq_note - note something of a packet that waits
 * @skb: the packet
 * @note: what rf_prioq_noted() shall say of it; of others that is 0
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_note(struct sk_buff *skb, u32 note)
{
	waiting(skb)->note = note;
}

/**
 * rf_prioq_noted - what was noted of a packet
 * @skb: the packet, which waits or was just taken
 *
 * Context: the lock of the qdisc held.
 * Return: the note, or 0.
 */
u32 rf_prioq_noted(const struct sk_buff *skb)
{
	return waiting(skb)->note;
}

static struct sk_buff *take(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = __qdisc_dequeue_head(&q->fifo[band]);
	struct rf_prio_stats *stats = &q->stats[band];

	DEBUG_NET_WARN_ON_ONCE(!stats->backlog);
	DEBUG_NET_WARN_ON_ONCE(stats->backlog_bytes < qdisc_pkt_len(skb));
	rf_buffer_release(waiting(skb)->from, qdisc_pkt_len(skb));
	WRITE_ONCE(stats->backlog, stats->backlog - 1);
	stats->backlog_bytes -= qdisc_pkt_len(skb);
	if (q->fifo[band].head)
		return skb;
	WRITE_ONCE(q->waiting, q->waiting & ~BIT(band));
	if (band < RDMAFAULT_PRIOS)
		q->service.deficit[band] = 0;
	return skb;
}

/**
 * rf_prioq_take - take the first packet of a queue, to be sent
 * @q: the queues
 * @band: the queue, which isn't empty
 *
 * Context: the lock of the qdisc held.
 * Return: the packet.
 */
struct sk_buff *rf_prioq_take(struct rf_prioq *q, u32 band)
{
	struct sk_buff *skb = take(q, band);

	q->stuck &= ~BIT(band);
	q->stats[band].packets++;
	q->stats[band].bytes += qdisc_pkt_len(skb);
	return skb;
}

/**
 * rf_prioq_pause - which priorities may not send
 * @q: the queues
 * @paused: bit n for priority n
 * @now: the time; what was paused could not have gone before
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_pause(struct rf_prioq *q, u32 paused, u64 now)
{
	unsigned long resumed = q->paused & ~paused;
	u32 band;

	for_each_set_bit(band, &resumed, RDMAFAULT_PRIOS)
		q->resumed[band] = now;
	q->stuck &= ~resumed;
	q->paused = paused;
}

/**
 * rf_prioq_since - when the first packet of a queue could have been sent
 * @q: the queues
 * @band: the queue, which isn't empty
 *
 * Context: the lock of the qdisc held.
 * Return: the time.
 */
u64 rf_prioq_since(const struct rf_prioq *q, u32 band)
{
	return max(waiting(q->fifo[band].head)->came, q->resumed[band]);
}

/**
 * rf_prioq_heads - find the first packets of the queues that aren't paused
 * @q: the queues
 * @heads: filled in
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_heads(const struct rf_prioq *q, struct rf_heads *heads)
{
	unsigned long ready = q->waiting & ~q->paused;
	u32 band;

	heads->ready = ready;
	for_each_set_bit(band, &ready, RF_BANDS) {
		heads->since[band] = rf_prioq_since(q, band);
		heads->bytes[band] = qdisc_pkt_len(q->fifo[band].head);
	}
}

static void drop(struct rf_port *port, u32 band)
{
	struct sk_buff *skb = take(&port->queue, band);
	struct Qdisc *sch = port->sch;

	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_qstats_drop(sch);
	kfree_skb(skb);
}

static void drop_guarded(struct rf_port *port, u32 band)
{
	struct rf_prioq *q = &port->queue;

	while (q->fifo[band].head) {
		drop(port, band);
		q->stats[band].watchdog_dropped++;
	}
}

/* Drop what has waited too long; says when the next one will have. */
static u64 drop_aged(struct rf_port *port, u32 band, u64 now)
{
	struct rf_prioq *q = &port->queue;
	struct sk_buff *skb;

	while ((skb = q->fifo[band].head)) {
		if (waiting(skb)->came + q->max_hold > now)
			return waiting(skb)->came + q->max_hold;
		drop(port, band);
		q->stuck |= BIT(band);
		q->stats[band].expired++;
	}
	return U64_MAX;
}

/**
 * rf_prioq_tidy - drop what must not wait any more
 * @port: the port
 * @now: the time
 *
 * Context: the lock of the qdisc held.
 * Return: no packet is to be dropped before this time, unless the watchdog
 * begins to; U64_MAX if nothing waits.
 */
u64 rf_prioq_tidy(struct rf_port *port, u64 now)
{
	u64 max_hold = READ_ONCE(port->max_hold);
	u32 drops = rf_watchdog_drops(port);
	struct rf_prioq *q = &port->queue;
	unsigned long waits = q->waiting;
	u64 next = U64_MAX;
	u32 band;

	if (likely(!(waits & drops) && now < q->expiry &&
		   max_hold == q->max_hold))
		return waits ? q->expiry : U64_MAX;
	q->max_hold = max_hold;
	for_each_set_bit(band, &waits, RF_BANDS) {
		if (drops & BIT(band))
			drop_guarded(port, band);
		next = min(next, drop_aged(port, band, now));
	}
	q->expiry = next;
	return next;
}

/**
 * rf_prioq_purge - free all that waits
 * @q: the queues
 *
 * Context: RTNL and the lock of the qdisc held.
 */
void rf_prioq_purge(struct rf_prioq *q)
{
	struct sk_buff *skb;
	u32 band;

	for (band = 0; band < RF_BANDS; band++) {
		while (q->fifo[band].head) {
			skb = take(q, band);
			rtnl_kfree_skbs(skb, skb);
		}
	}
	q->stuck = 0;
}

/**
 * rf_prioq_reset_stats - set the counters to 0, and the peaks to what waits
 * @q: the queues
 *
 * Context: the lock of the qdisc held.
 */
void rf_prioq_reset_stats(struct rf_prioq *q)
{
	struct rf_prio_stats *stats;
	u32 band;

	for (band = 0; band < RF_BANDS; band++) {
		stats = &q->stats[band];
		*stats = (struct rf_prio_stats){
			.backlog = stats->backlog,
			.backlog_bytes = stats->backlog_bytes,
			.peak_bytes = stats->backlog_bytes,
			.ecn_queue = stats->ecn_queue,
		};
	}
}
