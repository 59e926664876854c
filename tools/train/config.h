/* SPDX-License-Identifier: GPL-2.0 */
/* The command line */
#ifndef TR_CONFIG_H
#define TR_CONFIG_H

#include "coll.h"
#include "data.h"
#include "net.h"
#include "plan.h"

struct tr_mode;

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
 * @verbose: print details on stderr
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
	bool unchecked, json, verbose;
	struct coll_options options;
};

/* What to do after the options are read */
enum { TR_CONFIG_RUN = 0, TR_CONFIG_DONE = 1 };

/* config.c */
int tr_config_parse(struct tr_config *cfg, int argc, char **argv);

/* check.c */
int tr_config_check(struct tr_config *cfg);
uint32_t tr_steps_per_epoch(const struct tr_config *cfg);
uint64_t tr_vector_length(const struct tr_config *cfg);

#endif
