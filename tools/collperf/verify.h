/* SPDX-License-Identifier: GPL-2.0 */
/* Inputs whose results are known exactly, and the comparison with them. */
#ifndef CP_VERIFY_H
#define CP_VERIFY_H

#include <stdint.h>

#include "datatype.h"

/**
 * struct cp_pattern - one period of a rank's input and of the result
 * @type: element type
 * @input: what this rank contributes
 * @want: what the reduction over all ranks must give
 */
struct cp_pattern {
	const struct cp_type *type;
	void *input;
	void *want;
};

int cp_pattern_init(struct cp_pattern *pat, const struct cp_type *type,
		    const struct cp_op *op, int rank, int ranks);
void cp_pattern_free(struct cp_pattern *pat);

void cp_pattern_fill(const struct cp_pattern *pat, void *dst, uint64_t count,
		     uint64_t seed);
void cp_poison(void *dst, uint64_t bytes);
uint64_t cp_pattern_check(const struct cp_pattern *pat, const void *got,
			  uint64_t count, uint64_t seed, uint64_t *first);
size_t cp_pattern_index(uint64_t i, uint64_t seed);

#endif
