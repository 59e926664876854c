/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a rank */
#ifndef CP_STATE_H
#define CP_STATE_H

#include "coll.h"
#include "iters.h"
#include "plan.h"
#include "sweep.h"

struct cp_rank {
	const struct cp_config *cfg;
	struct coll_state *state;
	struct coll_comm comm;
	struct coll_plan plan;	/* plan of the current measurement */
	struct coll_announcer announcer;
	struct coll_pattern pattern;	/* inputs of the current case */
	struct cp_iters iters;
	uint64_t begun_ns;	/* start time of the job */
	uint32_t which;		/* index of the case */
	uint32_t steps;		/* number of measured steps so far */
	uint64_t seed;		/* seed of the current input */
	bool complained;	/* a wrong value was reported */
};

#endif
