/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_STATS_H
#define RF_STATS_H

#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

#include <uapi/rdmafault/rdmafault.h>

/*
 * The counters, in the order of their netlink attributes. Counters that were added later are
 * behind the attributes of the other numbers, so that these keep their values.
 */
enum rf_stat {
	RF_STAT_PACKETS,
	RF_STAT_BYTES,
	RF_STAT_ROCE,
	RF_STAT_ROCE_BYTES,
	RF_STAT_MALFORMED,
	RF_STAT_RETRANSMITTED,
	RF_STAT_HITS,
	RF_STAT_DROPPED,
	RF_STAT_FLOWS_LOST,
	RF_STAT_RETRANSMITTED_BYTES,
	RF_STAT_NAKS,
	RF_STAT_RNRS,
	RF_STAT_DELAYED,
	RF_STAT_REORDERED,
	RF_STAT_DUPLICATED,
	RF_STAT_CORRUPTED,
	RF_STAT_TRUNCATED,
	RF_STAT_MARKED,
	RF_STAT_REWRITTEN,
	RF_STAT_ANSWERED,
	RF_STAT_UNANSWERED,
	RF_STAT_BLACKHOLED,
	RF_STAT_DELAY_QUEUE_FULL,
	RF_STAT_UNCHANGED,
	RF_STAT_TRIMMED,
	RF_STAT_CE,
	RF_STAT_CNPS_SENT,
	RF_STAT_CNPS_SUPPRESSED,
	RF_STAT_CNPS_UNSENT,
	RF_STAT_CNPS_RECEIVED,
	RF_STAT_CNPS_REFUSED,
	RF_STAT_PACED,
	RF_STAT_PACE_DROPPED,
	RF_STAT_PACE_EXPIRED,
	RF_STATS,
};

/**
 * rf_stat_attr - get the netlink attribute of a counter
 * @stat: the counter
 *
 * Return: RDMAFAULT_A_STATS_*.
 */
static inline int rf_stat_attr(enum rf_stat stat)
{
	if (stat < RF_STAT_TRIMMED)
		return RDMAFAULT_A_STATS_PACKETS + stat;
	return RDMAFAULT_A_STATS_TRIMMED + stat - RF_STAT_TRIMMED;
}

/**
 * struct rf_stats - the counters of one direction on one CPU
 * @n: the counters, by enum rf_stat
 * @syncp: lets 32-bit CPUs read 64 bits at once
 */
struct rf_stats {
	u64_stats_t n[RF_STATS];
	struct u64_stats_sync syncp;
};

struct rf_stats __percpu *rf_stats_alloc(void);
void rf_stats_sum(const struct rf_stats __percpu *stats, u64 sum[RF_STATS]);

/**
 * rf_stats_add2 - count packets and their bytes
 * @stats: the counters
 * @packets: the counter of packets; the next one counts the bytes
 * @n: number of packets
 * @bytes: bytes of the packets
 *
 * Context: softirq or BH off.
 */
static inline void rf_stats_add2(struct rf_stats __percpu *stats,
				 enum rf_stat packets, u64 n, u64 bytes)
{
	struct rf_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->syncp);
	u64_stats_add(&s->n[packets], n);
	u64_stats_add(&s->n[packets + 1], bytes);
	u64_stats_update_end(&s->syncp);
}

/**
 * rf_stats_add - add to a counter
 * @stats: the counters
 * @stat: the counter
 * @n: the number to add
 *
 * Context: softirq or BH off.
 */
static inline void rf_stats_add(struct rf_stats __percpu *stats,
				enum rf_stat stat, u64 n)
{
	struct rf_stats *s = this_cpu_ptr(stats);

	u64_stats_update_begin(&s->syncp);
	u64_stats_add(&s->n[stat], n);
	u64_stats_update_end(&s->syncp);
}

/**
 * rf_stats_inc - count one event
 * @stats: the counters
 * @stat: the counter
 *
 * Context: softirq or BH off.
 */
static inline void rf_stats_inc(struct rf_stats __percpu *stats,
				enum rf_stat stat)
{
	rf_stats_add(stats, stat, 1);
}

#endif
