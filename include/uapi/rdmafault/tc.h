/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * The qdisc's statistics as tc gets them (TCA_STATS_APP): one struct
 * rdmafault_tc_stats, and behind it one struct rdmafault_tc_prio for each
 * priority from 0 on. Both tell their size. A later version may append members
 * to either, and changes none; who reads takes what both sides know.
 *
 * The options (TCA_OPTIONS) are the attributes of the set "link" of
 * rdmafault.h.
 */
#ifndef _UAPI_RDMAFAULT_TC_H
#define _UAPI_RDMAFAULT_TC_H

#include <linux/types.h>

/**
 * struct rdmafault_tc_stats - the port
 * @size: bytes of this struct; the priorities stand behind them
 * @prio_size: bytes of each priority
 * @prios: how many priorities
 * @pad: 0
 * @roce: RoCEv2 packets that the rules for leaving packets looked at
 * @hits: those that a rule hit
 * @rule_dropped: those that vanished by a rule
 * @held: packets in the hold now
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
 * struct rdmafault_tc_prio - one priority; as the set "prio-stats" has it
 * @packets: that have left
 * @bytes: of these
 * @backlog: packets that wait
 * @backlog_bytes: of these
 * @peak_bytes: most that have waited
 * @full: dropped for the limit
 * @no_buffer: dropped for want of buffer
 * @expired: dropped after waiting for the max-hold
 * @watchdog_dropped: dropped by the watchdog
 * @marked: CE set by the ECN profile
 * @mark_dropped: dropped by the ECN profile
 * @paused: 1 if the priority sends nothing now
 * @paused_total: nanoseconds that it was paused
 * @pauses: how often a pause began
 * @xoff_rx: XOFF received
 * @xon_rx: XON received
 * @xoff_tx: XOFF sent
 * @xon_tx: XON sent
 * @buffer_used: bytes that came in by this port and wait at others
 * @buffer_peak: most that there were
 * @detected: storms that the watchdog has detected
 * @restored: storms that it has seen end
 * @xoff_ignored: XOFF received for a priority without PFC
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
