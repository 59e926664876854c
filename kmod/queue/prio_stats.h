/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of a priority and of the storm in it, as netlink and tc report
 * them; the tools use the same structs.
 */
#ifndef RF_QUEUE_PRIO_STATS_H
#define RF_QUEUE_PRIO_STATS_H

#include "../pure.h"

/**
 * struct rf_prio_stats - the counters of a priority
 * @packets: packets sent
 * @bytes: their bytes
 * @backlog: queued packets
 * @backlog_bytes: their bytes
 * @peak_bytes: the most bytes that have been queued at a time
 * @full: packets dropped because the queue was at its limit
 * @no_buffer: packets dropped because the buffer of their ingress port was full
 * @expired: packets dropped because they, or a packet before them, were queued
 *	for longer than max-hold
 * @watchdog_dropped: packets dropped by the watchdog
 * @marked: packets marked CE by the ECN profile
 * @mark_dropped: packets that the ECN profile dropped because they are not
 *	ECN-capable
 * @ecn_queue: the queue length that the ECN profile uses, in bytes
 * @paused: 1 if the priority is paused
 * @pause_left: nanoseconds until the pause ends
 * @paused_total: nanoseconds in pause
 * @pauses: number of pauses
 * @xoff_rx: XOFFs received
 * @xon_rx: XONs received
 * @xoff_ignored: XOFFs received while PFC was off for the priority
 * @xoff_tx: XOFFs sent
 * @xon_tx: XONs sent
 * @buffer_used: bytes received by this port that are queued at other ports
 * @buffer_peak: the highest value of @buffer_used
 * @watchdog: 1 while the watchdog sees a storm
 * @detected: storms that the watchdog detected
 * @restored: storms whose end the watchdog detected
 * @detect_time: nanoseconds that the last storm had lasted when it was detected
 * @restore_time: nanoseconds that its end had passed when that was detected
 *
 * The queues count in the members up to @ecn_queue, under the lock of the qdisc.
 * rf_prio_stats_read() copies them and adds the others, for netlink and tc.
 */
struct rf_prio_stats {
	u64 packets;
	u64 bytes;
	u32 backlog;
	u64 backlog_bytes;
	u64 peak_bytes;
	u64 full;
	u64 no_buffer;
	u64 expired;
	u64 watchdog_dropped;
	u64 marked;
	u64 mark_dropped;
	u64 ecn_queue;
	u32 paused;
	u64 pause_left;
	u64 paused_total;
	u64 pauses;
	u64 xoff_rx;
	u64 xon_rx;
	u64 xoff_ignored;
	u64 xoff_tx;
	u64 xon_tx;
	u64 buffer_used;
	u64 buffer_peak;
	u32 watchdog;
	u64 detected;
	u64 restored;
	u64 detect_time;
	u64 restore_time;
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
