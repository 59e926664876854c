/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * The qdisc's statistics in tc's netlink messages (TCA_STATS_APP): one struct
 * rdmafault_tc_stats, followed by one struct rdmafault_tc_prio per priority, starting
 * with 0. Both contain their size. A later version can append members to either, but does
 * not change existing ones, so a reader uses the members that both sides have.
 *
 * The options (TCA_OPTIONS) are the attributes of the set "link" of
 * rdmafault.h.
 */
#ifndef _UAPI_RDMAFAULT_TC_H
#define _UAPI_RDMAFAULT_TC_H

#include <linux/types.h>

/**
 * struct rdmafault_tc_stats - the port
 * @size: bytes of this struct; the priorities follow it
 * @prio_size: bytes of each priority
 * @prios: how many priorities
 * @pad: 0
 * @roce: sent RoCEv2 packets that were compared with the tx rules
 * @hits: those of them that matched a rule
 * @rule_dropped: those of them that a rule dropped
 * @held: packets that a hold or delay rule keeps now
 * @in_flight: packets on the wire now
 * @in_flight_bytes: their bytes
 */
struct rdmafault_tc_stats {
	__u32 size;
	__u32 prio_size;
	__u32 prios;
	__u32 pad;
	__u64 roce;
	__u64 hits;
	__u64 rule_dropped;
	__u64 held;
	__u64 in_flight;
	__u64 in_flight_bytes;
};

/**
 * struct rdmafault_tc_prio - one priority, with the counters of the set "prio-stats"
 * @packets: packets sent
 * @bytes: bytes sent
 * @backlog: queued packets
 * @backlog_bytes: queued bytes
 * @peak_bytes: the most bytes that have been queued at a time
 * @full: packets dropped because the queue was at its limit
 * @no_buffer: packets dropped because the buffer of their ingress port was full
 * @expired: packets dropped because they were queued for longer than max-hold
 * @watchdog_dropped: packets dropped by the watchdog
 * @marked: packets marked CE by the ECN profile
 * @mark_dropped: packets dropped by the ECN profile
 * @paused: 1 if the priority is paused now, otherwise 0
 * @paused_total: time in pause since the port was made, in nanoseconds
 * @pauses: number of pauses
 * @xoff_rx: XOFF received
 * @xon_rx: XON received
 * @xoff_tx: XOFF sent
 * @xon_tx: XON sent
 * @buffer_used: bytes received by this port that are queued at other ports now
 * @buffer_peak: the highest value of @buffer_used
 * @detected: storms that the watchdog detected
 * @restored: storms whose end the watchdog detected
 * @xoff_ignored: XOFF received and ignored, because PFC is off for the priority
 */
struct rdmafault_tc_prio {
	__u64 packets;
	__u64 bytes;
	__u64 backlog;
	__u64 backlog_bytes;
	__u64 peak_bytes;
	__u64 full;
	__u64 no_buffer;
	__u64 expired;
	__u64 watchdog_dropped;
	__u64 marked;
	__u64 mark_dropped;
	__u64 paused;
	__u64 paused_total;
	__u64 pauses;
	__u64 xoff_rx;
	__u64 xon_rx;
	__u64 xoff_tx;
	__u64 xon_tx;
	__u64 buffer_used;
	__u64 buffer_peak;
	__u64 detected;
	__u64 restored;
	__u64 xoff_ignored;
};

#endif
