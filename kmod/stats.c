// SPDX-License-Identifier: GPL-2.0
/*
 * The counters of a direction. Each CPU has its own, so that the data path never writes
 * a cache line that another CPU writes.
 */
#include <linux/build_bug.h>

#include "stats.h"

static_assert(RDMAFAULT_A_STATS_PACKETS + RF_STAT_UNCHANGED == RDMAFAULT_A_STATS_UNCHANGED);
static_assert(RF_STAT_UNCHANGED + 1 == RF_STAT_TRIMMED);
static_assert(RDMAFAULT_A_STATS_TRIMMED + RF_STATS - RF_STAT_TRIMMED == __RDMAFAULT_A_STATS_MAX);

/**
 * rf_stats_alloc - allocate counters, and set them to 0
 *
 * Context: process.
 * Return: the counters, to be freed by free_percpu(), or NULL.
 */
struct rf_stats __percpu *rf_stats_alloc(void)
{
	struct rf_stats __percpu *stats;
	int cpu;

	stats = alloc_percpu_gfp(struct rf_stats, GFP_KERNEL_ACCOUNT);
	if (!stats)
		return NULL;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(stats, cpu)->syncp);
	return stats;
}

static void stats_read_cpu(const struct rf_stats *stats, u64 n[RF_STATS])
{
	unsigned int start;
	int i;

	do {
		start = u64_stats_fetch_begin(&stats->syncp);
		for (i = 0; i < RF_STATS; i++)
			n[i] = u64_stats_read(&stats->n[i]);
	} while (u64_stats_fetch_retry(&stats->syncp, start));
}

/**
 * rf_stats_sum - sum the counters of all CPUs
 * @stats: the counters
 * @sum: set to the sums, by enum rf_stat
 *
 * Context: process.
 */
void rf_stats_sum(const struct rf_stats __percpu *stats, u64 sum[RF_STATS])
{
	u64 n[RF_STATS];
	int cpu, i;

	memset(sum, 0, sizeof(*sum) * RF_STATS);
	for_each_possible_cpu(cpu) {
		stats_read_cpu(per_cpu_ptr(stats, cpu), n);
		for (i = 0; i < RF_STATS; i++)
			sum[i] += n[i];
	}
}
