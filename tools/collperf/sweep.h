/* SPDX-License-Identifier: GPL-2.0 */
/* The cases and sizes of a job */
#ifndef CP_SWEEP_H
#define CP_SWEEP_H

#include "config.h"

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
