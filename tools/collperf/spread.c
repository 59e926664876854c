// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of iteration times. Percentiles use the nearest-rank method, as in nccl-tests:
 * p99 of n times is the ceil(0.99 n)-th shortest time. With less than 100 iterations, p99
 * is the longest time. The median of an even number of times is the upper one of the two
 * middle times.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int by_length(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Return the index of a percentile in a sorted list: ceil(n * percent / 100) - 1. */
static size_t nearest_rank(size_t n, unsigned int percent)
{
	return (n * percent + 99) / 100 - 1;
}

static void spread_sorted(const double *sorted, size_t n,
			  struct cp_spread *s)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += sorted[i];
	s->avg = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (sorted[i] - s->avg) * (sorted[i] - s->avg);
	s->stdev = sqrt(squares / (double)n);
	s->cv_pct = s->avg > 0 ? 100 * s->stdev / s->avg : 0;
	s->min = sorted[0];
	s->max = sorted[n - 1];
	s->p50 = sorted[n / 2];
	s->p95 = sorted[nearest_rank(n, 95)];
	s->p99 = sorted[nearest_rank(n, 99)];
}

/**
 * cp_spread_of() - compute statistics of a list of times: mean, percentiles and so on
 * @times: the times, in any order
 * @n: number of @times, at least 1
 * @spread: gets the result
 *
 * Return: 0 or -ENOMEM.
 */
int cp_spread_of(const double *times, size_t n, struct cp_spread *spread)
{
	double *sorted = malloc(n * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, times, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_length);
	spread_sorted(sorted, n, spread);
	free(sorted);
	return 0;
}
