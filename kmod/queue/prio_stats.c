// SPDX-License-Identifier: GPL-2.0
/*
 * Read the counters of a priority: those of its queue, in one piece, and then
 * those of PFC.
 */
#include "../pfc/buffer.h"
#include "../port.h"
#include "prio_stats.h"

static void read_pause(struct rf_port *port, u32 prio, struct rf_prio_stats *s)
{
	struct rf_pause_info info;

	rf_pause_read(port, prio, &info);
	s->paused = info.left > 0;
	s->pause_left = info.left;
	s->paused_total = info.total;
	s->pauses = info.pauses;
	s->xoff_rx = info.xoffs;
	s->xon_rx = info.xons;
	s->xoff_ignored = info.ignored;
}

static void read_xoff(const struct rf_xoff *xoff, u32 prio,
		      struct rf_prio_stats *s)
{
	s->xoff_tx = READ_ONCE(xoff->xoff_tx[prio]);
	s->xon_tx = READ_ONCE(xoff->xon_tx[prio]);
}

static void read_buffer(struct rf_port *port, u32 prio, struct rf_prio_stats *s)
{
	struct rf_buffer_use use = rf_buffer_read_prio(port, prio);

	s->buffer_used = use.used;
	s->buffer_peak = use.peak;
}

static void read_watchdog(struct rf_port *port, u32 prio,
			  struct rf_prio_stats *s)
{
	struct rf_watchdog_info info;

	rf_watchdog_read(port, prio, &info);
	s->watchdog = info.in_storm;
	s->detected = info.detected;
	s->restored = info.restored;
	s->detect_time = info.detect_time;
	s->restore_time = info.restore_time;
}

/**
 * rf_prio_stats_read - read all counters of a priority
 * @port: the port, which the caller keeps from being freed
 * @prio: the priority
 * @stats: filled in
 *
 * Context: process. The caller doesn't hold the lock of the qdisc.
 */
void rf_prio_stats_read(struct rf_port *port, u32 prio,
			struct rf_prio_stats *stats)
{
	spin_lock_bh(qdisc_lock(port->sch));
	*stats = port->queue.stats[prio];
	spin_unlock_bh(qdisc_lock(port->sch));
	read_pause(port, prio, stats);
	read_watchdog(port, prio, stats);
	read_xoff(&port->xoff, prio, stats);
	read_buffer(port, prio, stats);
}
