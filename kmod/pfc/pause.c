// SPDX-License-Identifier: GPL-2.0
/*
 * What holds the priorities of a port: pause frames from the neighbour, and
 * storms of our own. The queues ask here which of them may send; when a pause
 * ends, by XON or by itself, they are told to ask again.
 *
 * A frame is obeyed as a MAC obeys it (IEEE 802.3, annexes 31B and 31D): each
 * priority that it names is paused for so many quanta of 512 bit times at the
 * rate of the port's link, whatever it was paused for before. Priorities without
 * PFC are left out (IEEE 802.1Q, clause 36).
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/skbuff.h>

#include "../compat/hrtimer.h"
#include "frame.h"
#include "../port.h"
#include "../trace.h"

static void wake_at(struct rf_pause *pause, u64 ns)
{
	if (pause->closed)
		return;
	if (!hrtimer_is_queued(&pause->timer) ||
	    ktime_to_ns(hrtimer_get_expires(&pause->timer)) > ns)
		hrtimer_start(&pause->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS);
}

static void tell_open(struct rf_port *port, u32 prio, u64 now)
{
	const struct rf_pause_fsm *fsm = &port->pause.fsm[prio];
	u64 end = min(rf_pause_fsm_end(fsm), now);

	trace_rf_pause(port->dev->ifindex, port->dev->name, prio,
		       RF_PAUSE_SOURCES, false, end, end - fsm->since);
}

/* Notes the pauses that are over; when the next one will be. */
static u64 settle(struct rf_port *port, u64 now)
{
	struct rf_pause *pause = &port->pause;
	u64 end, next = U64_MAX;
	u8 paused = pause->paused;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(paused & BIT(i)))
			continue;
		end = rf_pause_fsm_end(&pause->fsm[i]);
		if (end > now) {
			next = min(next, end);
			continue;
		}
		paused &= ~BIT(i);
		tell_open(port, i, now);
	}
	WRITE_ONCE(pause->paused, paused);
	WRITE_ONCE(pause->next, next);
	return next;
}

static enum hrtimer_restart pause_over(struct hrtimer *timer)
{
	struct rf_port *port = container_of(timer, struct rf_port, pause.timer);
	struct rf_pause *pause = &port->pause;
	u64 next;

	spin_lock(&pause->lock);
	next = settle(port, ktime_get_ns());
	if (next != U64_MAX)
		wake_at(pause, next);
	if (!pause->closed)
		rf_port_kick(port);
	spin_unlock(&pause->lock);
	return HRTIMER_NORESTART;
}

static void xoff(struct rf_port *port, u32 prio, enum rf_pause_source source,
		 u64 now, u64 ns)
{
	struct rf_pause *pause = &port->pause;
	struct rf_pause_fsm *fsm = &pause->fsm[prio];

	/* The pause before may be over, and nobody has noticed yet. */
	if (pause->paused & BIT(prio) && rf_pause_fsm_end(fsm) <= now)
		tell_open(port, prio, now);
	if (rf_pause_fsm_xoff(fsm, source, now, ns))
		trace_rf_pause(port->dev->ifindex, port->dev->name, prio,
			       source, true, now + ns, ns);
	if (!pause->paused || pause->next > rf_pause_fsm_end(fsm))
		WRITE_ONCE(pause->next, rf_pause_fsm_end(fsm));
	WRITE_ONCE(pause->paused, pause->paused | BIT(prio));
	rf_port_queue(port);
	wake_at(pause, rf_pause_fsm_end(fsm));
}

static void xon(struct rf_port *port, u32 prio, enum rf_pause_source source,
		u64 now)
{
	if (!rf_pause_fsm_xon(&port->pause.fsm[prio], source, now))
		return;
	settle(port, now);
	/* The hook that has brought the frame may outlast the port. */
	if (!port->pause.closed)
		rf_port_kick(port);
}

/**
 * rf_pause_xoff - pause a priority, as a storm does
 * @port: the port
 * @prio: the priority
 * @ns: for how long
 *
 * Context: any.
 * Return: the time from which on it is paused.
 */
u64 rf_pause_xoff(struct rf_port *port, u32 prio, u64 ns)
{
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&port->pause.lock, flags);
	now = ktime_get_ns();
	xoff(port, prio, RF_PAUSE_STORM, now, ns);
	spin_unlock_irqrestore(&port->pause.lock, flags);
	return now;
}

/**
 * rf_pause_xon - a storm lets a priority go
 * @port: the port
 * @prio: the priority
 *
 * Context: any.
 * Return: the time from which on it does.
 */
u64 rf_pause_xon(struct rf_port *port, u32 prio)
{
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&port->pause.lock, flags);
	now = ktime_get_ns();
	xon(port, prio, RF_PAUSE_STORM, now);
	spin_unlock_irqrestore(&port->pause.lock, flags);
	return now;
}

/**
 * rf_pause_forget - end what frames have paused
 * @port: the port
 * @prios: bit n for priority n
 *
 * Context: any.
 */
void rf_pause_forget(struct rf_port *port, u32 prios)
{
	unsigned long flags;
	u64 now;
	u32 i;

	spin_lock_irqsave(&port->pause.lock, flags);
	now = ktime_get_ns();
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios & BIT(i))
			xon(port, i, RF_PAUSE_FRAME, now);
	spin_unlock_irqrestore(&port->pause.lock, flags);
}

static void obey(struct rf_port *port, const struct rf_pfc_frame *pfc)
{
	struct rf_pause *pause = &port->pause;
	const struct rf_conf *conf = rf_port_conf(port);
	u64 rate = rf_conf_pause_rate(conf);
	u64 now = ktime_get_ns();
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(pfc->prios & BIT(i)))
			continue;
		if (!conf->prio[i].pfc) {
			pause->ignored[i] += pfc->quanta[i] > 0;
		} else if (pfc->quanta[i]) {
			pause->xoffs[i]++;
			xoff(port, i, RF_PAUSE_FRAME, now,
			     rf_pause_ns(pfc->quanta[i], rate));
		} else {
			pause->xons[i]++;
			xon(port, i, RF_PAUSE_FRAME, now);
		}
	}
}

/* To the group that is never forwarded, or to the port itself (31B.1). */
static bool is_for(const struct rf_port *port, const struct sk_buff *skb)
{
	static const u8 group[ETH_ALEN] __aligned(2) = {
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x01
	};
	const u8 *dest = eth_hdr(skb)->h_dest;

	return ether_addr_equal(dest, group) ||
	       ether_addr_equal(dest, port->dev->dev_addr);
}

static bool read_frame(const struct rf_port *port, const struct sk_buff *skb,
		       struct rf_pfc_frame *pfc)
{
	int offset = skb_network_offset(skb);
	u8 copy[RF_PFC_BODY_LEN];
	const u8 *body;
	u32 len;

	if (!is_for(port, skb))
		return false;
	len = min_t(u32, skb->len - offset, sizeof(copy));
	body = skb_header_pointer(skb, offset, len, copy);
	return body && rf_pfc_decode(body, len, pfc);
}

/**
 * rf_pause_frame - obey what has arrived as MAC control
 * @port: the port
 * @skb: a packet of EtherType 0x8808, its tag taken off
 *
 * Context: softirq or BH off.
 * Return: true if it is MAC control, and goes no further, as with any MAC; false
 * if it had a tag.
 */
bool rf_pause_frame(struct rf_port *port, const struct sk_buff *skb)
{
	struct rf_pause *pause = &port->pause;
	unsigned long flags;
	struct rf_pfc_frame pfc;
	bool good;

	if (skb_vlan_tag_present(skb))
		return false;
	good = read_frame(port, skb, &pfc);
	spin_lock_irqsave(&pause->lock, flags);
	pause->received++;
	if (good) {
		pause->reserved += pfc.reserved;
		obey(port, &pfc);
	} else {
		pause->malformed++;
	}
	spin_unlock_irqrestore(&pause->lock, flags);
	return true;
}

/**
 * rf_paused_prios - which priorities may not send?
 * @port: the port
 * @now: the time, ktime_get_ns()
 * @next: gets a time before which none of them resumes by itself, U64_MAX if
 *	none is paused; the port is woken when one resumes
 *
 * No lock is taken as long as no pause can have ended. If the mask changes
 * meanwhile, the port is woken.
 *
 * Context: softirq or BH off, with the lock of the qdisc or without.
 * Return: bit n for priority n.
 */
u8 rf_paused_prios(struct rf_port *port, u64 now, u64 *next)
{
	struct rf_pause *pause = &port->pause;
	unsigned long flags;
	u8 paused;

	*next = U64_MAX;
	paused = READ_ONCE(pause->paused);
	if (!paused)
		return 0;
	*next = READ_ONCE(pause->next);
	if (now < *next)
		return paused;
	spin_lock_irqsave(&pause->lock, flags);
	*next = settle(port, now);
	paused = pause->paused;
	spin_unlock_irqrestore(&pause->lock, flags);
	return paused;
}

/**
 * rf_pause_read - what there is to say of a priority
 * @port: the port
 * @prio: the priority
 * @info: filled in
 *
 * Context: any.
 */
void rf_pause_read(struct rf_port *port, u32 prio, struct rf_pause_info *info)
{
	const struct rf_pause_fsm *fsm = &port->pause.fsm[prio];
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&port->pause.lock, flags);
	now = ktime_get_ns();
	*info = (struct rf_pause_info){
		.total = rf_pause_fsm_total(fsm, now),
		.pauses = fsm->pauses,
		.xoffs = port->pause.xoffs[prio],
		.xons = port->pause.xons[prio],
		.ignored = port->pause.ignored[prio],
		.since = fsm->since,
		.until = rf_pause_fsm_end(fsm),
		.last = fsm->last,
	};
	spin_unlock_irqrestore(&port->pause.lock, flags);
	info->left = info->until > now ? info->until - now : 0;
}

/**
 * rf_pause_reset_stats - set the counters to 0
 * @port: the port
 *
 * Context: any.
 */
void rf_pause_reset_stats(struct rf_port *port)
{
	struct rf_pause *pause = &port->pause;
	unsigned long flags;
	u64 now;
	u32 i;

	spin_lock_irqsave(&pause->lock, flags);
	now = ktime_get_ns();
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		rf_pause_fsm_reset_stats(&pause->fsm[i], now);
	memset(pause->xoffs, 0, sizeof(pause->xoffs));
	memset(pause->xons, 0, sizeof(pause->xons));
	memset(pause->ignored, 0, sizeof(pause->ignored));
	pause->received = 0;
	pause->malformed = 0;
	pause->reserved = 0;
	spin_unlock_irqrestore(&pause->lock, flags);
}

/**
 * rf_pause_init - nothing is paused
 * @port: a new port
 *
 * Context: any.
 */
void rf_pause_init(struct rf_port *port)
{
	struct rf_pause *pause = &port->pause;

	spin_lock_init(&pause->lock);
	hrtimer_setup(&pause->timer, pause_over, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/**
 * rf_pause_end - wake the port no more
 * @port: a port that no packet reaches any more, and no storm
 *
 * Context: process.
 */
void rf_pause_end(struct rf_port *port)
{
	spin_lock_irq(&port->pause.lock);
	port->pause.closed = true;
	spin_unlock_irq(&port->pause.lock);
	hrtimer_cancel(&port->pause.timer);
}
