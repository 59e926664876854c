/* SPDX-License-Identifier: GPL-2.0 */
/* What the command line asks for. */
#ifndef TR_CONFIG_H
#define TR_CONFIG_H

#include "coll.h"
#include "data.h"
#include "net.h"
#include "options.h"

struct tr_mode;

/**
 * struct tr_config - a training
 * @agreed: options that all ranks must have alike, as text
 * @ranks: how many
 * @data_name: digits, synthetic or a file
 * @data: the examples
 * @hidden: width of each hidden layer
 * @n_hidden: how many
 * @net: the network that comes of it
 * @mode: how the work is shared out
 * @algo: of the all_reduce; CP_ALGOS: chosen by size
 * @epochs: passes over the examples; 0 if @steps was given
 * @steps: of the whole training
 * @batch: rows in a step, of all ranks together
 * @micro: parts of the batch that go through one after the other
 * @descent: learning rate and momentum
 * @seed: of everything that is drawn
 * @gradient_bytes: what travels is padded to so much
 * @compute_ns: the least that computing takes in a step
 * @spin: compute busily up to that, instead of sleeping
 * @buckets: parts in which the gradient travels
 * @checkpoint_every: steps between checkpoints, 0: none
 * @checkpoint_bytes: that each rank sends for one
 * @load_bytes: that each rank reads before each step
 * @unchecked: don't verify what travelled
 * @json: JSON lines, also on a terminal
 * @verbose: say more on stderr
 * @options: of the transport
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
	enum cp_algo algo;
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
	struct cp_options options;
};

/* What is left to do after the options are read. */
enum { TR_CONFIG_RUN = 0, TR_CONFIG_DONE = 1 };

/* config.c */
int tr_config_parse(struct tr_config *cfg, int argc, char **argv);

/* check.c */
int tr_config_check(struct tr_config *cfg);
uint32_t tr_steps_per_epoch(const struct tr_config *cfg);
uint64_t tr_vector_length(const struct tr_config *cfg);

#endif
