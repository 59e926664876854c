/* SPDX-License-Identifier: GPL-2.0 */
/* Generate inputs for which the exact result is known, and check results. */
#ifndef COLL_VERIFY_H
#define COLL_VERIFY_H

#include <stdint.h>

#include "coll.h"
#include "datatype.h"

/**
 * struct coll_pattern - one period of inputs and expected results
 * @type: element type
 * @op: the reduction, or NULL
 * @rank: this rank
 * @ranks: number of ranks
 * @input: input of this rank
 * @want: expected result of the reduction; unused if @op is NULL
 * @other: input of rank @others
 * @others: rank of @other; -1: none yet
 */
struct coll_pattern {
	const struct coll_type *type;
	const struct coll_op *op;
	int rank, ranks;
	void *input, *want, *other;
	int others;
};

/**
 * struct coll_mismatch - the first wrong element
 * @at: position in the result, in elements
 * @from: the rank that the element must come from, or COLL_ALL_RANKS
 * @got: value of the element, as text
 * @want: the expected value, as text
 */
struct coll_mismatch {
	uint64_t at;
	int from;
	char got[32], want[32];
};

int coll_pattern_init(struct coll_pattern *pat, const struct coll_type *type,
		      const struct coll_op *op, int rank, int ranks);
void coll_pattern_free(struct coll_pattern *pat);

void coll_pattern_prepare(const struct coll_pattern *pat,
			  const struct coll_collective *coll,
			  const struct coll_shape *shape,
			  void *const mem[COLL_MEMS], uint64_t seed);
uint64_t coll_pattern_check(struct coll_pattern *pat, const struct coll_collective *coll,
			    const struct coll_shape *shape, const void *received,
			    uint64_t seed, struct coll_mismatch *first);

#endif
