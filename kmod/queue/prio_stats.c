// SPDX-License-Identifier: GPL-2.0
/*
 * Read the counters of a priority: those of its queue, in one piece, and then
 * those of PFC.
 */
#include "prioq.h"

static void read_pfc(const struct rf_pfc_prio_info *info,
		     struct rf_prio_stats *s)
{
	s->paused = info->pause_left > 0;
	s->pause_left = info->pause_left;
	s->paused_total = info->paused_total;
	s->pauses = info->pauses;
	s->xoff_rx = info->xoff_rx;
	s->xon_rx = info->xon_rx;
	s->xoff_ignored = info->xoff_ignored;
	s->xoff_tx = info->xoff_tx;
	s->xon_tx = info->xon_tx;
	s->buffer_used = info->buffer_used;
	s->buffer_peak = info->buffer_peak;
	s->watchdog = info->watchdog.in_storm;
	s->detected = info->watchdog.detected;
	s->restored = info->watchdog.restored;
	s->detect_time = info->watchdog.detect_time;
	s->restore_time = info->watchdog.restore_time;
}

/**
 * rf_prio_stats_read - read all counters of a priority
 * @q: the queues of a port, which the caller keeps from being freed
 * @prio: the priority
 * @stats: filled in
 *
 * Context: process. The caller doesn't hold the lock of the qdisc.
 */
void rf_prio_stats_read(struct rf_prioq *q, u32 prio, struct rf_prio_stats *stats)
{
	struct rf_pfc_prio_info info = rf_pfc_read_prio(q->pfc, prio);

	spin_lock_bh(qdisc_lock(q->sch));
	*stats = q->stats[prio];
	spin_unlock_bh(qdisc_lock(q->sch));
	read_pfc(&info, stats);
}
