// SPDX-License-Identifier: GPL-2.0
/*
 * The table.
 *
 * The layout is that of nccl-tests, since people and scripts read that: lines
 * with '#' are words; a row has size, count, type, redop, root, and then time,
 * algbw, busbw, #wrong twice, out-of-place and in-place. A measurement that
 * was not asked for is N/A, so that a row always has 13 columns. Each row is
 * flushed when it is there.
 */
#include <inttypes.h>
#include <stdio.h>

#include "table.h"
#include "version.h"

#define KEYS	"%12s  %12s  %8s  %6s  %6s"
#define VALUES	"  %7s  %6s  %6s  %6s"

/** cp_total_add() - account for a row */
void cp_total_add(struct cp_total *total, const struct cp_row *row)
{
	for (int i = 0; i < CP_PLACES; i++) {
		if (!row->place[i].done)
			continue;
		total->bus_bw += row->place[i].bus_bw;
		total->n++;
		if (row->place[i].wrong > 0)
			total->wrong += (uint64_t)row->place[i].wrong;
	}
}

/** cp_total_bus_bw() - mean bus bandwidth */
double cp_total_bus_bw(const struct cp_total *total)
{
	return total->n ? total->bus_bw / total->n : 0;
}

static void print_sizes(const struct cp_config *cfg)
{
	bool factor = cfg->step_factor;

	printf("# nThread 1 nGpus 1 minBytes %" PRIu64 " maxBytes %" PRIu64
	       " step: %" PRIu64 "(%s) warmup iters: %u iters: %u agg iters: 1 validation: %u graph: 0\n",
	       cfg->min_bytes, cfg->max_bytes,
	       factor ? cfg->step_factor : cfg->step_bytes,
	       factor ? "factor" : "bytes", cfg->warmups, cfg->iters,
	       cfg->checks);
	printf("# algorithm: %s, timeout: %u, retry count: %u\n",
	       cfg->coll->algo->name, cfg->verbs.timeout, cfg->verbs.retry_cnt);
	if (cfg->blocking)
		printf("# Blocking Enabled: wait and barrier after each iteration, times exclude the barrier\n");
}

static void print_member(int rank, const struct cp_member *m)
{
	printf("#  Rank %2d Group  0 Pid %6d on %10s device %2d [%s] %s %s\n",
	       rank, m->pid, m->host, rank, m->device, m->netdev, m->addr);
}

static void print_columns(void)
{
	printf("#\n");
	printf("# %10s  %12s  %8s  %6s  %6s  %22s  %29s\n", "", "", "", "", "",
	       "out-of-place", "in-place");
	printf("# %10s  %12s  %8s  %6s  %6s" VALUES VALUES "\n", "size",
	       "count", "type", "redop", "root", "time", "algbw", "busbw",
	       "#wrong", "time", "algbw", "busbw", "#wrong");
	printf("# %10s  %12s  %8s  %6s  %6s" VALUES VALUES "\n", "(B)",
	       "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "",
	       "(us)", "(GB/s)", "(GB/s)", "");
}

/** cp_table_head() - what runs, where, and the names of the columns */
void cp_table_head(const struct cp_config *cfg, const struct cp_member *all)
{
	printf("# collperf version %s\n", RF_VERSION);
	printf("# Collective test starting: %s\n", cfg->coll->name);
	print_sizes(cfg);
	printf("#\n# Using devices\n");
	for (uint32_t r = 0; r < cfg->ranks; r++)
		print_member((int)r, &all[r]);
	print_columns();
	fflush(stdout);
}

/*
 * Two decimals, or as many as the column has room for; below 1 as many as
 * there is room for, since a software link does some 0.05 GB/s.
 */
static const char *fit(double v, int width, char *buf, size_t len)
{
	for (int decimals = v < 1 ? width - 2 : 2; decimals >= 0; decimals--)
		if (snprintf(buf, len, "%.*f", decimals, v) <= width)
			return buf;
	snprintf(buf, len, "%.1e", v);
	return buf;
}

static void print_measure(const struct cp_measure *m)
{
	char time[32], alg[32], bus[32], wrong[32] = "N/A";

	if (!m->done) {
		printf(VALUES, "N/A", "N/A", "N/A", "N/A");
		return;
	}
	if (m->wrong != CP_NOT_VERIFIED)
		snprintf(wrong, sizeof(wrong), "%" PRId64, m->wrong);
	printf(VALUES, fit(m->time_us, 7, time, sizeof(time)),
	       fit(m->alg_bw, 6, alg, sizeof(alg)),
	       fit(m->bus_bw, 6, bus, sizeof(bus)), wrong);
}

/** cp_table_row() - one size */
void cp_table_row(const struct cp_config *cfg, const struct cp_row *row)
{
	char bytes[32], count[32];

	snprintf(bytes, sizeof(bytes), "%" PRIu64, row->bytes);
	snprintf(count, sizeof(count), "%" PRIu64, row->count);
	printf(KEYS, bytes, count, cfg->type->name, cfg->op->name, "-1");
	for (int i = 0; i < CP_PLACES; i++)
		print_measure(&row->place[i]);
	printf("\n");
	fflush(stdout);
}

/** cp_table_foot() - the verdict */
void cp_table_foot(const struct cp_config *cfg, const struct cp_total *total)
{
	printf("# %-20s : %" PRIu64 " %s\n", "Out of bounds values",
	       total->wrong, total->wrong ? "FAILED" : "OK");
	printf("# %-20s : %g\n", "Avg bus bandwidth", cp_total_bus_bw(total));
	printf("#\n# Collective test concluded: %s\n", cfg->coll->name);
	fflush(stdout);
}
