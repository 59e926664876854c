/* SPDX-License-Identifier: GPL-2.0 */
/* Measure the offsets between the clocks of several hosts. */
#ifndef COLL_SKEW_H
#define COLL_SKEW_H

#include <stdint.h>

#include "oob.h"

#define COLL_BOOT_LEN	40

/**
 * struct coll_skew - offset between the clock of a rank and that of rank 0
 * @offset_ns: time of rank 0 minus time of this rank
 * @error_ns: maximum error; 0 on the host of rank 0
 */
struct coll_skew {
	int64_t offset_ns;
	uint64_t error_ns;
};

void coll_boot_id(char boot[COLL_BOOT_LEN]);
int coll_skew_measure(struct coll_oob *oob, struct coll_skew *skew);

#endif
