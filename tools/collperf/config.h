/* SPDX-License-Identifier: GPL-2.0 */
/* What a job measures: the command line, the cases and the sizes */
#ifndef CP_CONFIG_H
#define CP_CONFIG_H

#include <stdio.h>

#include "coll.h"
#include "plan.h"

/* config.c, check.c: the command line */
enum { CP_OUT_OF_PLACE = 1, CP_IN_PLACE = 2 };

/* -a: how the times of the ranks are combined */
enum cp_average { CP_OF_RANK_0, CP_MEAN, CP_LEAST, CP_MOST };

#define CP_TYPES_MAX	24
#define CP_OPS_MAX	12
#define CP_NO_SIZE	UINT64_MAX
#define CP_NO_ROOT	(-1)	/* the collective has no root; column "root" shows -1 */
#define CP_ALL_ROOTS	(-2)
#define CP_AUTO		COLL_ALGOS	/* choose by the size and the number of ranks */

struct cp_config {
	int argc;
	char **argv;
	const struct coll_collective *coll;
	const struct coll_type *types[CP_TYPES_MAX];
	const struct coll_op *ops[CP_OPS_MAX];
	uint32_t n_types, n_ops;
	int root;		/* rank, CP_NO_ROOT or CP_ALL_ROOTS */
	int algo;		/* enum coll_algo or CP_AUTO */

	char *agreed;		/* text: options that must be equal in all ranks */

	uint32_t ranks;		/* 0: not given; see coll_team_join() */
	uint64_t min_bytes, max_bytes;
	uint64_t step_bytes;	/* used when step_factor is 0 */
	uint32_t step_factor;
	uint32_t iters, warmups, checks;
	uint32_t blocking;	/* 1: a barrier follows each iteration */
	uint32_t place;		/* bits of CP_OUT_OF_PLACE, CP_IN_PLACE */
	uint32_t average;	/* enum cp_average */
	uint32_t per_iter;	/* 1: report statistics of the iteration times */
	uint32_t skip;		/* number of first iterations that these statistics exclude */
	uint32_t job_timeout_s;	/* 0: none */
	double min_bw;		/* NCCL_TESTS_MIN_BW in GB/s, or -1 */

	struct coll_options options;
	uint64_t compute_ns;	/* duration of the emulated computation in a step */
	uint32_t straggler;	/* the delayed rank; COLL_NO_RANK: none */
	uint64_t late_ns;	/* delay of the straggler */
	uint64_t stagger_ns;	/* longest delay of each rank, drawn for each iteration */
	uint64_t seed;		/* of these delays */

	const char *json_path;
	FILE *json, *timeline;	/* open files, or NULL */
};

/* Return values of cp_config_parse(): run the job, or exit */
enum { CP_CONFIG_RUN = 0, CP_CONFIG_DONE = 1 };

int cp_config_parse(struct cp_config *cfg, int argc, char **argv);
int cp_config_check(struct cp_config *cfg);

/* sweep.c: the cases and sizes of a job */

/**
 * struct cp_case - a case: type, operation and root for all sizes
 * @type: type of the elements
 * @op: the reduction, or NULL
 * @root: the root, or CP_NO_ROOT
 */
struct cp_case {
	const struct coll_type *type;
	const struct coll_op *op;
	int root;
};

/* Return the root for plans: 0 if the collective has no root, because plans need a valid rank. */
static inline int cp_root_of(struct cp_case what)
{
	return what.root == CP_NO_ROOT ? 0 : what.root;
}

/* A measured size, as in the columns "size" (in bytes) and "count" (elements) of the table */
struct cp_size {
	uint64_t bytes, count;
};

uint32_t cp_cases(const struct cp_config *cfg);
struct cp_case cp_case(const struct cp_config *cfg, uint32_t i);

struct cp_size cp_size_of(const struct cp_config *cfg,
			  const struct coll_type *type, uint64_t bytes);
uint64_t cp_next_size(const struct cp_config *cfg, const struct coll_type *type,
		      uint64_t bytes);
enum coll_algo cp_algo_of(const struct cp_config *cfg, uint64_t bytes);
void cp_sweep_memory(const struct cp_config *cfg, uint64_t bytes[COLL_MEMS]);

uint64_t cp_sweep_steps(const struct cp_config *cfg);
uint64_t cp_sweep_runs(const struct cp_config *cfg);

#endif
