/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What netlink and tc report: why a request is refused, and the counters of a priority. The
 * tools use the same structs.
 */
#ifndef RF_REPORT_H
#define RF_REPORT_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/**
 * struct rf_invalid - why a request is refused
 * @attr: the invalid attribute, of rdmafault-a-match, -trigger, -action, -rule, -storm
 *	or -path, or of the nest @nest
 * @words: what is wrong with it
 * @nest: of a configuration: the nest of @attr, RDMAFAULT_A_PRIO,
 *	RDMAFAULT_A_PRIO_ECN or RDMAFAULT_A_WATCHDOG; otherwise 0
 */
struct rf_invalid {
	u32 attr;
	const char *words;
	u32 nest;
};

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
 * rf_pfc_read_prio() sets the others when netlink or tc read them.
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
 * struct rf_dcqcn_flow - a flow whose rate CNPs have limited
 * @saddr: source address, followed by 0
 * @daddr: destination address, followed by 0
 * @addr_len: bytes of an address, 4 or 16
 * @qp: destination QP
 * @rate: current rate, in bits per second
 * @target: target rate, in bits per second
 * @alpha: alpha, in units of 10^-12
 * @cnps: CNPs received
 * @cuts: reductions of the rate
 * @time_stage: events of the increase timer since the last reduction
 * @byte_stage: events of the byte counter since then
 * @held: packets that wait
 * @paced: packets that have waited
 */
struct rf_dcqcn_flow {
	u8 saddr[16];
	u8 daddr[16];
	u32 addr_len;
	u32 qp;
	u64 rate;
	u64 target;
	u64 alpha;
	u64 cnps;
	u64 cuts;
	u32 time_stage;
	u32 byte_stage;
	u32 held;
	u64 paced;
};

#endif
