/* SPDX-License-Identifier: GPL-2.0 */
/* Progress that rank 0 prints */
#ifndef TR_SHOW_H
#define TR_SHOW_H

#include "state.h"

/**
 * struct tr_sum - sums over several steps
 * @loss: loss of the rows of these steps
 * @steps: number of steps
 * @cut: number of gradient values that were clamped
 * @step_ns: sum of the step times; the step time is the time of the slowest rank
 * @busy_ns: sum over the steps of the computing time of the straggler
 * @last: @last[r] is the number of steps in which rank r was the straggler
 */
struct tr_sum {
	struct tr_loss loss;
	uint32_t steps;
	uint64_t cut;
	uint64_t step_ns, busy_ns;
	uint32_t last[COLL_RANKS_MAX];
};

/**
 * struct tr_show - the output of rank 0
 * @cfg: the training
 * @lines: print JSON lines instead of text
 * @began_ns: start of the training
 * @drawn_ns: time when the live line was last drawn; 0: not shown
 * @epoch: sums since the last test
 * @all: sums of the whole training
 * @test: result of the last test
 */
struct tr_show {
	const struct tr_config *cfg;
	bool lines;
	uint64_t began_ns, drawn_ns;
	struct tr_sum epoch, all;
	struct tr_loss test;
};

bool tr_show_lines(const struct tr_config *cfg);
void tr_show_begin(struct tr_show *s, const struct tr_rank *me);
void tr_show_step(struct tr_show *s, const struct tr_report *all);
void tr_show_test(struct tr_show *s, uint32_t step, const struct tr_loss *test);
void tr_show_end(struct tr_show *s, const struct tr_report *all);

void tr_show_ranks(const struct tr_config *cfg, const struct coll_state *states);

#endif
