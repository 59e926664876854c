/* SPDX-License-Identifier: GPL-2.0 */
/* Spread of iteration times */
#ifndef CP_SPREAD_H
#define CP_SPREAD_H

#include <stddef.h>

/**
 * struct cp_spread - statistics of a list of times, in the unit of the list
 * @min: shortest
 * @max: longest
 * @avg: mean
 * @p50: median
 * @p95: 95th percentile
 * @p99: 99th percentile
 * @stdev: standard deviation of the list (not an estimate for a population)
 * @cv_pct: standard deviation in percent of the mean
 */
struct cp_spread {
	double min, max, avg, p50, p95, p99, stdev, cv_pct;
};

int cp_spread_of(const double *times, size_t n, struct cp_spread *spread);

#endif
