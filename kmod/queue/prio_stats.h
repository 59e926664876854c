/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has become of a priority, from all who count something of it, and what a
 * storm in it was and did; for netlink's replies and tc's statistics, and for
 * the tools that read them.
 */
#ifndef RF_QUEUE_PRIO_STATS_H
#define RF_QUEUE_PRIO_STATS_H

#include "../pure.h"

/* The attributes of prio-stats; times in nanoseconds. */
struct rf_prio_stats {
	u64 packets, bytes, backlog_bytes, peak_bytes;
	u64 full, no_buffer, expired, watchdog_dropped, marked, mark_dropped;
	u64 ecn_queue, pause_left, paused_total, pauses;
	u64 xoff_rx, xon_rx, xoff_tx, xon_tx;
	u64 buffer_used, buffer_peak;
	u64 detected, restored, detect_time, restore_time;
	u64 xoff_ignored;
	u32 backlog, paused, watchdog;
};

/**
 * struct rf_storm_spec - what is asked of a storm
 * @prios: bit n for priority n
 * @flags: enum rdmafault_storm_flag
 * @quanta: of each XOFF; 0: the most
 * @duration: nanoseconds; 0: not given
 * @on_time: nanoseconds of XOFF, in turn with @off_time
 * @off_time: nanoseconds; 0: no turns
 */
struct rf_storm_spec {
	u32 prios;
	u32 flags;
	u32 quanta;
	u64 duration;
	u64 on_time;
	u64 off_time;
};

/**
 * struct rf_storm_info - the storm that a priority is in, or was in last
 * @spec: what was asked
 * @running: 1 while it lasts
 * @owner: netlink port id of the socket that it ends with, 0: persistent
 * @left: nanoseconds to its end
 * @requested: nanoseconds that XOFF was to hold so far
 * @covered: nanoseconds of them in which it did
 * @xoffs: XOFFs so far
 * @lapses: how often an XOFF ran out before the next
 * @interval_max: longest time between two XOFFs, in nanoseconds
 * @interval: how many times between two XOFFs were 2^n to 2^(n+1) ns
 * @gap: likewise the times in which XOFF did not hold
 */
struct rf_storm_info {
	struct rf_storm_spec spec;
	u32 running;
	u32 owner;
	u64 left, requested, covered, xoffs, lapses, interval_max;
	u64 interval[RDMAFAULT_GAP_BUCKETS];
	u64 gap[RDMAFAULT_GAP_BUCKETS];
};

#ifdef __KERNEL__
struct rf_port;

void rf_prio_stats_read(struct rf_port *port, u32 prio,
			struct rf_prio_stats *stats);
#endif

#endif
