// SPDX-License-Identifier: GPL-2.0
/*
 * Storms: priorities held by XOFF without a gap. Either the port's own gate is
 * paused as if the neighbour had sent the frames, or real frames go out, so that
 * the neighbour stops.
 *
 * No frame's timer binds the gate: one XOFF pauses it to the end of its turn. If it
 * is asked to be paused in quanta, a timer renews them at half of the time that they
 * hold. It can be late by that much before there is a gap, so it expires in hard
 * interrupts: softirqs can be busy for longer.
 * Frames are renewed in the same way by the sender of XOFF; for the coverage they
 * count from when they leave the port.
 *
 * Each priority has a storm of its own, also if one request began several. It
 * ends with XON.
 */
#include <linux/if_ether.h>
#include <linux/skbuff.h>
#include <net/net_debug.h>

#include "../compat/hrtimer.h"
#include "frame.h"
#include "../port.h"
#include "storm.h"

static bool by_frames(const struct rf_storm *storm)
{
	return storm->spec.flags & RDMAFAULT_STORM_FLAG_FRAMES;
}

/* How long an XOFF of the gate holds. */
static u64 gate_ns(const struct rf_port *port, const struct rf_storm *storm,
		   u64 now)
{
	u64 rate = rf_conf_pause_rate(rf_port_conf(port));

	if (storm->spec.quanta)
		return rf_pause_ns(storm->spec.quanta, rate);
	return min_t(u64, rf_storm_fsm_next(&storm->fsm) - now,
		     RDMAFAULT_TIME_MAX);
}

/* Renew the gate's XOFF if it is time. */
static void hold_gate(struct rf_port *port, u32 prio, u64 now)
{
	struct rf_storm *storm = &port->storms.storm[prio];
	u64 ns;

	if (storm->held && now < storm->refresh)
		return;
	ns = gate_ns(port, storm, now);
	now = rf_pause_xoff(port, prio, ns);
	rf_storm_fsm_xoff(&storm->fsm, now, ns);
	storm->refresh = now + max(ns / 2, RF_XOFF_MIN_INTERVAL);
}

static void let_go_gate(struct rf_port *port, u32 prio)
{
	struct rf_storm *storm = &port->storms.storm[prio];

	rf_storm_fsm_xon(&storm->fsm, rf_pause_xon(port, prio));
}

/* The sender of XOFF renews it by itself. */
static void set_frames(struct rf_port *port, u32 prio, bool on)
{
	struct rf_storm *storm = &port->storms.storm[prio];

	if (on && !storm->held)
		rf_xoff_hold(port, RF_XOFF_STORM, prio, storm->spec.quanta);
	if (!on && storm->held)
		rf_xoff_release(port, RF_XOFF_STORM, prio);
}

/* Make it so that XOFF holds if it is to hold now, and doesn't if not. */
static void set_hold(struct rf_port *port, u32 prio, u64 now)
{
	struct rf_storm *storm = &port->storms.storm[prio];
	bool on = storm->fsm.running && storm->fsm.on;

	if (by_frames(storm))
		set_frames(port, prio, on);
	else if (on)
		hold_gate(port, prio, now);
	else if (storm->held)
		let_go_gate(port, prio);
	storm->held = on;
}

/* When a storm needs us again. An XOFF that outlasts its turn isn't renewed. */
static u64 due(const struct rf_storm *storm)
{
	u64 next = rf_storm_fsm_next(&storm->fsm);

	if (!storm->held || by_frames(storm) || storm->fsm.until >= next)
		return next;
	return min(next, storm->refresh);
}

static void wake_at(struct rf_storms *storms, u64 ns)
{
	if (storms->closed || ns == U64_MAX)
		return;
	hrtimer_start(&storms->timer, ns_to_ktime(ns), HRTIMER_MODE_ABS);
}

/*
 * What is due, of all priorities. Whatever was asked for, the machine has some
 * time to itself before the next call.
 */
static void serve(struct rf_port *port)
{
	struct rf_storms *storms = &port->storms;
	u64 now = ktime_get_ns();
	u64 next = U64_MAX;
	u32 i;

	lockdep_assert_held(&storms->lock);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		struct rf_storm *storm = &storms->storm[i];

		rf_storm_fsm_advance(&storm->fsm, now);
		set_hold(port, i, now);
		DEBUG_NET_WARN_ON_ONCE(storm->fsm.coverage.covered >
				       storm->fsm.coverage.requested);
		next = min(next, due(storm));
	}
	if (next != U64_MAX)
		next = max(next, ktime_get_ns() + RF_XOFF_MIN_INTERVAL / 4);
	wake_at(storms, next);
}

static enum hrtimer_restart something_due(struct hrtimer *timer)
{
	struct rf_port *port = container_of(timer, struct rf_port, storms.timer);

	spin_lock(&port->storms.lock);
	serve(port);
	spin_unlock(&port->storms.lock);
	return HRTIMER_NORESTART;
}

static void stop(struct rf_port *port, u32 prio)
{
	u64 now = ktime_get_ns();

	rf_storm_fsm_advance(&port->storms.storm[prio].fsm, now);
	rf_storm_fsm_stop(&port->storms.storm[prio].fsm, now);
	set_hold(port, prio, now);
}

static void start(struct rf_port *port, u32 prio,
		  const struct rf_storm_spec *spec, u32 owner)
{
	struct rf_storm *storm = &port->storms.storm[prio];

	stop(port, prio);
	storm->spec = *spec;
	storm->spec.prios = BIT(prio);
	storm->owner = owner;
	rf_storm_fsm_begin(&storm->fsm, spec, ktime_get_ns());
	if (by_frames(storm))
		port->storms.framed |= BIT(prio);
	else
		port->storms.framed &= ~BIT(prio);
}

/**
 * rf_storm_start - hold priorities by XOFF
 * @port: the port
 * @spec: how; validated. A storm that one of them is in ends first
 * @owner: netlink port id of the socket that it ends with, 0 for none
 *
 * Context: any.
 */
void rf_storm_start(struct rf_port *port, const struct rf_storm_spec *spec,
		    u32 owner)
{
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&port->storms.lock, flags);
	DEBUG_NET_WARN_ON_ONCE(port->storms.closed);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (spec->prios & BIT(i))
			start(port, i, spec, owner);
	serve(port);
	spin_unlock_irqrestore(&port->storms.lock, flags);
}

/**
 * rf_storm_stop - end storms, with XON
 * @port: the port
 * @prios: bit n for priority n
 *
 * Context: any.
 */
void rf_storm_stop(struct rf_port *port, u32 prios)
{
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&port->storms.lock, flags);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios & BIT(i))
			stop(port, i);
	spin_unlock_irqrestore(&port->storms.lock, flags);
}

/**
 * rf_storm_forget - end all storms, and tell of none
 * @port: the port
 *
 * Context: any.
 */
void rf_storm_forget(struct rf_port *port)
{
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&port->storms.lock, flags);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		stop(port, i);
		port->storms.storm[i].spec.prios = 0;
	}
	spin_unlock_irqrestore(&port->storms.lock, flags);
}

/**
 * rf_storm_end_lease - a socket is gone, and its storms with it
 * @port: the port
 * @owner: its netlink port id, not 0
 *
 * Context: any.
 */
void rf_storm_end_lease(struct rf_port *port, u32 owner)
{
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&port->storms.lock, flags);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (port->storms.storm[i].owner == owner)
			stop(port, i);
	spin_unlock_irqrestore(&port->storms.lock, flags);
}

/* Frames count for a storm as long as it lasts, and its own behind its end. */
static void note(struct rf_port *port, const struct rf_pfc_frame *pfc, u32 mark)
{
	struct rf_storms *storms = &port->storms;
	u64 rate = rf_conf_pause_rate(rf_port_conf(port));
	u64 now = ktime_get_ns();
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		struct rf_storm *storm = &storms->storm[i];

		if (!(pfc->prios & storms->framed & BIT(i)))
			continue;
		if (!pfc->quanta[i])
			rf_storm_fsm_xon(&storm->fsm, now);
		else if (storm->fsm.running || mark & RF_XOFF_MARK_STORM(i))
			rf_storm_fsm_xoff(&storm->fsm, now,
					  rf_pause_ns(pfc->quanta[i], rate));
	}
}

/**
 * rf_storm_sent - a control frame leaves the port
 * @port: the port
 * @skb: the frame; what it says of a storm by frames is noted
 * @mark: RF_XOFF_MARK_* of one of the port's own, 0 of others
 *
 * Context: softirq or BH off, with the lock of the qdisc or without.
 */
void rf_storm_sent(struct rf_port *port, const struct sk_buff *skb, u32 mark)
{
	struct rf_storms *storms = &port->storms;
	unsigned long flags;
	struct rf_pfc_frame pfc;

	if (!READ_ONCE(storms->framed) || skb->protocol != htons(ETH_P_PAUSE) ||
	    skb_headlen(skb) < RF_PFC_FRAME_LEN ||
	    !rf_pfc_decode(skb->data + ETH_HLEN, RF_PFC_BODY_LEN, &pfc))
		return;
	spin_lock_irqsave(&storms->lock, flags);
	note(port, &pfc, mark);
	spin_unlock_irqrestore(&storms->lock, flags);
}

/* All but the two histograms. */
static void tell(const struct rf_storm *storm, struct rf_storm_info *info)
{
	const struct rf_storm_coverage *coverage = &storm->fsm.coverage;

	*info = (struct rf_storm_info){
		.spec = storm->spec,
		.running = storm->fsm.running,
		.owner = storm->owner,
		.requested = coverage->requested,
		.covered = coverage->covered,
		.xoffs = coverage->xoffs,
		.lapses = coverage->lapses,
		.interval_max = coverage->interval_max,
	};
}

/**
 * rf_storm_read - what there is to say of a priority's storm
 * @port: the port
 * @prio: the priority
 * @info: filled in; no priorities in its spec if there never was a storm
 *
 * Context: any.
 */
void rf_storm_read(struct rf_port *port, u32 prio, struct rf_storm_info *info)
{
	struct rf_storm *storm = &port->storms.storm[prio];
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&port->storms.lock, flags);
	now = ktime_get_ns();
	rf_storm_fsm_advance(&storm->fsm, now);
	tell(storm, info);
	memcpy(info->interval, storm->fsm.coverage.interval, sizeof(info->interval));
	memcpy(info->gap, storm->fsm.coverage.gap, sizeof(info->gap));
	if (info->running && storm->fsm.end != U64_MAX)
		info->left = storm->fsm.end - now;
	spin_unlock_irqrestore(&port->storms.lock, flags);
}

/**
 * rf_storm_init - no storm
 * @port: a new port
 *
 * Context: any.
 */
void rf_storm_init(struct rf_port *port)
{
	struct rf_storms *storms = &port->storms;

	spin_lock_init(&storms->lock);
	hrtimer_setup(&storms->timer, something_due, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/**
 * rf_storm_end - end all storms, for good
 * @port: a port that nobody can find any more
 *
 * Context: process.
 */
void rf_storm_end(struct rf_port *port)
{
	rf_storm_stop(port, U8_MAX);
	spin_lock_irq(&port->storms.lock);
	port->storms.closed = true;
	spin_unlock_irq(&port->storms.lock);
	hrtimer_cancel(&port->storms.timer);
	DEBUG_NET_WARN_ON_ONCE(hrtimer_active(&port->storms.timer));
}
