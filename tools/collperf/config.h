/* SPDX-License-Identifier: GPL-2.0 */
/* What the command line asks for. */
#ifndef CP_CONFIG_H
#define CP_CONFIG_H

#include <stdio.h>

#include "coll.h"
#include "datatype.h"
#include "options.h"

enum { CP_OUT_OF_PLACE = 1, CP_IN_PLACE = 2 };

/* -a: whose time is reported */
enum cp_average { CP_OF_RANK_0, CP_MEAN, CP_LEAST, CP_MOST };

#define CP_TYPES_MAX	24
#define CP_OPS_MAX	12
#define CP_NO_SIZE	UINT64_MAX
#define CP_NO_ROOT	(-1)	/* as the table prints it */
#define CP_ALL_ROOTS	(-2)
#define CP_AUTO		(-1)	/* the algorithm by size and ranks */

struct cp_config {
	int argc;
	char **argv;
	const struct cp_coll *coll;
	const struct cp_type *types[CP_TYPES_MAX];
	const struct cp_op *ops[CP_OPS_MAX];
	uint32_t n_types, n_ops;
	int root;		/* or one of the above */
	int algo;		/* enum cp_algo or CP_AUTO */

	char *agreed;		/* options that all ranks must have alike */

	uint32_t ranks;		/* 0: not said; see cp_team_join() */
	uint64_t min_bytes, max_bytes;
	uint64_t step_bytes;	/* used when step_factor is 0 */
	uint32_t step_factor;
	uint32_t iters, warmups, checks;
	uint32_t blocking;	/* 1: a barrier after every iteration */
	uint32_t place;		/* bits of CP_OUT_OF_PLACE, CP_IN_PLACE */
	uint32_t average;	/* enum cp_average */
	uint32_t per_iter;	/* 1: columns of the single iterations */
	uint32_t skip;		/* first iterations that those leave out */
	uint32_t job_timeout_s;	/* 0: none */
	double min_bw;		/* of NCCL_TESTS_MIN_BW in GB/s, or -1 */

	struct cp_options options;
	uint64_t compute_ns;	/* pause before the barrier that ends a step */
	uint32_t straggler;	/* the rank that comes late; CP_NO_RANK: none */
	uint64_t late_ns;	/* by that much */

	const char *json_path, *timeline_path;
	FILE *json, *timeline;	/* open if wanted */
	bool verbose;
};

/* What is left to do after the options are read. */
enum { CP_CONFIG_RUN = 0, CP_CONFIG_DONE = 1 };

int cp_config_parse(struct cp_config *cfg, int argc, char **argv);
int cp_config_check(struct cp_config *cfg);

#endif
