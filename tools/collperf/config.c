// SPDX-License-Identifier: GPL-2.0
/*
 * The command line. One-letter options have the meaning that they have in
 * nccl-tests; options that nccl-tests lacks have a long name only. There are two
 * differences: -N is the number of ranks, because collperf starts the ranks, and
 * the long name of -T is --job-timeout, because --timeout is the timer of the
 * queue pairs.
 *
 * -b and -e also have another default: 256 KiB instead of 32 MiB, because a software device
 * on an emulated machine transfers about 50 MB/s.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "err.h"
#include "opts.h"
#include "ranks.h"
#include "units.h"

#define F(member)	offsetof(struct cp_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))
#define LEGAL_LEN	256

/* The list of valid words in an error message: "A, B or C". */
static char legal[LEGAL_LEN];

static void list_word(const char *word, bool last)
{
	size_t len = strlen(legal);

	snprintf(legal + len, sizeof(legal) - len, "%s%s",
		 !len ? "" : last ? " or " : ", ", word);
}

static const char *take_types(void *fields, const char *word)
{
	struct cp_config *cfg = fields;

	cfg->types[0] = coll_type_find(word);
	cfg->n_types = 1;
	if (cfg->types[0])
		return NULL;
	cfg->n_types = 0;
	legal[0] = '\0';
	for (const struct coll_type *t = coll_types; t->name; t++) {
		cfg->types[cfg->n_types++] = t;
		list_word(t->name, false);
	}
	list_word("all", true);
	return strcmp(word, "all") ? legal : NULL;
}

static const char *take_ops(void *fields, const char *word)
{
	struct cp_config *cfg = fields;

	cfg->ops[0] = coll_op_find(word);
	cfg->n_ops = 1;
	if (cfg->ops[0])
		return NULL;
	cfg->n_ops = 0;
	legal[0] = '\0';
	for (const struct coll_op *o = coll_ops; o->name; o++) {
		cfg->ops[cfg->n_ops++] = o;
		list_word(o->name, false);
	}
	list_word("all", true);
	return strcmp(word, "all") ? legal : NULL;
}

static const char *take_root(void *fields, const char *word)
{
	struct cp_config *cfg = fields;
	uint32_t root;

	cfg->root = CP_ALL_ROOTS;
	if (!strcmp(word, "all"))
		return NULL;
	if (rf_parse_u32(word, &root) || root >= COLL_RANKS_MAX)
		return "0 to 63, or all";
	cfg->root = (int)root;
	return NULL;
}

static const char *take_algo(void *fields, const char *word)
{
	struct cp_config *cfg = fields;

	cfg->algo = strcmp(word, "auto") ? coll_algo_find(word) : CP_AUTO;
	if (cfg->algo >= 0 || !strcmp(word, "auto"))
		return NULL;
	legal[0] = '\0';
	for (int i = 0; i < COLL_ALGOS; i++)
		list_word(coll_algo_names[i], false);
	list_word("auto", true);
	return legal;
}

static const char *take_place(void *fields, const char *word)
{
	static const struct {
		const char *word;
		uint32_t place;
	} words[] = {
		{ "out", CP_OUT_OF_PLACE },
		{ "in", CP_IN_PLACE },
		{ "both", CP_OUT_OF_PLACE | CP_IN_PLACE },
	};
	struct cp_config *cfg = fields;

	cfg->place = 0;
	for (size_t i = 0; i < N_ROWS(words); i++)
		if (!strcmp(word, words[i].word))
			cfg->place = words[i].place;
	return cfg->place ? NULL : "out, in or both";
}

/* Parse the argument RANK,TIME of --straggler. */
static const char *take_straggler(void *fields, const char *word)
{
	struct cp_config *cfg = fields;
	size_t len = strcspn(word, ",");
	char rank[8];

	if (!word[len] || len >= sizeof(rank))
		return "rank and delay, for example 5,200ms";
	memcpy(rank, word, len);
	rank[len] = '\0';
	if (rf_parse_u32(rank, &cfg->straggler) ||
	    rf_parse_time(word + len + 1, &cfg->late_ns) || !cfg->late_ns ||
	    cfg->late_ns > 3600 * COLL_NSEC_PER_SEC)
		return "rank and delay up to 3600s, for example 5,200ms";
	return NULL;
}

static const struct rf_opt data_rows[] = {
	{ 'b', "minbytes", RF_OPT_SIZE, F(min_bytes), 0, 0, "SIZE",
	  "first size, as 4096, 4K, 1M (256K)", NULL },
	{ 'e', "maxbytes", RF_OPT_SIZE, F(max_bytes), 0, 0, "SIZE",
	  "last size (the same as -b)", NULL },
	{ 'i', "stepbytes", RF_OPT_SIZE, F(step_bytes), 1, 0, "SIZE",
	  "difference between sizes; 1 or more (1M)", NULL },
	{ 'f', "stepfactor", RF_OPT_NUMBER, F(step_factor), 2, 1u << 20, "N",
	  "factor between sizes, instead of -i; 2 to 1048576", NULL },
	{ 'd', "datatype", RF_OPT_OWN, 0, 0, 0, "TYPE|all",
	  "float double half bfloat16 [u]int{8,32,64} (float)",
	  take_types },
	{ 'o', "op", RF_OPT_OWN, 0, 0, 0, "OP|all",
	  "reduction; sum, prod, min, max, avg (sum)", take_ops },
	{ 'r', "root", RF_OPT_OWN, 0, 0, 0, "RANK|all",
	  "root of broadcast and reduce; 0 to 63 (0)", take_root },
	{ 0, "algo", RF_OPT_OWN, 0, 0, 0, "NAME",
	  "ring, tree, recursive, direct, auto (auto)", take_algo },
	{ 0, "place", RF_OPT_OWN, 0, 0, 0, "PLACE",
	  "out, in, both (both; with --timeline: out)", take_place },
};

static const struct rf_opt iteration_rows[] = {
	{ 'n', "iters", RF_OPT_NUMBER, F(iters), 1, 10000000, "N",
	  "measured iterations; 1 to 10000000 (20)", NULL },
	{ 'w', "warmup_iters", RF_OPT_NUMBER, F(warmups), 0, 10000000, "N",
	  "warm-up iterations; 0 to 10000000 (1)", NULL },
	{ 'c', "check", RF_OPT_NUMBER, F(checks), 0, 10000000, "N",
	  "verified iterations; with -z 1, 0 or all (1)", NULL },
	{ 'z', "blocking", RF_OPT_NUMBER, F(blocking), 0, 1, "0|1",
	  "1: barrier after each iteration (0)", NULL },
	{ 'T', "job-timeout", RF_OPT_NUMBER, F(job_timeout_s), 0, 1000000, "N",
	  "time limit of the job in s; 0 to 1000000 (0: none)", NULL },
	{ 0, "compute", RF_OPT_TIME, F(compute_ns), 0, 3600 * COLL_NSEC_PER_SEC,
	  "TIME", "with -z 1: sleep after each step; 0 to 3600s (0s)",
	  NULL },
	{ 0, "straggler", RF_OPT_OWN, 0, 0, 0, "RANK,TIME",
	  "this rank starts each iteration later; up to 3600s",
	  take_straggler },
};

static const struct rf_opt output_rows[] = {
	{ 'a', "average", RF_OPT_NUMBER, F(average), 0, 3, "N",
	  "time; 0: rank 0, 1: mean, 2: min, 3: max (1)", NULL },
	{ 'I', "per_iter_timing", RF_OPT_NUMBER, F(per_iter), 0, 1, "0|1",
	  "1: print the spread of iteration times (0)", NULL },
	{ 'K', "per_iter_skip", RF_OPT_NUMBER, F(skip), 0, 10000000, "N",
	  "with -I 1: omit the first N; less than -n (0)", NULL },
	{ 'J', "output_file", RF_OPT_TEXT | RF_OPT_PERSONAL, F(json_path),
	  0, 0, "FILE", "also write the results as JSON", NULL },
	{ 0, "timeline", RF_OPT_TEXT, F(timeline_path), 0, 0, "FILE",
	  "write the steps of each rank as JSON lines", NULL },
	{ 'v', "verbose", RF_OPT_FLAG | RF_OPT_PERSONAL, F(verbose), 0, 0, NULL,
	  "print details on standard error", NULL },
	{ 'h', "help", RF_OPT_HELP, 0, 0, 0, NULL, "print this text", NULL },
	{ 'V', "version", RF_OPT_VERSION, 0, 0, 0, NULL, "print the version",
	  NULL },
};

static const struct rf_opt ranks_row[] = {
	{ 'N', "ranks", RF_OPT_NUMBER | RF_OPT_PERSONAL, F(ranks), 1,
	  COLL_RANKS_MAX, "N", "ranks, one process each; 1 to 64 (2)", NULL },
};

static void list_collectives(void)
{
	int column = 80;

	printf("COLLECTIVE is one of:");
	for (const struct coll_collective *c = coll_collectives; c->name; c++) {
		int len = (int)strlen(c->name) + 1;

		if (column + len > 79)
			column = printf("\n ") - 1;
		column += printf(" %s", c->name);
	}
	printf("\n\n");
}

static void set_collperf_defaults(struct cp_config *cfg, int argc, char **argv)
{
	*cfg = (struct cp_config){
		.argc = argc,
		.argv = argv,
		.root = CP_NO_ROOT,
		.algo = CP_AUTO,
		.min_bytes = CP_NO_SIZE,
		.max_bytes = CP_NO_SIZE,
		.iters = 20,
		.warmups = 1,
		.checks = 1,
		.average = CP_MEAN,
		.straggler = COLL_NO_RANK,
		.min_bw = -1,
	};
	coll_options_default(&cfg->options);
}

static int refuse_collective(const char *word)
{
	legal[0] = '\0';
	for (const struct coll_collective *c = coll_collectives; c->name; c++)
		list_word(c->name, !c[1].name);
	if (word)
		rf_err("%s: unknown collective; %s", word, legal);
	else
		rf_err("collective missing; %s", legal);
	return -EINVAL;
}

static int take_collective(struct cp_config *cfg, int left, char **words)
{
	if (left > 1) {
		rf_err("%s: second collective; give exactly one collective",
		       words[1]);
		return -EINVAL;
	}
	cfg->coll = left ? coll_find(words[0]) : NULL;
	return cfg->coll ? 0 : refuse_collective(left ? words[0] : NULL);
}

/**
 * cp_config_parse() - read the command line
 * @cfg: gets the values
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * Return: CP_CONFIG_RUN, CP_CONFIG_DONE after --help, or -EINVAL after a
 * message.
 */
int cp_config_parse(struct cp_config *cfg, int argc, char **argv)
{
	const struct rf_opt_table tables[] = {
		{ "Ranks and devices", ranks_row, N_ROWS(ranks_row), cfg },
		coll_options_ranks(&cfg->options),
		{ "Data and collective", data_rows, N_ROWS(data_rows), cfg },
		{ "Iterations", iteration_rows, N_ROWS(iteration_rows), cfg },
		coll_options_transport(&cfg->options),
		{ "Output", output_rows, N_ROWS(output_rows), cfg },
	};
	const struct rf_opts args = {
		.synopsis = "COLLECTIVE [OPTION]...",
		.about = list_collectives,
		.end = "Example, after \"rdmafault fabric up 4\":\n"
		       "  collperf all_reduce -N 4 -b 4K -e 1M -f 2\n\n"
		       "See collperf(1).\n",
		.tables = tables,
		.n = N_ROWS(tables),
		.agreed = &cfg->agreed,
	};
	int first;

	set_collperf_defaults(cfg, argc, argv);
	first = rf_opts_parse(&args, argc, argv);
	if (first < 0)
		return first;
	if (first == RF_OPTS_DONE)
		return CP_CONFIG_DONE;
	return take_collective(cfg, argc - first, argv + first);
}
