/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_MEMO_H
#define RF_MEMO_H

#include "pure.h"

struct rf_note;

/**
 * struct rf_memo - what a rule remembers of flows and QPs; zeroes are empty
 * @bucket: the notes by key; NULL until there is one
 * @step: the step that was hit last
 * @step_hit: there is one
 */
struct rf_memo {
	struct rf_note **bucket;
	u32 step;
	bool step_hit;
};

void *rf_memo_find(struct rf_memo *memo, u64 key);
void *rf_memo_get(struct rf_memo *memo, u64 key, size_t size);
void rf_memo_forget(struct rf_memo *memo);

#endif
