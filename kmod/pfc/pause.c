// SPDX-License-Identifier: GPL-2.0
/*
 * The pauses of a port's priorities, and the frames that pause its neighbour.
 *
 * The port sends XOFF as long as it has a reason, and XON when the last reason is
 * gone. An XOFF expires by itself, so it is renewed after half of its time. That time
 * is computed from the rate of the port's link, because a link has the same rate at
 * both ends. If the ends are configured differently, the neighbour can send again too
 * early; a packet that arrives then causes another XOFF. If there is no memory for a
 * frame, XON or XOFF, or if the link is down, the port tries again soon: otherwise the
 * neighbour would send into a full buffer, or would wait until XOFF expires.
 *
 * The frames wait in the control band, which no pause stops. The qdisc takes them out
 * when it runs next, so no frame is sent from within enqueue or dequeue. On a slow
 * machine, the reason for a queued XOFF can be gone before it leaves; the XOFF is
 * removed from the frame then. If the band is full, the oldest frame is freed.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/pkt_sched.h>
#include <net/sch_generic.h>

#include "../trace.h"
#include "pfc.h"

/* Frames in the control band */
#define PFC_FRAMES_MAX	256
/* Time until the port tries again to send a frame for which there was no memory */
#define PFC_RETRY_NS	(100ULL * NSEC_PER_USEC)
/* Time until the port tries again to send a frame while its link is down */
#define PFC_DOWN_RETRY_NS	(10ULL * NSEC_PER_MSEC)

static_assert(RF_PAUSE_FRAME == 0 && RF_PAUSE_STORM == 1 &&
	      RF_PAUSE_SOURCES == 2, "the numbers in trace.h");

/**
 * rf_pfc_schedule - schedule the qdisc after a change that can let packets leave
 * @pfc: the PFC of a port
 *
 * Context: any, the lock held.
 */
void rf_pfc_schedule(struct rf_pfc *pfc)
{
	/* A hook that has received a frame can still run when the port is closed. */
	if (!pfc->closed)
		pfc->ops->schedule(pfc->port);
}

/* Pauses */

static void pfc_trace_resumed(const struct rf_pfc *pfc, u32 prio, u64 now)
{
	const struct rf_pause_fsm *fsm = &pfc->rx.fsm[prio];
	u64 end = min(rf_pause_fsm_end(fsm), now);

	trace_rf_pause(pfc->dev->ifindex, pfc->dev->name, prio,
		       RF_PAUSE_SOURCES, false, end, end - fsm->since);
}

/**
 * rf_pfc_end_pauses - end the pauses that are over
 * @pfc: the PFC of a port; its qdisc is scheduled if there is such a pause
 * @now: the time
 *
 * Context: any, the lock held.
 */
void rf_pfc_end_pauses(struct rf_pfc *pfc, u64 now)
{
	unsigned long paused = pfc->paused;
	u64 end, next = U64_MAX;
	u8 over = 0;
	u32 i;

	for_each_set_bit(i, &paused, RDMAFAULT_PRIOS) {
		end = rf_pause_fsm_end(&pfc->rx.fsm[i]);
		if (end > now) {
			next = min(next, end);
			continue;
		}
		over |= BIT(i);
		pfc_trace_resumed(pfc, i, now);
	}
	WRITE_ONCE(pfc->next_resume, next);
	if (!over)
		return;
	WRITE_ONCE(pfc->paused, pfc->paused & ~over);
	rf_pfc_schedule(pfc);
}

/**
 * rf_pfc_pause - pause a priority
 * @pfc: the PFC of a port
 * @prio: the priority
 * @source: cause of the pause; replaces the present pause of this cause
 * @now: the time
 * @ns: duration of the pause
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_pfc_pause(struct rf_pfc *pfc, u32 prio, enum rf_pause_source source,
		  u64 now, u64 ns)
{
	struct rf_pause_fsm *fsm = &pfc->rx.fsm[prio];
	bool was_paused = pfc->paused & BIT(prio);

	/* The pause before can be over without being noticed yet. */
	if (was_paused && rf_pause_fsm_end(fsm) <= now)
		pfc_trace_resumed(pfc, prio, now);
	if (rf_pause_fsm_xoff(fsm, source, now, ns))
		trace_rf_pause(pfc->dev->ifindex, pfc->dev->name, prio,
			       source, true, now + ns, ns);
	if (!pfc->paused || pfc->next_resume > rf_pause_fsm_end(fsm))
		WRITE_ONCE(pfc->next_resume, rf_pause_fsm_end(fsm));
	if (was_paused)
		return;
	WRITE_ONCE(pfc->paused, pfc->paused | BIT(prio));
	rf_pfc_schedule(pfc);
}

/**
 * rf_pfc_resume - end the pause of a priority
 * @pfc: the PFC of a port
 * @prio: the priority
 * @source: cause of the pause; a pause of another cause goes on
 * @now: the time
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_pfc_resume(struct rf_pfc *pfc, u32 prio, enum rf_pause_source source,
		   u64 now)
{
	if (rf_pause_fsm_xon(&pfc->rx.fsm[prio], source, now))
		rf_pfc_end_pauses(pfc, now);
}

/* Frames to the neighbour */

static struct sk_buff *pfc_alloc_frame(const struct rf_pfc *pfc,
				       const struct rf_pfc_frame *frame,
				       gfp_t gfp)
{
	struct net_device *dev = pfc->dev;
	struct sk_buff *skb;

	skb = __netdev_alloc_skb(dev, RF_PFC_FRAME_LEN, gfp);
	if (!skb)
		return NULL;
	rf_pfc_encode(skb_put(skb, RF_PFC_FRAME_LEN), dev->dev_addr, frame);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = htons(ETH_P_PAUSE);
	skb->priority = TC_PRIO_CONTROL;
	return skb;
}

/* A frame that cannot leave now would be out of date when it can. */
static bool pfc_is_up(const struct rf_pfc *pfc)
{
	return netif_running(pfc->dev) && netif_carrier_ok(pfc->dev);
}

static void pfc_count_sent(struct rf_pfc_tx *tx,
			   const struct rf_pfc_frame *frame)
{
	u32 i;

	tx->sent++;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(frame->prios & BIT(i)))
			continue;
		if (frame->quanta[i])
			tx->xoffs[i]++;
		else
			tx->xons[i]++;
	}
}

/*
 * Queue a frame in the control band. Return: 0, -ENOMEM, or -ENETDOWN if the link is
 * down, or if the core has not started the queues again since it was.
 */
static int pfc_send(struct rf_pfc *pfc, const struct rf_pfc_frame *frame,
		    u32 mark)
{
	struct sk_buff *skb;

	if (!pfc_is_up(pfc) || qdisc_tx_is_noop(pfc->dev))
		return -ENETDOWN;
	skb = pfc_alloc_frame(pfc, frame, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return -ENOMEM;
	pfc_count_sent(&pfc->tx, frame);
	skb->mark = mark;
	if (skb_queue_len(&pfc->frames) >= PFC_FRAMES_MAX)
		dev_kfree_skb_any(__skb_dequeue(&pfc->frames));
	__skb_queue_tail(&pfc->frames, skb);
	rf_pfc_schedule(pfc);
	return 0;
}

/**
 * rf_pfc_quanta - get the pause time of a priority's next XOFF
 * @tx: the pause frames that a port sends
 * @prio: the priority
 *
 * Context: any, the lock held.
 * Return: the longest time of all reasons in quanta, or 0 without a reason.
 */
u32 rf_pfc_quanta(const struct rf_pfc_tx *tx, u32 prio)
{
	u32 reason, quanta = 0;

	for (reason = 0; reason < RF_XOFF_REASONS; reason++)
		quanta = max(quanta, tx->quanta[reason][prio]);
	return quanta;
}

/**
 * rf_pfc_send_due - send the XOFFs and XONs that are due
 * @pfc: the PFC of a port. With fewer quanta than the minimum interval takes, XOFF has gaps
 * @now: the time
 *
 * Context: any, the lock held.
 * Return: when the next XOFF is due, U64_MAX for never.
 */
u64 rf_pfc_send_due(struct rf_pfc *pfc, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	struct rf_pfc_frame frame = {};
	u32 i, quanta, mark = 0;
	u64 next = U64_MAX, ns;
	int err;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		quanta = rf_pfc_quanta(tx, i);
		if (!quanta && !(tx->xon_pending & BIT(i)))
			continue;
		if (tx->due[i] > now) {
			next = min(next, tx->due[i]);
			continue;
		}
		frame.prios |= BIT(i);
		frame.quanta[i] = quanta;
		if (quanta)
			mark |= RF_XOFF_MARK_HELD(i);
		if (tx->quanta[RF_XOFF_STORM][i])
			mark |= RF_XOFF_MARK_STORM(i);
	}
	if (!frame.prios)
		return next;
	err = pfc_send(pfc, &frame, mark);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(frame.prios & BIT(i)))
			continue;
		if (err) {
			tx->due[i] = now + (err == -ENOMEM ? PFC_RETRY_NS :
							     PFC_DOWN_RETRY_NS);
		} else {
			ns = rf_pause_ns(frame.quanta[i], pfc->conf.rate) / 2;
			tx->due[i] = now + max(ns, RF_XOFF_MIN_INTERVAL);
			tx->last_sent[i] = now;
			tx->xon_pending &= ~BIT(i);
		}
		if (err || frame.quanta[i])
			next = min(next, tx->due[i]);
	}
	return next;
}

/**
 * rf_pfc_set_xoff - tell the neighbour to stop sending a priority
 * @pfc: the PFC of a port
 * @reason: the reason; replaces the present pause time of this reason
 * @prio: the priority
 * @quanta: pause time of each XOFF, 1 to 65535; the longest of all reasons is sent
 * @now: the time
 *
 * XOFF is sent at once, and again until the reason is cleared.
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_pfc_set_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		     u32 quanta, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;

	tx->quanta[reason][prio] = quanta;
	tx->due[prio] = 0;
	tx->xon_pending &= ~BIT(prio);
	if (!pfc->closed)
		rf_pfc_send_due(pfc, now);
}

/* Remove the XOFF of a priority from the frames in the control band. */
static void pfc_remove_xoff(struct rf_pfc *pfc, u32 prio)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	struct sk_buff *skb, *next;
	struct rf_pfc_frame frame;

	skb_queue_walk_safe(&pfc->frames, skb, next) {
		if (!(skb->mark & RF_XOFF_MARK_HELD(prio)) ||
		    !rf_pfc_decode(skb->data + ETH_HLEN, RF_PFC_BODY_LEN,
				   &frame))
			continue;
		skb->mark &= ~(RF_XOFF_MARK_HELD(prio) |
			       RF_XOFF_MARK_STORM(prio));
		frame.prios &= ~BIT(prio);
		frame.quanta[prio] = 0;
		/* The counters can have been reset since it was counted. */
		if (tx->xoffs[prio])
			tx->xoffs[prio]--;
		if (frame.prios) {
			rf_pfc_encode(skb->data, pfc->dev->dev_addr, &frame);
			continue;
		}
		if (tx->sent)
			tx->sent--;
		__skb_unlink(skb, &pfc->frames);
		dev_kfree_skb_any(skb);
	}
}

/**
 * rf_pfc_clear_xoff - clear a reason for XOFF
 * @pfc: the PFC of a port; XON is sent if it was the last reason
 * @reason: the reason
 * @prio: the priority
 * @now: the time
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_pfc_clear_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		       u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	u32 quanta = rf_pfc_quanta(tx, prio);

	tx->quanta[reason][prio] = 0;
	if (!quanta || rf_pfc_quanta(tx, prio) || pfc->closed)
		return;
	pfc_remove_xoff(pfc, prio);
	tx->xon_pending |= BIT(prio);
	tx->due[prio] = 0;
	rf_pfc_send_due(pfc, now);
}

/**
 * rf_pfc_send_once - send one frame
 * @pfc: the PFC of a port
 * @prios: bit n: the frame is for priority n
 * @quanta: pause time of all these priorities, 0 for XON
 *
 * This does not change the reasons for XOFF: an XOFF with a reason is sent again after
 * an XON.
 *
 * Context: process.
 * Return: 0, -ENETDOWN if the netdev cannot send now, or -ENOMEM.
 */
int rf_pfc_send_once(struct rf_pfc *pfc, u8 prios, u32 quanta)
{
	struct rf_pfc_frame frame = { .prios = prios };
	unsigned long flags;
	int err = -ENETDOWN;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		frame.quanta[i] = quanta;
	spin_lock_irqsave(&pfc->lock, flags);
	if (!pfc->closed)
		err = pfc_send(pfc, &frame, 0);
	spin_unlock_irqrestore(&pfc->lock, flags);
	return err;
}

/**
 * rf_pfc_dequeue - take a frame out of the control band
 * @pfc: the PFC of a port
 *
 * Context: softirq or BH off.
 * Return: the frame, which the caller sends, or NULL.
 */
struct sk_buff *rf_pfc_dequeue(struct rf_pfc *pfc)
{
	struct sk_buff *skb;
	unsigned long flags;

	if (!rf_pfc_has_frames(pfc))
		return NULL;
	spin_lock_irqsave(&pfc->lock, flags);
	skb = __skb_dequeue(&pfc->frames);
	spin_unlock_irqrestore(&pfc->lock, flags);
	return skb;
}

static void pfc_free_frames(struct rf_pfc *pfc)
{
	struct sk_buff *skb;

	while ((skb = __skb_dequeue(&pfc->frames)))
		dev_kfree_skb_any(skb);
}

/**
 * rf_pfc_purge - free the frames in the control band
 * @pfc: the PFC of a port
 *
 * Context: softirq or BH off.
 */
void rf_pfc_purge(struct rf_pfc *pfc)
{
	unsigned long flags;

	spin_lock_irqsave(&pfc->lock, flags);
	pfc_free_frames(pfc);
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_pfc_stop_frames - send no frames any more, and free those in the control band
 * @pfc: the PFC of a port
 *
 * Context: any, the lock held.
 * Return: bit n: priority n is in XOFF, or its XON has not been sent yet.
 */
u8 rf_pfc_stop_frames(struct rf_pfc *pfc)
{
	u8 prios = pfc->tx.xon_pending;
	u32 i;

	pfc->closed = true;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (rf_pfc_quanta(&pfc->tx, i))
			prios |= BIT(i);
	pfc_free_frames(pfc);
	return prios;
}

/**
 * rf_pfc_send_final_xon - let the neighbour send
 * @pfc: the PFC of a port, closed
 * @prios: the priorities, from rf_pfc_stop_frames()
 *
 * The qdisc sends nothing any more, so the driver gets the frame.
 *
 * Context: process, may sleep.
 */
void rf_pfc_send_final_xon(struct rf_pfc *pfc, u8 prios)
{
	struct rf_pfc_frame frame = { .prios = prios };
	struct sk_buff *skb;

	if (!prios || !pfc_is_up(pfc))
		return;
	skb = pfc_alloc_frame(pfc, &frame, GFP_KERNEL);
	if (skb)
		dev_direct_xmit(skb, 0);
}
