// SPDX-License-Identifier: GPL-2.0
/*
 * Check the command line before a rank is started: read the examples, compute the shape of
 * the neural network, and set the remaining defaults.
 */
#include <errno.h>
#include <stdio.h>

#include "err.h"
#include "train.h"

#define DEFAULT_EPOCHS	20
#define DEFAULT_HIDDEN	64
#define DEFAULT_MICRO	4

static int check_length(struct tr_config *cfg)
{
	uint64_t steps;

	if (cfg->epochs && cfg->steps) {
		rf_err("--epochs and --steps: only one of them can be given");
		return -EINVAL;
	}
	if (cfg->batch > cfg->data.train) {
		rf_err("--batch %u: too large; the data has only %u training examples",
		       cfg->batch, cfg->data.train);
		return -EINVAL;
	}
	if (!cfg->epochs && !cfg->steps)
		cfg->epochs = DEFAULT_EPOCHS;
	if (cfg->steps)
		return 0;
	steps = (uint64_t)cfg->epochs * tr_steps_per_epoch(cfg);
	if (steps > UINT32_MAX) {
		rf_err("--epochs %u: %llu steps are too many; at most 2^32 - 1",
		       cfg->epochs, (unsigned long long)steps);
		return -EINVAL;
	}
	cfg->steps = (uint32_t)steps;
	return 0;
}

static int only_with(bool given, const char *option, const char *mode)
{
	if (!given)
		return 0;
	rf_err("%s: only valid with --parallel %s", option, mode);
	return -EINVAL;
}

/* Refuse options that would have no effect. */
static int check_mode_options(struct tr_config *cfg)
{
	bool dp = cfg->mode == tr_mode_find("dp");
	int ret;

	ret = only_with(dp && cfg->micro, "--micro", "tp or pp");
	if (!ret)
		ret = only_with(!dp && cfg->gradient_bytes, "--gradient", "dp");
	if (!ret)
		ret = only_with(!dp && cfg->buckets, "--buckets", "dp");
	if (!ret)
		ret = only_with(!dp && cfg->algo != COLL_ALGOS, "--algo", "dp");
	if (!ret && cfg->spin && !cfg->compute_ns) {
		rf_err("--spin: only valid with --compute TIME");
		ret = -EINVAL;
	}
	if (!cfg->micro)
		cfg->micro = dp ? 1 : DEFAULT_MICRO;
	if (!cfg->buckets)
		cfg->buckets = 1;
	return ret;
}

static int make_net(struct tr_config *cfg)
{
	uint32_t width[TR_LAYERS_MAX + 1] = { cfg->data.width };
	int ret;

	if (!cfg->n_hidden)
		cfg->hidden[cfg->n_hidden++] = DEFAULT_HIDDEN;
	ret = cfg->mode->check ? cfg->mode->check(cfg) : 0;
	if (ret)
		return ret;
	for (int l = 0; l < cfg->n_hidden; l++)
		width[l + 1] = cfg->hidden[l];
	width[cfg->n_hidden + 1] = cfg->data.classes;
	return tr_net_init(&cfg->net, width, cfg->n_hidden + 1);
}

static int check_gradient(const struct tr_config *cfg)
{
	if (cfg->gradient_bytes && cfg->gradient_bytes < 4 * cfg->net.n) {
		rf_err("--gradient %llu: too small; the gradient of the neural network has %llu bytes",
		       (unsigned long long)cfg->gradient_bytes,
		       (unsigned long long)(4 * cfg->net.n));
		return -EINVAL;
	}
	if (cfg->gradient_bytes % sizeof(float)) {
		rf_err("--gradient %llu: not a multiple of 4 bytes",
		       (unsigned long long)cfg->gradient_bytes);
		return -EINVAL;
	}
	if (cfg->buckets > tr_vector_length(cfg)) {
		rf_err("--buckets %u: out of range; 1 to %llu, the number of elements of the gradient",
		       cfg->buckets, (unsigned long long)tr_vector_length(cfg));
		return -EINVAL;
	}
	return 0;
}

/* An option that needs memory, and the number of bytes that it needs */
struct demand {
	const char *option;
	uint64_t bytes;
};

static uint64_t add_twice(uint64_t sum, uint64_t bytes)
{
	if (__builtin_add_overflow(sum, bytes, &sum) ||
	    __builtin_add_overflow(sum, bytes, &sum))
		return UINT64_MAX;
	return sum;
}

/*
 * Check that the ranks have enough memory. A rank needs memory for parameters,
 * momentum and gradient, and a send and a receive buffer for the data that it
 * exchanges. The error message names the option that needs most.
 */
static int check_rank_memory(const struct tr_config *cfg)
{
	uint64_t each = 3 * sizeof(float) * cfg->net.n +
			COLL_MEMORY_BESIDE;
	const struct demand all[] = {
		{ "--hidden: a gradient of", sizeof(float) * cfg->net.n },
		{ "--gradient", cfg->gradient_bytes },
		{ "--load", cfg->load_bytes },
		{ "--checkpoint", cfg->checkpoint_bytes },
		{ NULL, 0 }
	};
	const struct demand *most = all;

	for (const struct demand *d = all; d->option; d++) {
		most = d->bytes > most->bytes ? d : most;
		each = add_twice(each, d->bytes);
	}
	return coll_memory_check(most->option, most->bytes, each,
				 coll_options_local(&cfg->options, cfg->ranks));
}

/** tr_steps_per_epoch() - get the number of complete batches in one pass over the examples */
uint32_t tr_steps_per_epoch(const struct tr_config *cfg)
{
	return cfg->data.train / cfg->batch;
}

/** tr_vector_length() - get the number of elements of the exchanged gradient, with padding */
uint64_t tr_vector_length(const struct tr_config *cfg)
{
	uint64_t padded = cfg->gradient_bytes / sizeof(float);

	return padded > cfg->net.n ? padded : cfg->net.n;
}

/**
 * tr_config_check() - read the examples, check the options, set defaults
 * @cfg: the command line; gets the remaining values
 *
 * Return: 0, or -errno after an error message.
 */
int tr_config_check(struct tr_config *cfg)
{
	bool speaks = coll_options_speaks(&cfg->options);
	int ret = check_mode_options(cfg);

	if (!ret)
		ret = tr_data_get(&cfg->data, cfg->data_name, cfg->seed);
	if (!ret)
		ret = check_length(cfg);
	if (!ret)
		ret = make_net(cfg);
	if (!ret)
		ret = check_gradient(cfg);
	if (!ret)
		ret = check_rank_memory(cfg);
	if (!ret)
		ret = coll_options_check(&cfg->options, cfg->ranks);
	if (!ret && speaks)
		ret = coll_output_open(cfg->options.timeline_path, &cfg->timeline);
	return ret;
}
