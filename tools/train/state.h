/* SPDX-License-Identifier: GPL-2.0 */
/* State of a rank, and the parts of a step */
#ifndef TR_STATE_H
#define TR_STATE_H

#include "coll.h"
#include "config.h"
#include "mode.h"

/**
 * struct tr_report - report of a rank to all others at the end of a step
 * @step: the step
 * @loss: loss of the rows that this rank completed
 * @given: digest of the data that this rank contributed to the exchanges of the step
 * @got: digest of the results that it received; see verify.c
 * @weights: hash of its parameters after the step
 * @cut: number of gradient values that were clamped
 * @busy_ns: computing time, without exchanges
 * @step_ns: time of the step, up to this report
 * @start_ns: start of the step, by the clock of the machine
 */
struct tr_report {
	uint32_t step;
	struct tr_loss loss;
	uint64_t given, got, weights, cut;
	uint64_t busy_ns, step_ns, start_ns;
};

/* Modes tp and pp: for each peer, hashes of the messages sent and received in a step */
struct tr_account {
	uint64_t sent[COLL_RANKS_MAX], received[COLL_RANKS_MAX];
};

/**
 * struct tr_rank - a rank
 * @cfg: the training
 * @state: state in the status page
 * @comm: the communicator
 * @rank: number of this rank
 * @ranks: number of ranks
 * @announcer: announces the current step to the module
 * @net: shape of the part of the neural network that this rank computes
 * @params: parameters
 * @velocity: velocity of each parameter, for the momentum
 * @grad: gradient
 * @pass: activations and deltas of a batch
 * @order: indexes of the examples, in the order of this epoch
 * @batch: the rows of the current step
 * @own: private data of the mode, such as struct dp
 * @extra_at: where the data of checkpoints and loading starts in COLL_SEND and COLL_RECV
 * @now: report of the current step
 * @account: hashes of the messages of the current step
 * @started_ns: time when the current step started
 * @away_ns: time spent in exchanges during the current step
 */
struct tr_rank {
	const struct tr_config *cfg;
	struct coll_state *state;
	struct coll_comm comm;
	int rank, ranks;
	struct coll_announcer announcer;
	struct tr_net net;
	float *params, *velocity, *grad;
	struct tr_pass pass;
	uint32_t *order;
	struct tr_rows batch;
	void *own;
	uint64_t extra_at[COLL_MEMS];
	struct tr_report now;
	struct tr_account account;
	uint64_t started_ns, away_ns;
};

/* batch.c: select the rows of a step */
int tr_batch_open(struct tr_rank *me);
void tr_batch_close(struct tr_rank *me);
void tr_batch_take(struct tr_rank *me, uint32_t step);

/* compute.c: emulated computing time */
#define TR_FORWARD	(1.0 / 3)

int tr_compute_until(struct tr_rank *me, uint64_t begin, double share);

/* verify.c: verification of the exchanged data */
int tr_verify(struct tr_rank *me, const struct tr_report *all);

/* extra.c: checkpoints and loading */
void tr_extra_memory(struct tr_rank *me, uint64_t bytes[COLL_MEMS]);
int tr_extra_uses(const struct tr_rank *me, struct coll_use *uses);
int tr_load(struct tr_rank *me);
int tr_checkpoint(struct tr_rank *me, uint32_t step);

#endif
