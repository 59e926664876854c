// SPDX-License-Identifier: GPL-2.0
/*
 * What a port tells its neighbour: XOFF for a priority as long as there is a
 * reason for it, XON when there is none left. The frames take the control band.
 *
 * An XOFF lapses by itself, so it is renewed when half of its time is over. The
 * time is computed from the rate of the port's own link, for a link has one rate
 * at both ends. Where that isn't so, the neighbour may send again too soon; what
 * then comes in has it reminded.
 *
 * A machine that is late has XOFFs in its control band whose reason is gone
 * before they leave. They are taken back.
 *
 * A frame for which there is no memory is tried again soon, XON like XOFF: for
 * the neighbour would send into a full buffer, or wait until XOFF lapses.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/pkt_sched.h>
#include <linux/skbuff.h>
#include <net/net_debug.h>

#include "../compat/hrtimer.h"
#include "frame.h"
#include "../port.h"

/* Until a frame is tried again for which there was no memory. */
#define AGAIN		(100ULL * NSEC_PER_USEC)

static struct sk_buff *frame(struct rf_port *port, const struct rf_pfc_frame *pfc,
			     gfp_t gfp)
{
	struct net_device *dev = port->dev;
	struct sk_buff *skb;

	skb = __netdev_alloc_skb(dev, RF_PFC_FRAME_LEN, gfp);
	if (!skb)
		return NULL;
	rf_pfc_encode(skb_put(skb, RF_PFC_FRAME_LEN), dev->dev_addr, pfc);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = htons(ETH_P_PAUSE);
	skb->priority = TC_PRIO_CONTROL;
	return skb;
}

static void count(struct rf_xoff *xoff, const struct rf_pfc_frame *pfc)
{
	u32 i;

	xoff->sent++;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(pfc->prios & BIT(i)))
			continue;
		if (pfc->quanta[i])
			xoff->xoff_tx[i]++;
		else
			xoff->xon_tx[i]++;
	}
}

/* A frame that can't leave now would say what is no longer so. */
static bool can_leave(const struct rf_port *port, const struct rf_pfc_frame *pfc)
{
	return pfc->prios && netif_running(port->dev) &&
	       netif_carrier_ok(port->dev);
}

static int send(struct rf_port *port, const struct rf_pfc_frame *pfc, u32 mark)
{
	struct sk_buff *skb;

	if (!can_leave(port, pfc))
		return 0;
	skb = frame(port, pfc, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return -ENOMEM;
	count(&port->xoff, pfc);
	skb->mark = mark;
	rf_control_send(port, skb);
	return 0;
}

/* An XOFF that waits says nothing of @prio any more; does it say anything? */
static bool take_back(struct rf_port *port, struct sk_buff *skb, u32 prio)
{
	struct rf_xoff *xoff = &port->xoff;
	struct rf_pfc_frame pfc;

	if (!(skb->mark & RF_XOFF_MARK_HELD(prio)) ||
	    !rf_pfc_decode(skb->data + ETH_HLEN, RF_PFC_BODY_LEN, &pfc))
		return true;
	skb->mark &= ~(RF_XOFF_MARK_HELD(prio) | RF_XOFF_MARK_STORM(prio));
	pfc.prios &= ~BIT(prio);
	pfc.quanta[prio] = 0;
	/* The counters may have been reset since it was counted. */
	if (xoff->xoff_tx[prio])
		xoff->xoff_tx[prio]--;
	if (!pfc.prios && xoff->sent)
		xoff->sent--;
	rf_pfc_encode(skb->data, port->dev->dev_addr, &pfc);
	return pfc.prios;
}

/* The longest that any reason asks for; 0 if there is none. */
static u32 wanted(const struct rf_xoff *xoff, u32 prio)
{
	u32 reason, most = 0;

	for (reason = 0; reason < RF_XOFF_REASONS; reason++)
		most = max(most, xoff->quanta[reason][prio]);
	return most;
}

/* With fewer quanta than the pace takes, XOFF has gaps. */
static u64 renewal(const struct rf_port *port, u32 quanta, u64 now)
{
	u64 rate = rf_conf_pause_rate(rf_port_conf(port));

	return now + max(rf_pause_ns(quanta, rate) / 2, RF_XOFF_MIN_INTERVAL);
}

/* What is due, and the mark that says of what kind it is. */
static u32 due(const struct rf_xoff *xoff, struct rf_pfc_frame *pfc, u64 now)
{
	u32 i, quanta, mark = 0;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		quanta = wanted(xoff, i);
		if (xoff->due[i] > now || !(quanta || xoff->xon_pending & BIT(i)))
			continue;
		pfc->prios |= BIT(i);
		pfc->quanta[i] = quanta;
		if (quanta)
			mark |= RF_XOFF_MARK_HELD(i);
		if (xoff->quanta[RF_XOFF_STORM][i])
			mark |= RF_XOFF_MARK_STORM(i);
	}
	return mark;
}

static void note_sent(struct rf_port *port, const struct rf_pfc_frame *pfc, u64 now)
{
	struct rf_xoff *xoff = &port->xoff;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(pfc->prios & BIT(i)))
			continue;
		xoff->due[i] = renewal(port, pfc->quanta[i], now);
		xoff->last_sent[i] = now;
	}
	xoff->xon_pending &= ~pfc->prios;
}

static void retry_later(struct rf_xoff *xoff, const struct rf_pfc_frame *pfc, u64 now)
{
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (pfc->prios & BIT(i))
			xoff->due[i] = now + AGAIN;
}

/* Sends what is due; says when the next one will be. */
static u64 renew(struct rf_port *port, u64 now)
{
	struct rf_xoff *xoff = &port->xoff;
	struct rf_pfc_frame pfc = {};
	u64 next = U64_MAX;
	u32 i, mark;

	mark = due(xoff, &pfc, now);
	if (send(port, &pfc, mark))
		retry_later(xoff, &pfc, now);
	else
		note_sent(port, &pfc, now);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (wanted(xoff, i) || xoff->xon_pending & BIT(i))
			next = min(next, xoff->due[i]);
	return next;
}

static void renew_and_wait(struct rf_port *port)
{
	struct rf_xoff *xoff = &port->xoff;
	u64 next;

	lockdep_assert_held(&xoff->lock);
	if (xoff->closed)
		return;
	next = renew(port, ktime_get_ns());
	if (next != U64_MAX)
		hrtimer_start(&xoff->timer, ns_to_ktime(next),
			      HRTIMER_MODE_ABS);
}

static enum hrtimer_restart renew_due(struct hrtimer *timer)
{
	struct rf_port *port = container_of(timer, struct rf_port, xoff.timer);
	unsigned long flags;

	spin_lock_irqsave(&port->xoff.lock, flags);
	renew_and_wait(port);
	spin_unlock_irqrestore(&port->xoff.lock, flags);
	return HRTIMER_NORESTART;
}

/**
 * rf_xoff_hold - let the neighbour send no more of a priority
 * @port: the port
 * @reason: why; what was said for it before is forgotten
 * @prio: the priority
 * @quanta: time of each XOFF, 1 to 65535; the longest of all reasons is sent
 *
 * XOFF is sent at once, and again until the reason is let go.
 *
 * Context: any; not under a lock that is taken inside that of a control band.
 */
void rf_xoff_hold(struct rf_port *port, enum rf_xoff_reason reason, u32 prio,
		  u32 quanta)
{
	struct rf_xoff *xoff = &port->xoff;
	unsigned long flags;

	spin_lock_irqsave(&xoff->lock, flags);
	xoff->quanta[reason][prio] = quanta;
	xoff->due[prio] = 0;
	xoff->xon_pending &= ~BIT(prio);
	renew_and_wait(port);
	spin_unlock_irqrestore(&xoff->lock, flags);
}

/**
 * rf_xoff_resend - something has come in of a priority that is held
 * @port: the port
 * @prio: the priority
 *
 * What was on its way when XOFF was sent is no reason to send another. Later
 * than half of the time that it holds at the rate of a link that nobody has
 * told one, it is.
 *
 * Context: any, as rf_xoff_hold().
 */
void rf_xoff_resend(struct rf_port *port, u32 prio)
{
	struct rf_xoff *xoff = &port->xoff;
	unsigned long flags;
	u64 min_interval;
	u32 quanta;

	spin_lock_irqsave(&xoff->lock, flags);
	quanta = wanted(xoff, prio);
	min_interval = rf_pause_ns(quanta, RDMAFAULT_RATE_DEFAULT) / 2;
	if (quanta && xoff->last_sent[prio] + min_interval < ktime_get_ns()) {
		xoff->due[prio] = 0;
		renew_and_wait(port);
	}
	spin_unlock_irqrestore(&xoff->lock, flags);
}

/**
 * rf_xoff_release - a reason is gone
 * @port: the port; XON is sent if it was the last one
 * @reason: the reason
 * @prio: the priority
 *
 * Context: any, as rf_xoff_hold().
 */
void rf_xoff_release(struct rf_port *port, enum rf_xoff_reason reason, u32 prio)
{
	struct rf_xoff *xoff = &port->xoff;
	unsigned long flags;
	bool held;

	spin_lock_irqsave(&xoff->lock, flags);
	held = wanted(xoff, prio);
	xoff->quanta[reason][prio] = 0;
	if (held && !wanted(xoff, prio) && !xoff->closed) {
		rf_control_revise(port, take_back, prio);
		xoff->xon_pending |= BIT(prio);
		xoff->due[prio] = 0;
		renew_and_wait(port);
	}
	spin_unlock_irqrestore(&xoff->lock, flags);
}

/**
 * rf_xoff_once - send one frame
 * @port: the port
 * @prios: bit n if it is to say something of priority n
 * @quanta: what it says of them, 0 for XON
 *
 * What is held is held nevertheless.
 *
 * Context: any, as rf_xoff_hold().
 * Return: 0, -ENETDOWN if the netdev sends nothing now, or -ENOMEM.
 */
int rf_xoff_once(struct rf_port *port, u8 prios, u32 quanta)
{
	struct rf_pfc_frame pfc = { .prios = prios };
	struct rf_xoff *xoff = &port->xoff;
	unsigned long flags;
	int err = -ENETDOWN;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc.quanta[i] = quanta;
	spin_lock_irqsave(&xoff->lock, flags);
	if (!xoff->closed && can_leave(port, &pfc))
		err = send(port, &pfc, 0);
	spin_unlock_irqrestore(&xoff->lock, flags);
	return err;
}

/**
 * rf_xoff_reset_stats - set the counters to 0
 * @port: the port
 *
 * Context: any.
 */
void rf_xoff_reset_stats(struct rf_port *port)
{
	struct rf_xoff *xoff = &port->xoff;
	unsigned long flags;

	spin_lock_irqsave(&xoff->lock, flags);
	memset(xoff->xoff_tx, 0, sizeof(xoff->xoff_tx));
	memset(xoff->xon_tx, 0, sizeof(xoff->xon_tx));
	xoff->sent = 0;
	spin_unlock_irqrestore(&xoff->lock, flags);
}

/**
 * rf_xoff_init - a port that has told nothing yet
 * @port: a new port
 *
 * Context: any.
 */
void rf_xoff_init(struct rf_port *port)
{
	struct rf_xoff *xoff = &port->xoff;

	spin_lock_init(&xoff->lock);
	hrtimer_setup(&xoff->timer, renew_due, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/* What is held, and what has not been taken back yet. */
static void final_xon(struct rf_xoff *xoff, struct rf_pfc_frame *pfc)
{
	u32 i;

	pfc->prios = xoff->xon_pending;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (wanted(xoff, i))
			pfc->prios |= BIT(i);
	xoff->closed = true;
}

/**
 * rf_xoff_end - let the neighbour send, and tell it no more
 * @port: a port whose qdisc sends nothing any more, so the driver is asked
 *
 * Context: RTNL held, may sleep.
 */
void rf_xoff_end(struct rf_port *port)
{
	struct rf_xoff *xoff = &port->xoff;
	struct rf_pfc_frame pfc = {};
	struct sk_buff *skb;

	spin_lock_irq(&xoff->lock);
	final_xon(xoff, &pfc);
	spin_unlock_irq(&xoff->lock);
	hrtimer_cancel(&xoff->timer);
	DEBUG_NET_WARN_ON_ONCE(hrtimer_active(&xoff->timer));
	if (!can_leave(port, &pfc))
		return;
	skb = frame(port, &pfc, GFP_KERNEL);
	if (skb)
		dev_direct_xmit(skb, 0);
}
