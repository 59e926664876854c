// SPDX-License-Identifier: GPL-2.0
/*
 * The single iterations of a measurement.
 *
 * During the measurement each rank only records its own iterations, and sends nothing to
 * other ranks. Afterwards the ranks exchange the records, a few iterations at a time, so that
 * a rank needs memory for its own records only, even if there are a million iterations.
 */
#include <stdlib.h>

#include "bench.h"
#include "ranks.h"

#define AT_A_TIME	64

/**
 * cp_iters_open() - allocate memory, and measure the offsets of the clocks
 * @it: must be zeros; the function initializes it
 * @oob: the other ranks; all must call this function
 * @max: maximum number of iterations of one measurement
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_iters_open(struct cp_iters *it, struct coll_oob *oob, uint32_t max)
{
	it->max = max;
	it->mine = calloc(max, sizeof(*it->mine));
	it->all = calloc(AT_A_TIME * (size_t)oob->ranks, sizeof(*it->all));
	if (!it->mine || !it->all)
		return coll_fail(oob->state, COLL_FAILED,
				 "no memory for %u iterations", max);
	return coll_skew_measure(oob, &it->skew);
}

/**
 * cp_iters_close() - release the resources of cp_iters_open()
 * @it: the iterations of the current measurement
 */
void cp_iters_close(struct cp_iters *it)
{
	free(it->mine);
	free(it->all);
	it->mine = NULL;
	it->all = NULL;
}

/**
 * cp_iters_note() - record an iteration of this rank
 * @it: the iterations of the current measurement
 * @rec: the iteration
 */
void cp_iters_note(struct cp_iters *it, const struct coll_record *rec)
{
	uint64_t skew = (uint64_t)it->skew.offset_ns;

	it->mine[it->n++] = (struct cp_visit){
		.in_ns = rec->start_ns + skew,
		.out_ns = rec->end_ns + skew,
		.waited_ns = rec->wait_recv_ns + rec->wait_send_ns,
	};
}

static double took_us(const struct cp_visit *v)
{
	return (double)(v->out_ns - v->in_ns) / COLL_NSEC_PER_USEC;
}

/* For iteration @i, store the time of the slowest rank and the time of each rank. */
static void keep_times(double *times_us, uint32_t n, uint32_t i,
		       const struct cp_visit *visits, int ranks)
{
	times_us[i] = took_us(&visits[0]);
	for (int r = 0; r < ranks; r++) {
		double us = took_us(&visits[r]);

		times_us[(size_t)(r + 1) * n + i] = us;
		if (us > times_us[i])
			times_us[i] = us;
	}
}

static void add_iters(struct cp_iters *it, uint32_t first, uint32_t n, int ranks,
		      double *times_us)
{
	struct cp_visit visits[COLL_RANKS_MAX];

	for (uint32_t i = 0; i < n; i++) {
		for (int r = 0; r < ranks; r++)
			visits[r] = it->all[(size_t)r * n + i];
		cp_stragglers_add(&it->stragglers, visits, ranks);
		if (times_us)
			keep_times(times_us, it->n, first + i, visits, ranks);
	}
}

/**
 * cp_iters_gather() - combine the iterations of all ranks after a measurement
 * @it: the iterations; updates the stragglers and deletes the records
 * @oob: the other ranks; all must call this function
 * @times_us: NULL, or gets the times in us: first the time of the slowest rank in each
 *	iteration, then the times of rank 0 in all iterations, then those of rank 1, and
 *	so on
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_iters_gather(struct cp_iters *it, struct coll_oob *oob, double *times_us)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < it->n; i += AT_A_TIME) {
		uint32_t n = it->n - i < AT_A_TIME ? it->n - i : AT_A_TIME;

		ret = coll_allgather(oob, &it->mine[i], n * sizeof(*it->mine),
				     it->all);
		if (!ret)
			add_iters(it, i, n, oob->ranks, times_us);
	}
	it->n = 0;
	return ret;
}
