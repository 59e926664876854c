/* SPDX-License-Identifier: GPL-2.0 */
/* Times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef COLL_CLOCK_H
#define COLL_CLOCK_H

#include "host.h"

#define COLL_NSEC_PER_USEC	1000ull
#define COLL_NSEC_PER_MSEC	1000000ull
#define COLL_NSEC_PER_SEC		1000000000ull

#endif
