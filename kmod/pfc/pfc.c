// SPDX-License-Identifier: GPL-2.0
/*
 * Priority-based flow control of a port: the pauses of its priorities and the frames
 * that it sends to its neighbour (pause.c), its ingress buffer, its storms (storm.c) and
 * its watchdog (watchdog.c). One lock protects all of it, and one timer runs it:
 * pfc_run() advances everything, sends what is due, and starts the timer for the
 * earliest next event.
 *
 * Received frames are obeyed as a MAC obeys them (IEEE 802.3, annexes 31B and 31D):
 * XOFF pauses a priority for a number of quanta of 512 bit times at the rate of the
 * link, and replaces the pause before. Frames for priorities without PFC are ignored
 * (IEEE 802.1Q, clause 36).
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
#include <linux/slab.h>
#include <net/net_debug.h>

#include "../compat/hrtimer.h"
#include "pfc.h"

/* Advance everything, and start the timer for the next event. The lock is held. */
static void pfc_run(struct rf_pfc *pfc, u64 now)
{
	u64 next;

	lockdep_assert_held(&pfc->lock);
	if (pfc->closed)
		return;
	next = min(rf_storm_run(pfc, now), rf_watchdog_run(pfc, now));
	rf_pfc_end_pauses(pfc, now);
	next = min3(next, pfc->next_resume, rf_pfc_send_due(pfc, now));
	if (pfc->stormy)
		next = max(next, rf_storm_earliest(pfc, now));
	/* A timer that expires too early does no harm. */
	if (next != U64_MAX &&
	    (!hrtimer_is_queued(&pfc->timer) ||
	     ktime_to_ns(hrtimer_get_expires(&pfc->timer)) > next))
		hrtimer_start(&pfc->timer, ns_to_ktime(next), HRTIMER_MODE_ABS);
}

/* Received frames */

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
		pfc_run(pfc, now);
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
	rf_pfc_end_pauses(pfc, now);
	*next = pfc->next_resume;
	paused = pfc->paused & ~pfc->forward;
	spin_unlock_irqrestore(&pfc->lock, flags);
	return paused;
}

/*
 * A packet of a priority in XOFF has arrived. Packets that were under way when XOFF
 * was sent do not cause another XOFF. After half of the time for which XOFF holds at
 * the default rate of a link, a packet does.
 */
static void pfc_resend(struct rf_pfc *pfc, u32 prio, u64 now)
{
	struct rf_pfc_tx *tx = &pfc->tx;
	u32 quanta = rf_pfc_quanta(tx, prio);
	u64 min_interval = rf_pause_ns(quanta, RDMAFAULT_RATE_DEFAULT) / 2;

	if (!quanta || tx->last_sent[prio] + min_interval >= now)
		return;
	tx->due[prio] = 0;
	pfc_run(pfc, now);
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
	pfc_run(pfc, now);
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

static enum hrtimer_restart pfc_timer(struct hrtimer *timer)
{
	struct rf_pfc *pfc = container_of(timer, struct rf_pfc, timer);
	unsigned long flags;

	spin_lock_irqsave(&pfc->lock, flags);
	pfc_run(pfc, ktime_get_ns());
	spin_unlock_irqrestore(&pfc->lock, flags);
	return HRTIMER_NORESTART;
}

/* Storms */

/**
 * rf_pfc_start_storm - start storms
 * @pfc: the PFC of a port
 * @spec: the settings, validated. A present storm of one of the priorities ends
 *	first
 * @owner: netlink port id of the socket with which it ends, 0 for none
 *
 * Context: any.
 */
void rf_pfc_start_storm(struct rf_pfc *pfc, const struct rf_storm_spec *spec,
			u32 owner)
{
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&pfc->lock, flags);
	DEBUG_NET_WARN_ON_ONCE(pfc->closed);
	now = ktime_get_ns();
	rf_storm_begin(pfc, spec, owner, now);
	pfc_run(pfc, now);
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_pfc_stop_storm - end storms, with XON
 * @pfc: the PFC of a port
 * @prios: bit n for priority n
 *
 * Context: any.
 */
void rf_pfc_stop_storm(struct rf_pfc *pfc, u32 prios)
{
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&pfc->lock, flags);
	now = ktime_get_ns();
	rf_storm_end(pfc, prios, now);
	pfc_run(pfc, now);
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_pfc_forget_storms - end all storms and forget their settings
 * @pfc: the PFC of a port
 *
 * Context: any.
 */
void rf_pfc_forget_storms(struct rf_pfc *pfc)
{
	unsigned long flags;
	u64 now;
	u32 i;

	spin_lock_irqsave(&pfc->lock, flags);
	now = ktime_get_ns();
	rf_storm_end(pfc, U8_MAX, now);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc->storm[i].spec.prios = 0;
	pfc_run(pfc, now);
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_pfc_end_lease - end the storms of a socket that was closed
 * @pfc: the PFC of a port
 * @owner: netlink port id of the socket, not 0
 *
 * Context: any.
 */
void rf_pfc_end_lease(struct rf_pfc *pfc, u32 owner)
{
	u32 i, prios = 0;

	/* The owner of a storm changes under rf_ports_lock, which the caller holds. */
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (pfc->storm[i].owner == owner)
			prios |= BIT(i);
	if (prios)
		rf_pfc_stop_storm(pfc, prios);
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
	pfc_run(pfc, now);
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

	spin_lock_irq(&pfc->lock);
	prios = rf_pfc_stop_frames(pfc);
	rf_storm_end(pfc, U8_MAX, ktime_get_ns());
	spin_unlock_irq(&pfc->lock);
	hrtimer_cancel(&pfc->timer);
	DEBUG_NET_WARN_ON_ONCE(hrtimer_active(&pfc->timer));
	rf_pfc_send_final_xon(pfc, prios);
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
