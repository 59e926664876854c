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

#define F(member)	offsetof(struct tr_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))

static const char *take_hidden(void *fields, const char *word)
{
	static const char legal[] = "1 to 15 widths from 1 to 65536, for example 64,32";
	struct tr_config *cfg = fields;
	char *end;

	for (cfg->n_hidden = 0; ; word = end + 1) {
		unsigned long v = strtoul(word, &end, 10);

		if (*word < '0' || *word > '9' || !v || v > WIDEST ||
		    (*end && *end != ',') || cfg->n_hidden == TR_LAYERS_MAX - 1)
			return legal;
		cfg->hidden[cfg->n_hidden++] = (uint32_t)v;
		if (!*end)
			return NULL;
	}
}

static bool take_float(const char *word, float max, float *v)
{
	char *end;
	float f = strtof(word, &end);

	if (end == word || *end || !(f >= 0 && f <= max))
		return false;
	*v = f;
	return true;
}

static const char *take_rate(void *fields, const char *word)
{
	struct tr_config *cfg = fields;

	return take_float(word, 100, &cfg->descent.rate) ? NULL :
	       "0 to 100, for example 0.1";
}

static const char *take_momentum(void *fields, const char *word)
{
	struct tr_config *cfg = fields;

	return take_float(word, 1, &cfg->descent.momentum) ? NULL :
	       "0 to 1, for example 0.9";
}

static const char *take_mode(void *fields, const char *word)
{
	struct tr_config *cfg = fields;

	cfg->mode = tr_mode_find(word);
	return cfg->mode ? NULL : "dp, tp or pp";
}

static const char *take_allreduce_algo(void *fields, const char *word)
{
	struct tr_config *cfg = fields;
	int algo = strcmp(word, "auto") ? coll_algo_find(word) : COLL_ALGOS;

	if (algo < 0)
		return "ring, tree, recursive, direct or auto";
	cfg->algo = (enum coll_algo)algo;
	return NULL;
}

static const char *take_checkpoint(void *fields, const char *word)
{
	static const char legal[] = "number of steps and size, for example 100,1M";
	struct tr_config *cfg = fields;
	char every[16] = "";
	size_t len = strcspn(word, ",");

	if (!word[len] || len >= sizeof(every))
		return legal;
	memcpy(every, word, len);
	if (rf_parse_u32(every, &cfg->checkpoint_every) ||
	    !cfg->checkpoint_every ||
	    rf_parse_size(word + len + 1, &cfg->checkpoint_bytes) ||
	    !cfg->checkpoint_bytes)
		return legal;
	return NULL;
}

static const struct rf_opt ranks_row[] = {
	{ 'N', "ranks", RF_OPT_NUMBER | RF_OPT_PERSONAL, F(ranks), 1,
	  COLL_RANKS_MAX, "N", "ranks, one process each; 1 to 64 (2)", NULL },
};

static const struct rf_opt training_rows[] = {
	{ 0, "data", RF_OPT_TEXT, F(data_name), 0, 0, "DATA",
	  "digits, synthetic, or a CSV file (digits)", NULL },
	{ 0, "hidden", RF_OPT_OWN, 0, 0, 0, "N,...",
	  "widths of 1 to 15 hidden layers; 1 to 65536 (64)", take_hidden },
	{ 0, "epochs", RF_OPT_NUMBER, F(epochs), 1, 1000000, "N",
	  "passes over all examples; 1 to 1000000 (20)", NULL },
	{ 0, "steps", RF_OPT_NUMBER, F(steps), 1, 100000000, "N",
	  "steps, instead of --epochs; 1 to 100000000", NULL },
	{ 0, "batch", RF_OPT_NUMBER, F(batch), 1, 1 << 20, "N",
	  "examples per step, of all ranks; 1 to 1048576 (32)", NULL },
	{ 0, "lr", RF_OPT_OWN, 0, 0, 0, "X", "learning rate; 0 to 100 (0.1)",
	  take_rate },
	{ 0, "momentum", RF_OPT_OWN, 0, 0, 0, "X",
	  "momentum; 0 to 1 (0.9)", take_momentum },
	{ 0, "seed", RF_OPT_NUMBER64, F(seed), 0, UINT64_MAX, "N",
	  "seed of weights and data; 0 to 2^64 - 1 (1)", NULL },
	{ 0, "parallel", RF_OPT_OWN, 0, 0, 0, "MODE",
	  "dp: data, tp: tensor, pp: pipeline parallel (dp)", take_mode },
	{ 0, "micro", RF_OPT_NUMBER, F(micro), 1, 1024, "N",
	  "tp, pp: micro-batches per step; 1 to 1024 (4)", NULL },
	{ 0, "algo", RF_OPT_OWN, 0, 0, 0, "NAME",
	  "dp: ring, tree, recursive, direct, auto (auto)", take_allreduce_algo },
	{ 0, "gradient", RF_OPT_SIZE, F(gradient_bytes), 1, 0, "SIZE",
	  "dp: pad the gradient to SIZE (no padding)", NULL },
	{ 0, "buckets", RF_OPT_NUMBER, F(buckets), 1, 1024, "N",
	  "dp: parts of the gradient; 1 to 1024 (1)", NULL },
	{ 0, "compute", RF_OPT_TIME, F(compute_ns), 0, 3600 * COLL_NSEC_PER_SEC,
	  "TIME", "minimum computing time per step; up to 3600s (0s)", NULL },
	{ 0, "spin", RF_OPT_FLAG, F(spin), 0, 0, NULL,
	  "with --compute: keep the CPU busy, do not sleep", NULL },
	{ 0, "load", RF_OPT_SIZE, F(load_bytes), 1, 0, "SIZE",
	  "data from rank 0 to each rank before each step", NULL },
	{ 0, "checkpoint", RF_OPT_OWN, 0, 0, 0, "N,SIZE",
	  "data from each rank to rank 0 every N steps",
	  take_checkpoint },
	{ 0, "no-check", RF_OPT_FLAG, F(unchecked), 0, 0, NULL,
	  "do not verify the received data", NULL },
};

static const struct rf_opt output_rows[] = {
	{ 0, "json", RF_OPT_FLAG | RF_OPT_PERSONAL, F(json), 0, 0, NULL,
	  "print JSON lines, also on a terminal", NULL },
	{ 0, "timeline", RF_OPT_TEXT, F(timeline_path), 0, 0, "FILE",
	  "write the steps of each rank as JSON lines", NULL },
	{ 'v', "verbose", RF_OPT_FLAG | RF_OPT_PERSONAL, F(verbose), 0, 0, NULL,
	  "print details on standard error", NULL },
	{ 'h', "help", RF_OPT_HELP, 0, 0, 0, NULL, "print this text", NULL },
	{ 'V', "version", RF_OPT_VERSION, 0, 0, 0, NULL, "print the version",
	  NULL },
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
