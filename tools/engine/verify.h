/* SPDX-License-Identifier: GPL-2.0 */
/* Inputs whose results are known exactly, and the comparison with them. */
#ifndef CP_VERIFY_H
#define CP_VERIFY_H

#include <stdint.h>

#include "coll.h"
#include "datatype.h"

/**
 * struct cp_pattern - one period of what goes in and of what must come out
 * @type: element type
 * @op: the reduction, or NULL
 * @rank: own rank
 * @ranks: how many
 * @input: what this rank contributes
 * @want: what the reduction over all ranks must give; unused if @op is NULL
 * @other: what rank @others contributes
 * @others: -1: of none yet
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
 * @at: its place, in elements from the begin of what was received
 * @from: the rank whose it should be, or CP_ALL_RANKS
 * @got: what is there, as text
 * @want: what should be there
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
