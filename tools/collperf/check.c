// SPDX-License-Identifier: GPL-2.0
/*
 * Check the command line and set the remaining defaults, before a rank is started. An
 * option that has no effect is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "err.h"
#include "ranks.h"
#include "units.h"

#define DEFAULT_BYTES	(256u << 10)
#define DEFAULT_STEP	(1u << 20)
#define MIN_BW		"NCCL_TESTS_MIN_BW"

/*
 * Memory in bytes that is assumed for each rank and iteration. With -I 1, rank 0 stores the
 * times of all ranks.
 */
#define BYTES_PER_ITERATION	64ull

static int refuse_useless(const struct cp_config *cfg, const char *why,
			  const char *option)
{
	rf_err("%s: no effect, because %s %s; omit %s", option, cfg->coll->name, why, option);
	return -EINVAL;
}

static int check_coll(const struct cp_config *cfg)
{
	const struct coll_collective *coll = cfg->coll;

	if (!coll->reduces && cfg->n_ops)
		return refuse_useless(cfg, "does not reduce", "-o");
	if (!coll->rooted && cfg->root != CP_NO_ROOT)
		return refuse_useless(cfg, "has no root", "-r");
	if (!coll->sized && (cfg->min_bytes != CP_NO_SIZE ||
			     cfg->max_bytes != CP_NO_SIZE))
		return refuse_useless(cfg, "moves no data", "-b and -e");
	if (!coll->sized && (cfg->step_bytes || cfg->step_factor))
		return refuse_useless(cfg, "moves no data", "-i and -f");
	if (!coll->sized && cfg->n_types)
		return refuse_useless(cfg, "moves no data", "-d");
	return 0;
}

static int check_algo(const struct cp_config *cfg)
{
	char have[64] = "";
	size_t len;

	if (cfg->algo == CP_AUTO || cfg->coll->algos[cfg->algo])
		return 0;
	for (int i = 0; i < COLL_ALGOS; i++) {
		len = strlen(have);
		if (cfg->coll->algos[i])
			snprintf(have + len, sizeof(have) - len, "%s%s",
				 len ? ", " : "", coll_algo_names[i].name);
	}
	rf_err("--algo %s: not available for %s; available: %s",
	       coll_algo_names[cfg->algo].name, cfg->coll->name, have);
	return -EINVAL;
}

static int check_root(struct cp_config *cfg)
{
	if (!cfg->coll->rooted)
		return 0;
	if (cfg->root == CP_NO_ROOT)
		cfg->root = 0;
	if (cfg->root < (int)cfg->ranks)
		return 0;
	rf_err("-r %d: no such rank; 0 to %u", cfg->root, cfg->ranks - 1);
	return -EINVAL;
}

static int check_straggler(struct cp_config *cfg)
{
	if (cfg->straggler == COLL_NO_RANK || cfg->straggler < cfg->ranks)
		return 0;
	rf_err("--straggler: rank %u does not exist; ranks are 0 to %u", cfg->straggler,
	       cfg->ranks - 1);
	return -EINVAL;
}

static int check_place(struct cp_config *cfg)
{
	bool failover = cfg->options.verbs.failover;

	if (!cfg->place)
		cfg->place = cfg->options.timeline_path || failover ?
			     CP_OUT_OF_PLACE : CP_OUT_OF_PLACE | CP_IN_PLACE;
	if (failover && cfg->place & CP_IN_PLACE) {
		rf_err("--failover: a collective in place changes its input and cannot be repeated; use --place out");
		return -EINVAL;
	}
	if (cfg->coll->in_place && cfg->coll->sized)
		return 0;
	cfg->place &= ~(uint32_t)CP_IN_PLACE;
	if (cfg->place)
		return 0;
	rf_err("--place in: %s cannot run in place; use --place out", cfg->coll->name);
	return -EINVAL;
}

static int check_failover(struct cp_config *cfg)
{
	if (!cfg->options.verbs.failover || cfg->options.verbs.rails > 1)
		return 0;
	rf_err("--failover: no effect, because each rank has one device; add --rails 2");
	return -EINVAL;
}

static int check_iters(const struct cp_config *cfg)
{
	if (cfg->compute_ns && !cfg->blocking)
		rf_err("--compute: no effect without -z 1; add -z 1");
	else if (cfg->skip && !cfg->per_iter)
		rf_err("-K: no effect without -I 1; add -I 1");
	else if (cfg->skip >= cfg->iters)
		rf_err("-K %u: out of range; must be less than the value of -n, %u",
		       cfg->skip, cfg->iters);
	else
		return 0;
	return -EINVAL;
}

static int check_sizes(struct cp_config *cfg)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];

	if (cfg->step_bytes && cfg->step_factor) {
		rf_err("-i and -f: only one of them can be given");
		return -EINVAL;
	}
	if (!cfg->step_bytes)
		cfg->step_bytes = DEFAULT_STEP;
	if (cfg->min_bytes == CP_NO_SIZE)
		cfg->min_bytes = cfg->coll->sized ? DEFAULT_BYTES : 0;
	if (cfg->max_bytes == CP_NO_SIZE)
		cfg->max_bytes = cfg->min_bytes;
	if (cfg->max_bytes >= cfg->min_bytes)
		return 0;
	rf_err("-e %s: out of range; must not be less than the value of -b, %s",
	       rf_fmt_size(cfg->max_bytes, max),
	       rf_fmt_size(cfg->min_bytes, min));
	return -EINVAL;
}

/* Check that there is enough memory for sent and received data and for the engine. */
static int check_memory(const struct cp_config *cfg)
{
	uint64_t iters = cfg->iters * BYTES_PER_ITERATION;
	uint64_t bytes[COLL_MEMS], each;

	cp_sweep_memory(cfg, bytes);
	if (__builtin_add_overflow(bytes[COLL_SEND], bytes[COLL_RECV], &each) ||
	    __builtin_add_overflow(each, COLL_MEMORY_BESIDE + iters, &each))
		each = UINT64_MAX;
	return coll_memory_check("-e", cfg->max_bytes, each,
				 coll_options_local(&cfg->options, cfg->ranks));
}

static int check_min_bw(struct cp_config *cfg)
{
	const char *word = getenv(MIN_BW);
	char *end;

	if (!word || !*word)
		return 0;
	cfg->min_bw = strtod(word, &end);
	if (!*end && cfg->min_bw >= 0)
		return 0;
	rf_err(MIN_BW " %s: not a bandwidth; GB/s, for example 0.05", word);
	return -EINVAL;
}

/* Set the defaults of options that were not given. */
static void fill_lists(struct cp_config *cfg)
{
	if (!cfg->n_types)
		cfg->types[cfg->n_types++] = coll_type_find("float");
	if (!cfg->n_ops)
		cfg->ops[cfg->n_ops++] = coll_op_find("sum");
}

static int check_words(struct cp_config *cfg)
{
	static int (*const checks[])(struct cp_config *cfg) = {
		check_root, check_straggler, check_failover, check_place, check_sizes,
		check_min_bw,
	};
	int ret = check_coll(cfg);

	if (!ret)
		ret = check_algo(cfg);
	if (!ret)
		ret = check_iters(cfg);
	for (size_t i = 0; !ret && i < sizeof(checks) / sizeof(checks[0]); i++)
		ret = checks[i](cfg);
	fill_lists(cfg);
	return ret;
}

/**
 * cp_config_check() - check the options and set the remaining defaults
 * @cfg: the command line
 *
 * Return: 0, or -errno after a message.
 */
int cp_config_check(struct cp_config *cfg)
{
	bool speaks = coll_options_speaks(&cfg->options);
	int ret = check_words(cfg);

	if (!ret)
		ret = check_memory(cfg);
	if (!ret)
		ret = coll_options_check(&cfg->options, cfg->ranks);
	if (!ret && speaks)
		ret = coll_output_open(cfg->json_path, &cfg->json);
	if (!ret && speaks)
		ret = coll_output_open(cfg->options.timeline_path, &cfg->timeline);
	return ret;
}
