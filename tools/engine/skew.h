/* SPDX-License-Identifier: GPL-2.0 */
/* How the clocks of several hosts stand to one another. */
#ifndef CP_SKEW_H
#define CP_SKEW_H

#include <stdint.h>

#include "oob.h"

/**
 * struct cp_skew - a rank's clock against that of rank 0
 * @offset_ns: to be added to the own cp_now() to get rank 0's
 * @error_ns: how far off that may be; 0 on the host of rank 0
 */
struct cp_skew {
	int64_t offset_ns;
	uint64_t error_ns;
};

int cp_skew_measure(struct cp_oob *oob, struct cp_skew *skew);

#endif
