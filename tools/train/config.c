// SPDX-License-Identifier: GPL-2.0
/*
 * The command line. -N is the number of ranks, as in collperf; all else has a
 * long name, so that a command line in a notebook can be read a year later.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "err.h"
#include "mode.h"
#include "units.h"

#define WIDEST		65536u

#define F(member)	offsetof(struct tr_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))

static const char *take_hidden(void *fields, const char *word)
{
	static const char legal[] = "1 to 15 widths from 1 to 65536 with commas between";
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
	       "a number from 0 to 100, like 0.1";
}

static const char *take_momentum(void *fields, const char *word)
{
	struct tr_config *cfg = fields;

	return take_float(word, 1, &cfg->descent.momentum) ? NULL :
	       "a number from 0 to 1, like 0.9";
}

static const char *take_mode(void *fields, const char *word)
{
	struct tr_config *cfg = fields;

	cfg->mode = tr_mode_find(word);
	return cfg->mode ? NULL : "dp, tp or pp";
}

static const char *take_algo(void *fields, const char *word)
{
	struct tr_config *cfg = fields;
	int algo = strcmp(word, "auto") ? cp_algo_find(word) : CP_ALGOS;

	if (algo < 0)
		return "ring, tree, recursive, direct or auto";
	cfg->algo = (enum cp_algo)algo;
	return NULL;
}

static const char *take_checkpoint(void *fields, const char *word)
{
	static const char legal[] = "steps and a size, like 100,1M";
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

static const struct cp_arg rows[] = {
	{ 'N', "ranks", CP_ARG_NUMBER | CP_ARG_PERSONAL, F(ranks), 1,
	  CP_RANKS_MAX, "N",
	  "ranks: to start, each a process (2), or started by others", NULL },
	{ 0, "data", CP_ARG_TEXT, F(data_name), 0, 0, "digits|synthetic|FILE",
	  "what to learn (digits)", NULL },
	{ 0, "hidden", CP_ARG_OWN, 0, 0, 0, "N,N,...",
	  "width of each hidden layer (64)", take_hidden },
	{ 0, "epochs", CP_ARG_NUMBER, F(epochs), 1, 1000000, "N",
	  "times to go over all examples (20)", NULL },
	{ 0, "steps", CP_ARG_NUMBER, F(steps), 1, 100000000, "N",
	  "steps to do, instead of --epochs", NULL },
	{ 0, "batch", CP_ARG_NUMBER, F(batch), 1, 1 << 20, "N",
	  "examples in a step, over all ranks (32)", NULL },
	{ 0, "lr", CP_ARG_OWN, 0, 0, 0, "X", "learning rate (0.1)", take_rate },
	{ 0, "momentum", CP_ARG_OWN, 0, 0, 0, "X",
	  "share of the last step in the next (0.9)", take_momentum },
	{ 0, "seed", CP_ARG_NUMBER64, F(seed), 0, UINT64_MAX, "N",
	  "of weights, batches and the synthetic examples (1)", NULL },
	{ 0, "parallel", CP_ARG_OWN, 0, 0, 0, "dp|tp|pp",
	  "share out the data, each layer, or the layers (dp)", take_mode },
	{ 0, "micro", CP_ARG_NUMBER, F(micro), 1, 1024, "N",
	  "tp, pp: parts of a batch, one after the other (4)", NULL },
	{ 0, "algo", CP_ARG_OWN, 0, 0, 0, "ALGO",
	  "dp: ring, tree, recursive, direct or auto (auto)", take_algo },
	{ 0, "gradient", CP_ARG_SIZE, F(gradient_bytes), 1, 0, "SIZE",
	  "dp: pad the gradient to SIZE bytes (as long as it is)", NULL },
	{ 0, "buckets", CP_ARG_NUMBER, F(buckets), 1, 1024, "N",
	  "dp: N parts, each sent while the next is computed (1)", NULL },
	{ 0, "compute", CP_ARG_TIME, F(compute_ns), 0, 3600 * CP_NSEC_PER_SEC,
	  "TIME", "make computing last so long in a step (0ms)", NULL },
	{ 0, "spin", CP_ARG_FLAG, F(spin), 0, 0, NULL,
	  "with --compute: keep the processor busy, don't sleep", NULL },
	{ 0, "load", CP_ARG_SIZE, F(load_bytes), 1, 0, "SIZE",
	  "bytes that each rank gets from rank 0 before a step", NULL },
	{ 0, "checkpoint", CP_ARG_OWN, 0, 0, 0, "EVERY,SIZE",
	  "every so many steps each rank sends rank 0 SIZE bytes",
	  take_checkpoint },
	{ 0, "no-check", CP_ARG_FLAG, F(unchecked), 0, 0, NULL,
	  "don't verify what travelled", NULL },
	{ 0, "json", CP_ARG_FLAG | CP_ARG_PERSONAL, F(json), 0, 0, NULL,
	  "JSON lines, as when stdout is no terminal", NULL },
};

static const struct cp_arg last_rows[] = {
	{ 'v', "verbose", CP_ARG_FLAG | CP_ARG_PERSONAL, F(verbose), 0, 0, NULL,
	  "say on stderr what is tried and left out", NULL },
	{ 'h', "help", CP_ARG_HELP, 0, 0, 0, NULL, "this", NULL },
	{ 'V', "version", CP_ARG_VERSION, 0, 0, 0, NULL, "the version",
	  NULL },
};

static void defaults(struct tr_config *cfg)
{
	*cfg = (struct tr_config){
		.data_name = "digits",
		.mode = tr_mode_find("dp"),
		.algo = CP_ALGOS,
		.batch = 32,
		.descent = { .rate = 0.1f, .momentum = 0.9f },
		.seed = 1,
	};
	cp_options_default(&cfg->options);
}

static int too_much(const char *word)
{
	rf_err("there is nothing but options, not '%s'; see train --help",
	       word);
	return -EINVAL;
}

/**
 * tr_config_parse() - read the command line
 * @cfg: to be filled in
 * @argc: as of main()
 * @argv: as of main()
 *
 * Return: TR_CONFIG_RUN, TR_CONFIG_DONE after --help, or -EINVAL after a
 * message.
 */
int tr_config_parse(struct tr_config *cfg, int argc, char **argv)
{
	const struct cp_arg_table tables[] = {
		{ rows, N_ROWS(rows), cfg },
		cp_options_table(&cfg->options),
		{ last_rows, N_ROWS(last_rows), cfg },
	};
	const struct cp_args args = {
		.synopsis = "[OPTION]...",
		.end = "See train(1).\n",
		.tables = tables,
		.n = N_ROWS(tables),
		.agreed = &cfg->agreed,
	};
	int first;

	defaults(cfg);
	first = cp_args_parse(&args, argc, argv);
	if (first < 0)
		return first;
	if (first == CP_ARGS_DONE)
		return TR_CONFIG_DONE;
	return first < argc ? too_much(argv[first]) : TR_CONFIG_RUN;
}
