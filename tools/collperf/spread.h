/* SPDX-License-Identifier: GPL-2.0 */
/* How the times of iterations are spread. */
#ifndef CP_SPREAD_H
#define CP_SPREAD_H

#include <stddef.h>

/**
 * struct cp_spread - of a list of times, in the unit of the list
 * @min: shortest
 * @max: longest
 * @avg: mean
 * @p50: half of them are not longer
 * @p95: of 100, 95 are not longer
 * @p99: of 100, 99 are not longer
 * @stdev: standard deviation of these, not of a population they stand for
 * @cv_pct: the same in percent of the mean
 */
struct cp_spread {
	double min, max, avg, p50, p95, p99, stdev, cv_pct;
};

int cp_spread_of(const double *times, size_t n, struct cp_spread *spread);

#endif
