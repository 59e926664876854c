/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement, as one rank carries it out. */
#ifndef CP_BOUT_H
#define CP_BOUT_H

#include "bench.h"

/**
 * struct cp_bout - a measurement at work
 * @what: the case
 * @shape: of the plan
 * @bytes: the size, as the table has it
 */
struct cp_bout {
	struct cp_case what;
	struct cp_shape shape;
	uint64_t bytes;
};

/* What a rank knows of it before the ranks put it together. */
struct cp_part {
	double time_ns;		/* of all iterations */
	uint64_t wrong;		/* elements */
};

int cp_bout_run(struct cp_rank *me, const struct cp_bout *bout,
		struct cp_part *part);

#endif
