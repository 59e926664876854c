// SPDX-License-Identifier: GPL-2.0
/*
 * What has become of a priority, put together from those who count it. Each
 * counter is read in one piece, and all of them one after the other: a packet
 * that moves meanwhile may be seen twice, or not at all.
 */
#include "../pfc/buffer.h"
#include "../port.h"
#include "prio_stats.h"

static void read_queue(const struct rf_prio_count *c, struct rf_prio_stats *s)
{
	s->packets = READ_ONCE(c->packets);
	s->bytes = READ_ONCE(c->bytes);
	s->backlog = READ_ONCE(c->backlog);
	s->backlog_bytes = READ_ONCE(c->backlog_bytes);
	s->peak_bytes = READ_ONCE(c->peak_bytes);
	s->full = READ_ONCE(c->full);
	s->no_buffer = READ_ONCE(c->no_buffer);
	s->expired = READ_ONCE(c->expired);
	s->watchdog_dropped = READ_ONCE(c->watchdog_dropped);
	s->marked = READ_ONCE(c->marked);
	s->mark_dropped = READ_ONCE(c->mark_dropped);
	s->ecn_queue = READ_ONCE(c->ecn_queue);
}

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
 * @port: the port
 * @prio: the priority
 * @stats: filled in
 *
 * Context: any but hard interrupts; the port stays.
 */
void rf_prio_stats_read(struct rf_port *port, u32 prio,
			struct rf_prio_stats *stats)
{
	*stats = (struct rf_prio_stats){ };
	read_queue(&port->queue.count[prio], stats);
	read_pause(port, prio, stats);
	read_watchdog(port, prio, stats);
	read_xoff(&port->xoff, prio, stats);
	read_buffer(port, prio, stats);
}
