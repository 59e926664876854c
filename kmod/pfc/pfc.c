// SPDX-License-Identifier: GPL-2.0
/*
 * Priority-based flow control of a port: the pauses of its priorities, the frames
 * that it sends to its neighbour, and its ingress buffer. One lock protects all of it,
 * with the storms (storm.c) and the watchdog (watchdog.c), and one timer runs it:
 * rf_pfc_run() advances everything, sends what is due, and starts the timer for the
 * earliest next event.
 *
 * Received frames are obeyed as a MAC obeys them (IEEE 802.3, annexes 31B and 31D):
 * XOFF pauses a priority for a number of quanta of 512 bit times at the rate of the
 * link, and replaces the pause before. Frames for priorities without PFC are ignored
 * (IEEE 802.1Q, clause 36).
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
 *
 * A packet that arrived by this port and waits to leave by another port is charged to
 * the ingress buffer. The neighbour at this port has sent it, so this neighbour gets
 * XOFF. Its buffers fill in turn, back to the sender. Packets that this host makes
 * are charged to no buffer. A packet can wait for longer than the port exists, so
 * struct rf_pfc is freed with the last of its packets.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/pkt_sched.h>
#include <linux/slab.h>
#include <net/net_debug.h>
#include <net/sch_generic.h>

#include "../compat/hrtimer.h"
#include "../trace.h"
#include "frame.h"
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

/* Find the pauses that are over. */
static void pfc_expire_pauses(struct rf_pfc *pfc, u64 now)
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
 * Context: any, the lock held; the caller calls rf_pfc_run() then.
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
 * Context: any, the lock held; the caller calls rf_pfc_run() then.
 */
void rf_pfc_resume(struct rf_pfc *pfc, u32 prio, enum rf_pause_source source,
		   u64 now)
{
	if (rf_pause_fsm_xon(&pfc->rx.fsm[prio], source, now))
		pfc_expire_pauses(pfc, now);
}

static void pfc_obey(struct rf_pfc *pfc, const struct rf_pfc_frame *frame,
		     u64 now)
{
	struct rf_pfc_rx *rx = &pfc->rx;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(frame->prios & BIT(i)))
			continue;
		if (!(pfc->conf.buffer.lossless & BIT(i))) {
			rx->ignored[i] += frame->quanta[i] > 0;
		} else if (frame->quanta[i]) {
			rx->xoffs[i]++;
			rf_pfc_pause(pfc, i, RF_PAUSE_FRAME, now,
				     rf_pause_ns(frame->quanta[i],
						 pfc->conf.rate));
		} else {
			rx->xons[i]++;
			rf_pfc_resume(pfc, i, RF_PAUSE_FRAME, now);
		}
	}
}

static bool pfc_read_frame(const struct rf_pfc *pfc, const struct sk_buff *skb,
			   struct rf_pfc_frame *frame)
{
	const u8 *dest = eth_hdr(skb)->h_dest;
	int offset = skb_network_offset(skb);
	u8 copy[RF_PFC_BODY_LEN];
	const u8 *body;
	u32 len;

	/* To the group, or to the port itself (31B.1) */
	if (!ether_addr_equal(dest, rf_pfc_group) &&
	    !ether_addr_equal(dest, pfc->dev->dev_addr))
		return false;
	len = min_t(u32, skb->len - offset, sizeof(copy));
	body = skb_header_pointer(skb, offset, len, copy);
	return body && rf_pfc_decode(body, len, frame);
}

/**
 * rf_pfc_receive - obey a MAC control frame that has arrived
 * @pfc: the PFC of the port
 * @skb: a packet with EtherType 0x8808, its VLAN tag beside the data
 *
 * Context: softirq or BH off.
 * Return: true if it is MAC control. The caller frees it, as a MAC does. False if it
 * has a VLAN tag.
 */
bool rf_pfc_receive(struct rf_pfc *pfc, const struct sk_buff *skb)
{
	struct rf_pfc_frame frame;
	unsigned long flags;
	bool valid;
	u64 now;

	if (skb_vlan_tag_present(skb))
		return false;
	valid = pfc_read_frame(pfc, skb, &frame);
	spin_lock_irqsave(&pfc->lock, flags);
	pfc->rx.received++;
	if (valid) {
		now = ktime_get_ns();
		pfc->rx.reserved += frame.reserved;
		pfc_obey(pfc, &frame, now);
		rf_pfc_run(pfc, now);
	} else {
		pfc->rx.malformed++;
	}
	spin_unlock_irqrestore(&pfc->lock, flags);
	return true;
}

/**
 * rf_pfc_expire - find the pauses that are over
 * @pfc: the PFC of a port
 * @now: the time
 * @next: set to a time before which no other pause ends by itself
 *
 * Context: softirq or BH off; the lock of the qdisc can be held.
 * Return: as rf_pfc_paused().
 */
u8 rf_pfc_expire(struct rf_pfc *pfc, u64 now, u64 *next)
{
	unsigned long flags;
	u8 paused;

	spin_lock_irqsave(&pfc->lock, flags);
	pfc_expire_pauses(pfc, now);
	*next = pfc->next_resume;
	paused = pfc->paused & ~pfc->forward;
	spin_unlock_irqrestore(&pfc->lock, flags);
	return paused;
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

/* The longest pause time of all reasons, or 0 without a reason */
static u32 pfc_quanta(const struct rf_pfc_tx *tx, u32 prio)
{
	u32 reason, quanta = 0;

	for (reason = 0; reason < RF_XOFF_REASONS; reason++)
		quanta = max(quanta, tx->quanta[reason][prio]);
	return quanta;
}

/*
 * Send what is due. Returns when the next XOFF is due. With fewer quanta than the
 * minimum interval takes, XOFF has gaps.
 */
static u64 pfc_send_due(struct rf_pfc *pfc, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	struct rf_pfc_frame frame = {};
	u32 i, quanta, mark = 0;
	u64 next = U64_MAX, ns;
	int err;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		quanta = pfc_quanta(tx, i);
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
 * Context: any, the lock held; the caller calls rf_pfc_run() then.
 */
void rf_pfc_set_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		     u32 quanta, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;

	tx->quanta[reason][prio] = quanta;
	tx->due[prio] = 0;
	tx->xon_pending &= ~BIT(prio);
	if (!pfc->closed)
		pfc_send_due(pfc, now);
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
 * Context: any, the lock held; the caller calls rf_pfc_run() then.
 */
void rf_pfc_clear_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		       u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	u32 quanta = pfc_quanta(tx, prio);

	tx->quanta[reason][prio] = 0;
	if (!quanta || pfc_quanta(tx, prio) || pfc->closed)
		return;
	pfc_remove_xoff(pfc, prio);
	tx->xon_pending |= BIT(prio);
	tx->due[prio] = 0;
	pfc_send_due(pfc, now);
}

/*
 * A packet of a priority in XOFF has arrived. Packets that were under way when XOFF
 * was sent do not cause another XOFF. After half of the time for which XOFF holds at
 * the default rate of a link, a packet does.
 */
static void pfc_resend(struct rf_pfc *pfc, u32 prio, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	u32 quanta = pfc_quanta(tx, prio);
	u64 min_interval = rf_pause_ns(quanta, RDMAFAULT_RATE_DEFAULT) / 2;

	if (!quanta || tx->last_sent[prio] + min_interval >= now)
		return;
	tx->due[prio] = 0;
	rf_pfc_run(pfc, now);
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

/* Ingress buffer */

/* The use or the configuration of the buffer has changed: send XOFF or XON if due. */
static void pfc_update_buffer(struct rf_pfc *pfc, u32 prio)
{
	enum rf_buffer_change change;
	u64 now;

	change = rf_buffer_update_pfc_state(&pfc->buffer, &pfc->conf.buffer,
					    prio);
	if (change == RF_BUFFER_NO_CHANGE)
		return;
	now = ktime_get_ns();
	if (change == RF_BUFFER_XOFF)
		rf_pfc_set_xoff(pfc, RF_XOFF_BUFFER, prio,
				RDMAFAULT_QUANTA_MAX, now);
	else
		rf_pfc_clear_xoff(pfc, RF_XOFF_BUFFER, prio, now);
	rf_pfc_run(pfc, now);
}

/**
 * rf_pfc_charge - charge a packet to the ingress buffer
 * @pfc: the PFC of the port by which the packet arrived
 * @prio: priority of the packet at that port
 * @bytes: length of the packet
 * @account: gets the account that the packet is charged to, NULL if to none
 *
 * Context: softirq or BH off; the lock of any qdisc can be held.
 * Return: false if there is no room.
 */
bool rf_pfc_charge(struct rf_pfc *pfc, u32 prio, u32 bytes,
		   struct rf_account **account)
{
	bool in_xoff, room = true;
	unsigned long flags;

	spin_lock_irqsave(&pfc->lock, flags);
	if (pfc->closed)
		goto unlock;
	in_xoff = pfc->buffer.xoff & BIT(prio);
	room = rf_buffer_add(&pfc->buffer, &pfc->conf.buffer, prio, bytes);
	if (room) {
		pfc->users++;
		*account = &pfc->account[prio];
	}
	if (in_xoff)
		pfc_resend(pfc, prio, ktime_get_ns());
	else
		pfc_update_buffer(pfc, prio);
unlock:
	spin_unlock_irqrestore(&pfc->lock, flags);
	return room;
}

/**
 * rf_pfc_uncharge - a packet leaves the ingress buffer
 * @account: the account from rf_pfc_charge(), not NULL
 * @bytes: length of the packet, as in rf_pfc_charge()
 *
 * Context: softirq or process; the lock of any qdisc can be held.
 */
void rf_pfc_uncharge(struct rf_account *account, u32 bytes)
{
	struct rf_pfc *pfc = account->pfc;
	unsigned long flags, prios;
	bool last;
	u32 i;

	spin_lock_irqsave(&pfc->lock, flags);
	DEBUG_NET_WARN_ON_ONCE(pfc->buffer.used < bytes);
	rf_buffer_remove(&pfc->buffer, account->prio, bytes);
	last = !--pfc->users;
	if (!pfc->closed) {
		/* The headroom of another priority can move to the freed bytes. */
		prios = pfc->buffer.xoff | BIT(account->prio);
		for_each_set_bit(i, &prios, RDMAFAULT_PRIOS)
			pfc_update_buffer(pfc, i);
	}
	spin_unlock_irqrestore(&pfc->lock, flags);
	if (last)
		kfree_rcu(pfc, rcu);
}

/* Timer */

/**
 * rf_pfc_run - advance everything, and start the timer for the next event
 * @pfc: the PFC of a port
 * @now: the time
 *
 * Context: any, the lock held.
 */
void rf_pfc_run(struct rf_pfc *pfc, u64 now)
{
	u64 next;

	lockdep_assert_held(&pfc->lock);
	if (pfc->closed)
		return;
	next = min(rf_storm_run(pfc, now), rf_watchdog_run(pfc, now));
	pfc_expire_pauses(pfc, now);
	next = min3(next, pfc->next_resume, pfc_send_due(pfc, now));
	if (pfc->stormy)
		next = max(next, rf_storm_earliest(pfc, now));
	/* A timer that expires too early does no harm. */
	if (next != U64_MAX &&
	    (!hrtimer_is_queued(&pfc->timer) ||
	     ktime_to_ns(hrtimer_get_expires(&pfc->timer)) > next))
		hrtimer_start(&pfc->timer, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

static enum hrtimer_restart pfc_timer(struct hrtimer *timer)
{
	struct rf_pfc *pfc = container_of(timer, struct rf_pfc, timer);
	unsigned long flags;

	spin_lock_irqsave(&pfc->lock, flags);
	rf_pfc_run(pfc, ktime_get_ns());
	spin_unlock_irqrestore(&pfc->lock, flags);
	return HRTIMER_NORESTART;
}

/* Configuration and counters */

/**
 * rf_pfc_configure - use a new configuration
 * @pfc: the PFC of a port. Pauses by frames end for priorities that have no PFC any
 *	more
 * @conf: the configuration, which is copied
 *
 * Context: process.
 */
void rf_pfc_configure(struct rf_pfc *pfc, const struct rf_pfc_conf *conf)
{
	u64 old_poll, now;
	u32 i;

	spin_lock_irq(&pfc->lock);
	now = ktime_get_ns();
	old_poll = pfc->conf.watchdog.poll;
	pfc->conf = *conf;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (!(conf->buffer.lossless & BIT(i)))
			rf_pfc_resume(pfc, i, RF_PAUSE_FRAME, now);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc_update_buffer(pfc, i);
	now = ktime_get_ns();
	rf_watchdog_reconfigure(pfc, old_poll, now);
	rf_pfc_run(pfc, now);
	spin_unlock_irq(&pfc->lock);
}

/**
 * rf_pfc_read - read the counters of a port
 * @pfc: the PFC of the port
 *
 * Context: process.
 * Return: the counters.
 */
struct rf_pfc_info rf_pfc_read(struct rf_pfc *pfc)
{
	struct rf_pfc_info info;

	spin_lock_irq(&pfc->lock);
	info = (struct rf_pfc_info){
		.received = pfc->rx.received,
		.malformed = pfc->rx.malformed,
		.reserved = pfc->rx.reserved,
		.sent = pfc->tx.sent,
		.buffer_used = pfc->buffer.used,
		.buffer_peak = pfc->buffer.peak,
	};
	spin_unlock_irq(&pfc->lock);
	return info;
}

/**
 * rf_pfc_read_prio - read the state and the counters of a priority
 * @pfc: the PFC of the port
 * @prio: the priority
 * @stats: the members after ecn_queue are set
 *
 * Context: any.
 */
void rf_pfc_read_prio(struct rf_pfc *pfc, u32 prio, struct rf_prio_stats *stats)
{
	const struct rf_buffer_prio *buffer = &pfc->buffer.prio[prio];
	const struct rf_pause_fsm *fsm = &pfc->rx.fsm[prio];
	unsigned long flags;
	u64 now, end;

	spin_lock_irqsave(&pfc->lock, flags);
	now = ktime_get_ns();
	end = rf_pause_fsm_end(fsm);
	stats->paused = end > now;
	stats->pause_left = end > now ? end - now : 0;
	stats->paused_total = rf_pause_fsm_total(fsm, now);
	stats->pauses = fsm->pauses;
	stats->xoff_rx = pfc->rx.xoffs[prio];
	stats->xon_rx = pfc->rx.xons[prio];
	stats->xoff_ignored = pfc->rx.ignored[prio];
	stats->xoff_tx = pfc->tx.xoffs[prio];
	stats->xon_tx = pfc->tx.xons[prio];
	stats->buffer_used = buffer->shared + buffer->headroom;
	stats->buffer_peak = buffer->peak;
	rf_watchdog_read(pfc, prio, stats);
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_pfc_reset_stats - set the counters to 0, and the peaks to the present use
 * @pfc: the PFC of a port
 *
 * Context: process.
 */
void rf_pfc_reset_stats(struct rf_pfc *pfc)
{
	struct rf_pfc_rx *rx = &pfc->rx;
	struct rf_pfc_tx *tx = &pfc->tx;
	u64 now;
	u32 i;

	spin_lock_irq(&pfc->lock);
	now = ktime_get_ns();
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		rf_pause_fsm_reset_stats(&rx->fsm[i], now);
	memset(rx->xoffs, 0, sizeof(rx->xoffs));
	memset(rx->xons, 0, sizeof(rx->xons));
	memset(rx->ignored, 0, sizeof(rx->ignored));
	rx->received = 0;
	rx->malformed = 0;
	rx->reserved = 0;
	memset(tx->xoffs, 0, sizeof(tx->xoffs));
	memset(tx->xons, 0, sizeof(tx->xons));
	tx->sent = 0;
	rf_watchdog_reset_stats(pfc);
	rf_buffer_reset_peaks(&pfc->buffer);
	spin_unlock_irq(&pfc->lock);
}

/* Life cycle */

/**
 * rf_pfc_create - make the PFC of a new port
 * @dev: netdev of the port, which exists until rf_pfc_close()
 * @ops: functions of the port
 * @port: argument of @ops
 *
 * The caller configures it with rf_pfc_configure().
 *
 * Context: process.
 * Return: the PFC, or NULL without memory; rf_pfc_put() frees it.
 */
struct rf_pfc *rf_pfc_create(struct net_device *dev,
			     const struct rf_pfc_ops *ops, void *port)
{
	struct rf_pfc *pfc;
	u32 i;

	pfc = kzalloc(sizeof(*pfc), GFP_KERNEL_ACCOUNT);
	if (!pfc)
		return NULL;
	spin_lock_init(&pfc->lock);
	__skb_queue_head_init(&pfc->frames);
	hrtimer_setup(&pfc->timer, pfc_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
	pfc->dev = dev;
	pfc->ops = ops;
	pfc->port = port;
	pfc->users = 1;
	pfc->watchdog.next = U64_MAX;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc->account[i] = (struct rf_account){ pfc, i };
	return pfc;
}

/*
 * Let the neighbour send: XON for all priorities in XOFF, and for those whose XON has
 * not been sent yet. The qdisc sends nothing any more, so the driver gets the frame.
 */
static void pfc_send_final_xon(struct rf_pfc *pfc, u8 prios)
{
	struct rf_pfc_frame frame = { .prios = prios };
	struct sk_buff *skb;

	if (!prios || !pfc_is_up(pfc))
		return;
	skb = pfc_alloc_frame(pfc, &frame, GFP_KERNEL);
	if (skb)
		dev_direct_xmit(skb, 0);
}

/**
 * rf_pfc_close - end all storms and pauses, send XON, and stop
 * @pfc: the PFC of a port that no request can find any more. The hook can still
 *	process a received frame, and packets can be charged to the buffer
 *
 * Context: RTNL held, may sleep.
 */
void rf_pfc_close(struct rf_pfc *pfc)
{
	u8 prios;
	u32 i;

	spin_lock_irq(&pfc->lock);
	pfc->closed = true;
	prios = pfc->tx.xon_pending;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (pfc_quanta(&pfc->tx, i))
			prios |= BIT(i);
	rf_storm_end(pfc, U8_MAX, ktime_get_ns());
	pfc_free_frames(pfc);
	spin_unlock_irq(&pfc->lock);
	hrtimer_cancel(&pfc->timer);
	DEBUG_NET_WARN_ON_ONCE(hrtimer_active(&pfc->timer));
	pfc_send_final_xon(pfc, prios);
}

/**
 * rf_pfc_put - drop the reference of the port
 * @pfc: the PFC, closed or never used; freed when no packet is charged to it
 *
 * Context: any.
 */
void rf_pfc_put(struct rf_pfc *pfc)
{
	unsigned long flags;
	bool last;

	spin_lock_irqsave(&pfc->lock, flags);
	pfc->closed = true;
	last = !--pfc->users;
	spin_unlock_irqrestore(&pfc->lock, flags);
	if (last)
		kfree_rcu(pfc, rcu);
}
