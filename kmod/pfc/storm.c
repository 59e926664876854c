// SPDX-License-Identifier: GPL-2.0
/*
 * Storms: XOFF for a priority, renewed without a gap. A storm by frames sends XOFF to
 * the neighbour, and the neighbour stops. Any other storm pauses the priority of this
 * port (its gate), as if the neighbour had sent XOFF.
 *
 * One XOFF can pause the gate until the end of a phase, so no timer has to be on
 * time. If the storm has quanta, each XOFF lasts that long and is renewed after half
 * of the time, so there is no gap unless the timer is late by the other half. It
 * expires in hard interrupts, because softirqs can be busy for longer than that. XOFF
 * frames are renewed in the same way. They count for the coverage when they leave the
 * port.
 *
 * Each priority has a separate storm, also if one request has started several. A
 * storm ends with XON.
 *
 * The timers of all ports with storms share a budget, because storms can ask for so
 * many XOFFs that the machine has time for nothing else. Together they run as often as
 * one port renews XOFF at most, and use at most an eighth of a CPU, because sending and
 * receiving a frame takes several times as long as the timer. The ports take turns. A
 * storm that is renewed rarely is not delayed.
 */
#include <linux/if_ether.h>
#include <linux/skbuff.h>
#include <net/net_debug.h>

#include "pfc.h"

/* The time up to which the budget is used */
static atomic64_t storm_budget;

static bool storm_by_frames(const struct rf_storm *storm)
{
	return storm->spec.flags & RDMAFAULT_STORM_FLAG_FRAMES;
}

/* Pause the gate if the next XOFF is due. */
static void storm_pause_gate(struct rf_pfc *pfc, u32 prio, u64 now)
{
	struct rf_storm *storm = &pfc->storm[prio];
	u64 ns;

	if (storm->on && now < storm->refresh)
		return;
	if (storm->spec.quanta)
		ns = rf_pause_ns(storm->spec.quanta, pfc->conf.rate);
	else
		ns = min_t(u64, rf_storm_fsm_next(&storm->fsm) - now,
			   RDMAFAULT_TIME_MAX);
	rf_pfc_pause(pfc, prio, RF_PAUSE_STORM, now, ns);
	rf_storm_fsm_xoff(&storm->fsm, now, ns);
	storm->refresh = now + max(ns / 2, RF_XOFF_MIN_INTERVAL);
}

static void storm_resume_gate(struct rf_pfc *pfc, u32 prio, u64 now)
{
	rf_storm_fsm_xon(&pfc->storm[prio].fsm, now);
	rf_pfc_resume(pfc, prio, RF_PAUSE_STORM, now);
}

/* Send XOFF or XON, pause or resume the gate, as the state machine says. */
static void storm_apply(struct rf_pfc *pfc, u32 prio, u64 now)
{
	struct rf_storm *storm = &pfc->storm[prio];
	bool on = storm->fsm.running && storm->fsm.on;

	if (!storm_by_frames(storm)) {
		if (on)
			storm_pause_gate(pfc, prio, now);
		else if (storm->on)
			storm_resume_gate(pfc, prio, now);
	} else if (on && !storm->on) {
		rf_pfc_set_xoff(pfc, RF_XOFF_STORM, prio, storm->spec.quanta,
				now);
	} else if (!on && storm->on) {
		rf_pfc_clear_xoff(pfc, RF_XOFF_STORM, prio, now);
	}
	storm->on = on;
}

/* An XOFF that lasts longer than its phase is not renewed. */
static u64 storm_next(const struct rf_storm *storm)
{
	u64 next = rf_storm_fsm_next(&storm->fsm);

	if (!storm->on || storm_by_frames(storm) || storm->fsm.until >= next)
		return next;
	return min(next, storm->refresh);
}

/**
 * rf_storm_run - advance all storms
 * @pfc: the PFC of a port
 * @now: the time
 *
 * Context: any, the lock held.
 * Return: when to call it next, U64_MAX for never.
 */
u64 rf_storm_run(struct rf_pfc *pfc, u64 now)
{
	struct rf_storm *storm = pfc->storm;
	u64 next = U64_MAX;
	u32 i;

	pfc->stormy = false;
	for (i = 0; i < RDMAFAULT_PRIOS; i++, storm++) {
		if (!storm->fsm.running && !storm->on)
			continue;
		rf_storm_fsm_advance(&storm->fsm, now);
		storm_apply(pfc, i, now);
		DEBUG_NET_WARN_ON_ONCE(storm->fsm.coverage.covered >
				       storm->fsm.coverage.requested);
		next = min(next, storm_next(storm));
		pfc->stormy |= storm->on || storm->fsm.running;
	}
	return next;
}

/**
 * rf_storm_earliest - take a run of the timer from the budget of all storms
 * @pfc: the PFC of a port with a storm
 * @now: when the run began
 *
 * Context: any, the lock held.
 * Return: the earliest time of the next run
 */
u64 rf_storm_earliest(struct rf_pfc *pfc, u64 now)
{
	s64 old = atomic64_read(&storm_budget);
	u64 cost;

	/* Also called when a frame is received or a packet charged, before the timer is due */
	if (now < pfc->earliest)
		return pfc->earliest;
	/* A virtual machine can have stood still during the run. */
	cost = clamp(8 * (ktime_get_ns() - now), RF_XOFF_MIN_INTERVAL,
		     10 * RF_XOFF_MIN_INTERVAL);
	do {
		pfc->earliest = max_t(u64, old, now) + cost;
	} while (!atomic64_try_cmpxchg(&storm_budget, &old, pfc->earliest));
	return pfc->earliest;
}

static void storm_stop(struct rf_pfc *pfc, u32 prio, u64 now)
{
	rf_storm_fsm_advance(&pfc->storm[prio].fsm, now);
	rf_storm_fsm_stop(&pfc->storm[prio].fsm, now);
	storm_apply(pfc, prio, now);
}

/**
 * rf_storm_end - end storms
 * @pfc: the PFC of a port
 * @prios: bit n for priority n
 * @now: the time
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_storm_end(struct rf_pfc *pfc, u32 prios, u64 now)
{
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios & BIT(i))
			storm_stop(pfc, i, now);
}

static void storm_begin(struct rf_pfc *pfc, u32 prio,
			const struct rf_storm_spec *spec, u32 owner, u64 now)
{
	struct rf_storm *storm = &pfc->storm[prio];

	storm_stop(pfc, prio, now);
	storm->spec = *spec;
	storm->spec.prios = BIT(prio);
	storm->owner = owner;
	rf_storm_fsm_begin(&storm->fsm, spec, now);
	if (storm_by_frames(storm))
		pfc->framed |= BIT(prio);
	else
		pfc->framed &= ~BIT(prio);
}

/**
 * rf_storm_begin - begin storms
 * @pfc: the PFC of a port
 * @spec: the settings, validated. A present storm of one of the priorities ends
 *	first
 * @owner: netlink port id of the socket with which it ends, 0 for none
 * @now: the time
 *
 * Context: any, the lock held; the caller runs PFC then.
 */
void rf_storm_begin(struct rf_pfc *pfc, const struct rf_storm_spec *spec, u32 owner,
		    u64 now)
{
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (spec->prios & BIT(i))
			storm_begin(pfc, i, spec, owner, now);
}

/**
 * rf_storm_sent - count a control frame that leaves the port
 * @pfc: the PFC of a port
 * @skb: the frame. Its XOFFs and XONs count for storms by frames
 * @mark: RF_XOFF_MARK_* if the port has made the frame, otherwise 0
 *
 * All XOFFs count while a storm runs. After its end, only XOFFs of the storm count.
 *
 * Context: softirq or BH off; the lock of the qdisc can be held.
 */
void rf_storm_sent(struct rf_pfc *pfc, const struct sk_buff *skb, u32 mark)
{
	struct rf_pfc_frame frame;
	struct rf_storm_fsm *fsm;
	unsigned long flags;
	u64 now;
	u32 i;

	if (!READ_ONCE(pfc->framed) || skb->protocol != htons(ETH_P_PAUSE) ||
	    skb_headlen(skb) < RF_PFC_FRAME_LEN ||
	    !rf_pfc_decode(skb->data + ETH_HLEN, RF_PFC_BODY_LEN, &frame))
		return;
	spin_lock_irqsave(&pfc->lock, flags);
	now = ktime_get_ns();
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		fsm = &pfc->storm[i].fsm;
		if (!(frame.prios & pfc->framed & BIT(i)))
			continue;
		if (!frame.quanta[i])
			rf_storm_fsm_xon(fsm, now);
		else if (fsm->running || mark & RF_XOFF_MARK_STORM(i))
			rf_storm_fsm_xoff(fsm, now, rf_pause_ns(frame.quanta[i],
								pfc->conf.rate));
	}
	spin_unlock_irqrestore(&pfc->lock, flags);
}

/**
 * rf_storm_read - read the settings and the coverage of a storm
 * @pfc: the PFC of a port
 * @prio: the priority
 * @info: filled in; spec.prios is 0 if there was no storm
 *
 * Context: any.
 */
void rf_storm_read(struct rf_pfc *pfc, u32 prio, struct rf_storm_info *info)
{
	struct rf_storm *storm = &pfc->storm[prio];
	struct rf_storm_coverage *coverage = &storm->fsm.coverage;
	unsigned long flags;
	u64 now;

	spin_lock_irqsave(&pfc->lock, flags);
	now = ktime_get_ns();
	rf_storm_fsm_advance(&storm->fsm, now);
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
	memcpy(info->interval, coverage->interval, sizeof(info->interval));
	memcpy(info->gap, coverage->gap, sizeof(info->gap));
	if (info->running && storm->fsm.end != U64_MAX)
		info->left = storm->fsm.end - now;
	spin_unlock_irqrestore(&pfc->lock, flags);
}
