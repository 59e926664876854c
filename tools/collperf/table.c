// SPDX-License-Identifier: GPL-2.0
/*
 * The table.
 *
 * The layout is the same as in nccl-tests, because existing scripts can read it. Lines
 * with '#' are text. A row has size, count, type, redop, root, and then time, algbw,
 * busbw and #wrong, first out-of-place, then in-place. With -I 1, statistics of the iteration
 * times (minimum, maximum, p99, coefficient of variation) follow each "#wrong". All rows have
 * the same number of columns: values that were not measured are N/A. Each row is flushed.
 *
 * Unlike in nccl-tests, the footer also lists the stragglers.
 */
#include <inttypes.h>
#include <stdio.h>

#include "results.h"

#define KEYS	"%12s  %12s  %8s  %6s  %6s"
#define VALUES	"  %7s  %6s  %6s  %6s"
#define SPREAD	"  %7s  %7s  %7s  %7s"

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
	       cp_algo_word(cfg), cfg->options.verbs.timeout,
	       cfg->options.verbs.retry_cnt);
	if (cfg->blocking)
		printf("# Blocking Enabled: wait and barrier after each iteration, times exclude the barrier\n");
	if (cfg->per_iter)
		printf("# Per-Iteration Report: i_* of the slowest rank of each iteration, the first %u left out\n",
		       cfg->skip);
}

static void print_member(const struct cp_config *cfg, uint32_t rank, const struct coll_member *m)
{
	uint32_t rails = cfg->options.verbs.rails;

	for (uint32_t i = 0; i < rails; i++)
		printf("#  Rank %2u Group  0 Pid %6d on %10s device %2u [%s] %s %s\n",
		       rank, m->pid, m->host, rank * rails + i, m->rail[i].name,
		       m->rail[i].netdev, m->addr[i]);
}

static void print_centred(const struct cp_config *cfg, const char *place)
{
	int width = cfg->per_iter ? 67 : 31, len;
	char words[40];

	len = snprintf(words, sizeof(words), "%s%s", place,
		       cfg->per_iter ? " (+ per-iteration)" : "");
	printf("%*s%*s", (width + len) / 2, words, (width - len + 1) / 2, "");
}

static void print_places(const struct cp_config *cfg)
{
	printf("#\n# %10s  %12s  %8s  %6s  %6s", "", "", "", "", "");
	print_centred(cfg, "out-of-place");
	print_centred(cfg, "in-place");
	printf("\n");
}

static void print_columns(const struct cp_config *cfg)
{
	printf("# %10s  %12s  %8s  %6s  %6s", "size", "count", "type", "redop",
	       "root");
	for (int i = 0; i < CP_PLACES; i++) {
		printf(VALUES, "time", "algbw", "busbw", "#wrong");
		if (cfg->per_iter)
			printf(SPREAD, "i_min", "i_max", "i_p99", "i_cv%");
	}
	printf("\n# %10s  %12s  %8s  %6s  %6s", "(B)", "(elements)", "", "", "");
	for (int i = 0; i < CP_PLACES; i++) {
		printf(VALUES, "(us)", "(GB/s)", "(GB/s)", "");
		if (cfg->per_iter)
			printf(SPREAD, "(us)", "(us)", "(us)", "(%)");
	}
	printf("\n");
}

/**
 * cp_table_head() - print the first lines: the job, its ranks and the names of the
 * columns
 * @cfg: options of the job
 * @all: data about each rank
 */
void cp_table_head(const struct cp_config *cfg, const struct coll_member *all)
{
	printf("# collperf version %s\n", RF_VERSION);
	printf("# Collective test starting: %s\n", cfg->coll->name);
	print_sizes(cfg);
	printf("#\n# Using devices\n");
	for (uint32_t r = 0; r < cfg->ranks; r++)
		print_member(cfg, r, &all[r]);
	print_places(cfg);
	print_columns(cfg);
	fflush(stdout);
}

/*
 * Format a number with two decimals if the column is wide enough. Values below 1 get as
 * many decimals as fit, because a software link has about 0.05 GB/s.
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

static void print_spread(const struct cp_measure *m)
{
	char min[32], max[32], p99[32], cv[32];

	if (!m->done) {
		printf(SPREAD, "N/A", "N/A", "N/A", "N/A");
		return;
	}
	printf(SPREAD, fit(m->spread.min, 7, min, sizeof(min)),
	       fit(m->spread.max, 7, max, sizeof(max)),
	       fit(m->spread.p99, 7, p99, sizeof(p99)),
	       fit(m->spread.cv_pct, 7, cv, sizeof(cv)));
}

/**
 * cp_table_row() - print the row of one size
 * @cfg: options of the job
 * @row: the results of the size
 */
void cp_table_row(const struct cp_config *cfg, const struct cp_row *row)
{
	char bytes[32], count[32], root[16];

	snprintf(bytes, sizeof(bytes), "%" PRIu64, row->size.bytes);
	snprintf(count, sizeof(count), "%" PRIu64, row->size.count);
	snprintf(root, sizeof(root), "%d", row->what.root);
	printf(KEYS, bytes, count, cp_type_word(cfg, &row->what),
	       cp_op_word(&row->what), root);
	for (int i = 0; i < CP_PLACES; i++) {
		print_measure(&row->place[i]);
		if (cfg->per_iter)
			print_spread(&row->place[i]);
	}
	printf("\n");
	fflush(stdout);
}

static void print_last(const struct cp_last *last, uint64_t steps)
{
	char behind[32];

	printf("  %7" PRIu64 "  %3.0f%%  %9s", last->times,
	       100 * (double)last->times / (double)steps,
	       fit(cp_last_behind_us(last), 9, behind, sizeof(behind)));
}

static void print_late(const struct cp_config *cfg, const struct cp_stragglers *stragglers,
		       const struct coll_member *all)
{
	uint64_t skew_ns = 0;
	char waited[32];

	printf("#\n# Rank   in last        behind  out last        behind     waited  (of %" PRIu64
	       " iterations; us)\n", stragglers->steps);
	for (uint32_t r = 0; r < cfg->ranks; r++) {
		double us = stragglers->waited_ns[r] / (double)stragglers->steps / 1e3;

		printf("# %4u", r);
		print_last(&stragglers->in[r], stragglers->steps);
		print_last(&stragglers->out[r], stragglers->steps);
		printf("  %9s\n", fit(us, 9, waited, sizeof(waited)));
		skew_ns = all[r].skew_ns > skew_ns ? all[r].skew_ns : skew_ns;
	}
	if (skew_ns)
		printf("# The hosts' clocks are known to %.1f us\n",
		       (double)skew_ns / 1e3);
}

static void print_failover(const struct coll_failover *failover)
{
	printf("# Rail %u failed at rank %u, step %u: failover time %.1f ms, %" PRIu64 " bytes repeated\n",
	       failover->rail, failover->rank, failover->step,
	       (double)failover->time_ns / 1e6, failover->repeated_bytes);
}

/**
 * cp_table_foot() - print the last lines: the result of the job and the stragglers
 * @cfg: options of the job
 * @total: totals of all rows
 * @stragglers: statistics of the stragglers
 * @all: data about each rank
 */
void cp_table_foot(const struct cp_config *cfg, const struct cp_total *total,
		   const struct cp_stragglers *stragglers, const struct coll_member *all)
{
	const char *verdict = cp_total_fast_enough(cfg, total) ? " OK" :
								 " FAILED";

	printf("# %-20s : %" PRIu64 " %s\n", "Out of bounds values",
	       total->wrong, total->wrong ? "FAILED" : "OK");
	printf("# %-20s : %g%s\n", "Avg bus bandwidth", cp_total_bus_bw(total),
	       cfg->min_bw < 0 ? "" : verdict);
	if (total->failover.rail)
		print_failover(&total->failover);
	if (cfg->ranks > 1)
		print_late(cfg, stragglers, all);
	printf("#\n# Collective test concluded: %s\n", cfg->coll->name);
	fflush(stdout);
}
