/* SPDX-License-Identifier: GPL-2.0 */
/* Measure the offsets between the clocks of several hosts. */
#ifndef CP_SKEW_H
#define CP_SKEW_H

#include <stdint.h>

#include "oob.h"

/**
 * struct cp_skew - offset between the clock of a rank and that of rank 0
 * @offset_ns: time of rank 0 minus time of this rank
 * @error_ns: maximum error; 0 on the host of rank 0
 */
struct cp_skew {
	int64_t offset_ns;
	uint64_t error_ns;
};

int cp_skew_measure(struct cp_oob *oob, struct cp_skew *skew);

#endif
