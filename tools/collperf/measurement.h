/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement in one rank */
#ifndef CP_MEASUREMENT_H
#define CP_MEASUREMENT_H

#include "state.h"

/**
 * struct cp_measurement - a measurement
 * @what: the case: type, operation and root
 * @shape: shape of the plan
 * @bytes: size of the vector in bytes, as in the column "size" of the table
 */
struct cp_measurement {
	struct cp_case what;
	struct coll_shape shape;
	uint64_t bytes;
};

/* Results of one rank */
struct cp_rank_result {
	double time_ns;		/* time of all iterations */
	uint64_t wrong;		/* number of wrong elements */
};

int cp_measurement_run(struct cp_rank *me, const struct cp_measurement *measured,
		       struct cp_rank_result *part);

#endif
