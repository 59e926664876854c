/* SPDX-License-Identifier: GPL-2.0 */
/* A training: its options, the ranks, and the modes in which they divide the work */
#ifndef TR_TRAIN_H
#define TR_TRAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "coll.h"
#include "net.h"
#include "plan.h"
#include "ranks.h"

struct tr_mode;
struct tr_rank;

/* config.c, check.c: the command line */

/**
 * struct tr_config - the options of a training
 * @agreed: options that must be equal in all ranks, as text
 * @ranks: number of ranks
 * @data_name: digits, synthetic or the path of a file
 * @data: the examples
 * @hidden: width of each hidden layer
 * @n_hidden: number of hidden layers
 * @net: shape of the neural network
 * @mode: parallelism: dp, tp or pp
 * @algo: algorithm of the all-reduce; COLL_ALGOS: selected by size
 * @epochs: passes over the examples; 0 if @steps was given
 * @steps: number of steps
 * @batch: rows per step, of all ranks
 * @micro: micro-batches per batch
 * @descent: learning rate and momentum
 * @seed: seed of all random numbers
 * @gradient_bytes: size to which the gradient is padded; 0: no padding
 * @compute_ns: minimum computing time per step
 * @spin: keep the CPU busy during @compute_ns instead of sleeping
 * @buckets: number of parts of the gradient that are exchanged separately
 * @checkpoint_every: steps between checkpoints; 0: none
 * @checkpoint_bytes: bytes per rank and checkpoint
 * @load_bytes: bytes that each rank loads before each step
 * @unchecked: do not verify the exchanged data
 * @json: print JSON lines, also on a terminal
 * @timeline: the open file, on the rank that writes it
 * @options: options of the transport
 */
struct tr_config {
	char *agreed;
	uint32_t ranks;
	const char *data_name;
	struct tr_data data;
	uint32_t hidden[TR_LAYERS_MAX - 1];
	int n_hidden;
	struct tr_net net;
	const struct tr_mode *mode;
	enum coll_algo algo;
	uint32_t epochs, steps, batch, micro;
	struct tr_descent descent;
	uint64_t seed;
	uint64_t gradient_bytes;
	uint64_t compute_ns;
	bool spin;
	uint32_t buckets;
	uint32_t checkpoint_every;
	uint64_t checkpoint_bytes, load_bytes;
	bool unchecked, json;
	FILE *timeline;
	struct coll_options options;
};

/* What to do after the options are read */
enum { TR_CONFIG_RUN = 0, TR_CONFIG_DONE = 1 };

int tr_config_parse(struct tr_config *cfg, int argc, char **argv);
int tr_config_check(struct tr_config *cfg);
uint32_t tr_steps_per_epoch(const struct tr_config *cfg);
uint64_t tr_vector_length(const struct tr_config *cfg);

/* mode.c: modes of parallelism: how the ranks divide the work */

/* Rows of a batch, the same on all ranks */
struct tr_rows {
	const float *x;
	const uint8_t *y;
	uint32_t n;
};

/**
 * struct tr_mode - a mode; each mode has a file
 * @name: name on the command line
 * @alike: true if all ranks have the same parameters and the same gradient
 * @check: check the options and complete @cfg->hidden; can be NULL
 * @shape: set @me->net to the part of the neural network that this rank computes; NULL if
 *	each rank computes the whole neural network
 * @start: set the initial @me->params; NULL: tr_net_start()
 * @memory: get the sizes of the memories for sent and received data, in bytes
 * @uses: get the collectives of the mode; returns their number, at most TR_USES_MAX
 * @open: make plans and allocate memory; the communicator is open
 * @close: release the resources of @open
 * @learn: one step: forward, backward, exchange, update
 * @test: forward only; adds the loss of the rows to @loss
 */
struct tr_mode {
	const char *name;
	bool alike;
	int (*check)(struct tr_config *cfg);
	void (*shape)(struct tr_rank *me);
	int (*start)(struct tr_rank *me);
	void (*memory)(const struct tr_rank *me, uint64_t bytes[COLL_MEMS]);
	int (*uses)(const struct tr_rank *me, struct coll_use *uses);
	int (*open)(struct tr_rank *me);
	void (*close)(struct tr_rank *me);
	int (*learn)(struct tr_rank *me, const struct tr_rows *rows);
	int (*test)(struct tr_rank *me, const struct tr_rows *rows,
		    struct tr_loss *loss);
};

#define TR_USES_MAX	4

extern const struct tr_mode tr_mode_dp, tr_mode_tp, tr_mode_pp;

const struct tr_mode *tr_mode_find(const char *name);

/* State of a rank, and the parts of a step */

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
 * @waited_recv_ns: total waiting time for messages before the current step
 * @waited_send_ns: total waiting time for credits and acknowledgments before the current step
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
	uint64_t waited_recv_ns, waited_send_ns;
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

/* traffic.c: transfers between two ranks, outside of collectives */

/* Connections that transfers need: between rank 0 and each rank, and between neighbors */
extern const struct coll_collective tr_star, tr_chain;

int tr_run(struct tr_rank *me, const struct coll_run *run);
int tr_send(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing);
int tr_recv(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing);
void tr_sent(struct tr_rank *me, int peer, const void *v, uint64_t bytes);
void tr_received(struct tr_rank *me, int peer, const void *v, uint64_t bytes);

/* worker.c: a thread that executes numbered jobs in order, one for each call of tr_worker_give() */

/**
 * struct tr_worker - the thread
 * @job: function that executes job @i; after it returns an error, no job is executed
 * @arg: argument of @job
 * @thread: runs from tr_worker_start() to tr_worker_stop()
 * @lock: protects the following members
 * @moved: signals a change of the following members
 * @given: number of calls of tr_worker_give() since the last tr_worker_wait()
 * @done: number of completed jobs
 * @ret: error of the job that failed
 * @started: the thread exists
 * @quit: the thread must end
 */
struct tr_worker {
	int (*job)(void *arg, uint32_t i);
	void *arg;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	uint32_t given, done;
	int ret;
	bool started, quit;
};

int tr_worker_start(struct tr_worker *w);
void tr_worker_give(struct tr_worker *w);
int tr_worker_wait(struct tr_worker *w, uint32_t jobs);
void tr_worker_stop(struct tr_worker *w);

/* show.c: progress that rank 0 prints */

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

void tr_show_begin(struct tr_show *s, const struct tr_rank *me);
void tr_show_step(struct tr_show *s, const struct tr_report *all);
void tr_show_test(struct tr_show *s, uint32_t step, const struct tr_loss *test);
void tr_show_end(struct tr_show *s, const struct tr_report *all);

/* rank.c: one rank, from start to end */
enum coll_status tr_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2]);

#endif
