// SPDX-License-Identifier: GPL-2.0
/*
 * The command line. -N is the number of ranks, as in collperf. All other options
 * have long names, so that a saved command line is readable.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "ranks.h"
#include "train.h"
#include "units.h"

#define WIDEST		65536u

#define F(member)	.at = offsetof(struct tr_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))

static int hidden_take(const struct rf_key *key, const char *word, void *fields)
{
	struct tr_config *cfg = fields;
	char *end;

	(void)key;
	for (cfg->n_hidden = 0; ; word = end + 1) {
		unsigned long v = strtoul(word, &end, 10);

		if (*word < '0' || *word > '9' || !v || v > WIDEST ||
		    (*end && *end != ',') || cfg->n_hidden == TR_LAYERS_MAX - 1)
			return -EINVAL;
		cfg->hidden[cfg->n_hidden++] = (uint32_t)v;
		if (!*end)
			return 0;
	}
}

static const struct rf_kind hidden_kind = { .take = hidden_take };

static int float_take(const struct rf_key *key, const char *word, void *fields)
{
	char *end;
	float f = strtof(word, &end);

	if (end == word || *end || !(f >= 0 && f <= key->max))
		return -EINVAL;
	*(float *)((char *)fields + key->at) = f;
	return 0;
}

static const struct rf_kind float_kind = { .take = float_take };

static int mode_take(const struct rf_key *key, const char *word, void *fields)
{
	struct tr_config *cfg = fields;

	(void)key;
	cfg->mode = tr_mode_find(word);
	return cfg->mode ? 0 : -EINVAL;
}

static const struct rf_kind mode_kind = { .take = mode_take };

static int checkpoint_take(const struct rf_key *key, const char *word, void *fields)
{
	struct tr_config *cfg = fields;
	char every[16] = "";
	size_t len = strcspn(word, ",");

	(void)key;
	if (!word[len] || len >= sizeof(every))
		return -EINVAL;
	memcpy(every, word, len);
	if (rf_parse_u32(every, &cfg->checkpoint_every) ||
	    !cfg->checkpoint_every ||
	    rf_parse_size(word + len + 1, &cfg->checkpoint_bytes) ||
	    !cfg->checkpoint_bytes)
		return -EINVAL;
	return 0;
}

static const struct rf_kind checkpoint_kind = { .take = checkpoint_take };

static const struct rf_key ranks_row[] = {
	{ "ranks", NULL, &rf_kind_u32, F(ranks), 1, COLL_RANKS_MAX,
	  .letter = 'N', .value = "N", .personal = true,
	  .help = "ranks, one process each; 1 to 128 (2)" },
};

static const struct rf_key training_rows[] = {
	{ "data", NULL, &rf_kind_text, F(data_name), .value = "DATA",
	  .help = "digits, synthetic, or a CSV file (digits)" },
	{ "hidden", "1 to 15 widths from 1 to 65536, for example 64,32", &hidden_kind,
	  .value = "N,...", .help = "widths of 1 to 15 hidden layers; 1 to 65536 (64)" },
	{ "epochs", NULL, &rf_kind_u32, F(epochs), 1, 1000000, .value = "N",
	  .help = "passes over all examples; 1 to 1000000 (20)" },
	{ "steps", NULL, &rf_kind_u32, F(steps), 1, 100000000, .value = "N",
	  .help = "steps, instead of --epochs; 1 to 100000000" },
	{ "batch", NULL, &rf_kind_u32, F(batch), 1, 1 << 20, .value = "N",
	  .help = "examples per step, of all ranks; 1 to 1048576 (32)" },
	{ "lr", "0 to 100, for example 0.1", &float_kind, F(descent.rate), 0, 100, .value = "X",
	  .help = "learning rate; 0 to 100 (0.1)" },
	{ "momentum", "0 to 1, for example 0.9", &float_kind, F(descent.momentum), 0, 1,
	  .value = "X", .help = "momentum; 0 to 1 (0.9)" },
	{ "seed", NULL, &rf_kind_u64, F(seed), 0, UINT64_MAX, .value = "N",
	  .help = "seed of weights and data; 0 to 2^64 - 1 (1)" },
	{ "parallel", "dp, tp or pp", &mode_kind, .value = "MODE",
	  .help = "dp: data, tp: tensor, pp: pipeline parallel (dp)" },
	{ "micro", NULL, &rf_kind_u32, F(micro), 1, 1024, .value = "N",
	  .help = "tp, pp: micro-batches per step; 1 to 1024 (4)" },
	{ "algo", NULL, &rf_kind_name, F(algo), .names = coll_algo_names,
	  .value = "NAME",
	  .help = "dp: ring, tree, recursive, direct, auto (auto)" },
	{ "gradient", NULL, &rf_kind_size, F(gradient_bytes), 1, 0, .value = "SIZE",
	  .help = "dp: pad the gradient to SIZE (no padding)" },
	{ "buckets", NULL, &rf_kind_u32, F(buckets), 1, 1024, .value = "N",
	  .help = "dp: parts of the gradient; 1 to 1024 (1)" },
	{ "compute", NULL, &rf_kind_time, F(compute_ns), 0, 3600 * COLL_NSEC_PER_SEC,
	  .value = "TIME", .help = "minimum computing time per step; up to 3600s (0s)" },
	{ "spin", NULL, &rf_kind_bool, F(spin),
	  .help = "with --compute: keep the CPU busy, do not sleep" },
	{ "load", NULL, &rf_kind_size, F(load_bytes), 1, 0, .value = "SIZE",
	  .help = "data from rank 0 to each rank before each step" },
	{ "checkpoint", "number of steps and size, for example 100,1M", &checkpoint_kind,
	  .value = "N,SIZE", .help = "data from each rank to rank 0 every N steps" },
	{ "no-check", NULL, &rf_kind_bool, F(unchecked),
	  .help = "do not verify the received data" },
};

static const struct rf_key output_rows[] = {
	{ "json", NULL, &rf_kind_bool, F(json), .personal = true,
	  .help = "print JSON lines, also on a terminal" },
};

static void set_train_defaults(struct tr_config *cfg)
{
	*cfg = (struct tr_config){
		.data_name = "digits",
		.mode = tr_mode_find("dp"),
		.algo = COLL_ALGOS,
		.batch = 32,
		.descent = { .rate = 0.1f, .momentum = 0.9f },
		.seed = 1,
	};
	coll_options_default(&cfg->options);
}

static int too_much(const char *word)
{
	rf_err("%s: not an option; see train --help", word);
	return -EINVAL;
}

/**
 * tr_config_parse() - read the command line
 * @cfg: gets the values
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * Return: TR_CONFIG_RUN, TR_CONFIG_DONE after --help, or -EINVAL after an error
 * message.
 */
int tr_config_parse(struct tr_config *cfg, int argc, char **argv)
{
	const struct rf_opt_table tables[] = {
		{ "Ranks and devices", ranks_row, N_ROWS(ranks_row), cfg },
		coll_options_ranks(&cfg->options),
		{ "Training", training_rows, N_ROWS(training_rows), cfg },
		coll_options_transport(&cfg->options),
		{ "Output", output_rows, N_ROWS(output_rows), cfg },
		coll_options_output(&cfg->options),
	};
	const struct rf_opts args = {
		.synopsis = "[OPTION]...",
		.end = "Example, after \"rdmafault fabric up 4\":\n"
		       "  train -N 4 --epochs 3\n\n"
		       "See train(1).\n",
		.tables = tables,
		.n = N_ROWS(tables),
		.agreed = &cfg->agreed,
	};
	int first;

	set_train_defaults(cfg);
	first = rf_opts_parse(&args, argc, argv);
	if (first < 0)
		return first;
	if (first == RF_OPTS_DONE)
		return TR_CONFIG_DONE;
	return first < argc ? too_much(argv[first]) : TR_CONFIG_RUN;
}
