/* SPDX-License-Identifier: GPL-2.0 */
/* Generate inputs for which the exact result is known, and check results. */
#ifndef CP_VERIFY_H
#define CP_VERIFY_H

#include <stdint.h>

#include "coll.h"
#include "datatype.h"

/**
 * struct cp_pattern - one period of inputs and expected results
 * @type: element type
 * @op: the reduction, or NULL
 * @rank: this rank
 * @ranks: number of ranks
 * @input: input of this rank
 * @want: expected result of the reduction; unused if @op is NULL
 * @other: input of rank @others
 * @others: rank of @other; -1: none yet
 */
struct cp_pattern {
	const struct cp_type *type;
	const struct cp_op *op;
	int rank, ranks;
	void *input, *want, *other;
	int others;
};

/**
 * struct cp_mismatch - the first wrong element
 * @at: position in the result, in elements
 * @from: the rank that the element must come from, or CP_ALL_RANKS
 * @got: value of the element, as text
 * @want: the expected value, as text
 */
struct cp_mismatch {
	uint64_t at;
	int from;
	char got[32], want[32];
};

int cp_pattern_init(struct cp_pattern *pat, const struct cp_type *type,
		    const struct cp_op *op, int rank, int ranks);
void cp_pattern_free(struct cp_pattern *pat);

void cp_pattern_prepare(const struct cp_pattern *pat,
			const struct cp_coll *coll,
			const struct cp_shape *shape,
			void *const mem[CP_MEMS], uint64_t seed);
uint64_t cp_pattern_check(struct cp_pattern *pat, const struct cp_coll *coll,
			  const struct cp_shape *shape, const void *received,
			  uint64_t seed, struct cp_mismatch *first);

#endif
