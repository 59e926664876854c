/* SPDX-License-Identifier: GPL-2.0 */
/* A rank and all that it works with. */
#ifndef TR_RANK_H
#define TR_RANK_H

#include "comm.h"
#include "config.h"
#include "mode.h"
#include "step.h"

/**
 * struct tr_report - what a rank tells all others at the end of a step
 * @step: the step
 * @loss: of the rows that it took to their end
 * @given: digest of what it contributed to the step's exchanges
 * @got: digest of their results; see judge.c
 * @weights: hash of its parameters after the step
 * @cut: values of the gradient that were too large to be added up exactly
 * @busy_ns: what the rank was about itself, before or between exchanges
 * @step_ns: the whole step, up to this report
 * @start_ns: when it began, by the machine's own clock
 */
struct tr_report {
	uint32_t step;
	struct tr_loss loss;
	uint64_t given, got, weights, cut;
	uint64_t busy_ns, step_ns, start_ns;
};

/* Hashes over all messages of a step, by peer; where the gradient isn't one */
struct tr_account {
	uint64_t sent[CP_RANKS_MAX], received[CP_RANKS_MAX];
};

/**
 * struct tr_rank - a rank
 * @cfg: what is wanted
 * @state: own part of the board
 * @comm: the way to the others
 * @rank: own number
 * @ranks: how many
 * @announcer: announces steps to the port
 * @net: the shape of what this rank computes with
 * @params: parameters
 * @velocity: of the parameters
 * @grad: gradient
 * @pass: room for a batch
 * @order: the examples in this epoch's order
 * @batch: the rows of the step
 * @own: what the mode keeps
 * @extra_at: where checkpoints and loading have their part of CP_SEND and
 *	CP_RECV
 * @now: of the step in work
 * @account: of its messages
 * @started_ns: when it began
 * @away_ns: of it, spent in exchanges
 */
struct tr_rank {
	const struct tr_config *cfg;
	struct cp_state *state;
	struct cp_comm comm;
	int rank, ranks;
	struct cp_announcer announcer;
	struct tr_net net;
	float *params, *velocity, *grad;
	struct tr_pass pass;
	uint32_t *order;
	struct tr_rows batch;
	void *own;
	uint64_t extra_at[CP_MEMS];
	struct tr_report now;
	struct tr_account account;
	uint64_t started_ns, away_ns;
};

enum cp_status tr_rank(void *cfg, int rank, struct cp_state *state,
		       int star[][2]);

/* batch.c: which rows, in which order */
int tr_batch_open(struct tr_rank *me);
void tr_batch_close(struct tr_rank *me);
void tr_batch_take(struct tr_rank *me, uint32_t step);

/* compute.c: time that computing takes */
#define TR_FORWARD	(1.0 / 3)

int tr_compute_until(struct tr_rank *me, uint64_t begin, double share);

/* judge.c: is what travelled what was sent, and are all of one mind */
int tr_judge(struct tr_rank *me, const struct tr_report *all);

/* extra.c: checkpoints and loading */
void tr_extra_memory(struct tr_rank *me, uint64_t bytes[CP_MEMS]);
int tr_extra_uses(const struct tr_rank *me, struct cp_use *uses);
int tr_load(struct tr_rank *me);
int tr_checkpoint(struct tr_rank *me, uint32_t step);

#endif
