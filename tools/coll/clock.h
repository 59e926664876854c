/* SPDX-License-Identifier: GPL-2.0 */
/* Times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef COLL_CLOCK_H
#define COLL_CLOCK_H

#include <stdint.h>
#include <time.h>

#define COLL_NSEC_PER_USEC	1000ull
#define COLL_NSEC_PER_MSEC	1000000ull
#define COLL_NSEC_PER_SEC		1000000000ull

static inline uint64_t coll_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * COLL_NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

#endif
