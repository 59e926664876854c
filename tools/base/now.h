/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_NOW_H
#define RF_NOW_H

#include <stdint.h>
#include <time.h>

/** rf_now_ns - get the time, in nanoseconds of CLOCK_MONOTONIC */
static inline uint64_t rf_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

#endif
