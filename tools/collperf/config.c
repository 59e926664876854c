// SPDX-License-Identifier: GPL-2.0
/*
 * The command line. Letters and meanings are those of nccl-tests; what is ours
 * alone has a long name only. -N is the number of ranks, since collperf starts
 * them; -T has another long name, since --timeout is that of the queue pairs.
 *
 * -b and -e default to 256 KiB and not to 32 MiB: a software device on an
 * emulated machine moves some 50 MB/s.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "clock.h"
#include "config.h"
#include "err.h"
#include "units.h"

#define F(member)	offsetof(struct cp_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))
#define LEGAL_LEN	256

/* A list of words, for a refusal; the last one behind "or". */
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

	cfg->types[0] = cp_type_find(word);
	cfg->n_types = 1;
	if (cfg->types[0])
		return NULL;
	cfg->n_types = 0;
	legal[0] = '\0';
	for (const struct cp_type *t = cp_types; t->name; t++) {
		cfg->types[cfg->n_types++] = t;
		list_word(t->name, false);
	}
	list_word("all", true);
	return strcmp(word, "all") ? legal : NULL;
}

static const char *take_ops(void *fields, const char *word)
{
	struct cp_config *cfg = fields;

	cfg->ops[0] = cp_op_find(word);
	cfg->n_ops = 1;
	if (cfg->ops[0])
		return NULL;
	cfg->n_ops = 0;
	legal[0] = '\0';
	for (const struct cp_op *o = cp_ops; o->name; o++) {
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
	if (rf_parse_u32(word, &root) || root >= CP_RANKS_MAX)
		return "the number of a rank, or all";
	cfg->root = (int)root;
	return NULL;
}

static const char *take_algo(void *fields, const char *word)
{
	struct cp_config *cfg = fields;

	cfg->algo = strcmp(word, "auto") ? cp_algo_find(word) : CP_AUTO;
	if (cfg->algo >= 0 || !strcmp(word, "auto"))
		return NULL;
	legal[0] = '\0';
	for (int i = 0; i < CP_ALGOS; i++)
		list_word(cp_algo_names[i], false);
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

/* RANK,TIME */
static const char *take_straggler(void *fields, const char *word)
{
	struct cp_config *cfg = fields;
	size_t len = strcspn(word, ",");
	char rank[8];

	if (!word[len] || len >= sizeof(rank))
		return "a rank and how late it is, as 5,200ms";
	memcpy(rank, word, len);
	rank[len] = '\0';
	if (rf_parse_u32(rank, &cfg->straggler) ||
	    rf_parse_time(word + len + 1, &cfg->late_ns) || !cfg->late_ns ||
	    cfg->late_ns > 3600 * CP_NSEC_PER_SEC)
		return "a rank and how late it is, up to 3600s, as 5,200ms";
	return NULL;
}

static const struct cp_arg rows[] = {
	{ 'N', "ranks", CP_ARG_NUMBER | CP_ARG_PERSONAL, F(ranks), 1,
	  CP_RANKS_MAX, "N",
	  "ranks: to start, each a process (2), or started by others", NULL },
	{ 'b', "minbytes", CP_ARG_SIZE, F(min_bytes), 0, 0, "SIZE",
	  "smallest size; K, M, G are binary (256K)", NULL },
	{ 'e', "maxbytes", CP_ARG_SIZE, F(max_bytes), 0, 0, "SIZE",
	  "largest size (the same as -b)", NULL },
	{ 'i', "stepbytes", CP_ARG_SIZE, F(step_bytes), 1, 0, "SIZE",
	  "add SIZE from size to size (1M)", NULL },
	{ 'f', "stepfactor", CP_ARG_NUMBER, F(step_factor), 2, 1u << 20, "N",
	  "multiply by N from size to size, instead of -i", NULL },
	{ 'n', "iters", CP_ARG_NUMBER, F(iters), 1, 10000000, "N",
	  "measured iterations (20)", NULL },
	{ 'w', "warmup_iters", CP_ARG_NUMBER, F(warmups), 0, 10000000, "N",
	  "warm-up iterations (1)", NULL },
	{ 'c', "check", CP_ARG_NUMBER, F(checks), 0, 10000000, "N",
	  "verified iterations; 0 verifies nothing (1); with -z 1 all or none",
	  NULL },
	{ 'o', "op", CP_ARG_OWN, 0, 0, 0, "OP|all",
	  "sum, prod, min, max or avg (sum)", take_ops },
	{ 'd', "datatype", CP_ARG_OWN, 0, 0, 0, "TYPE|all",
	  "float, double, half, bfloat16, [u]int8, [u]int32, [u]int64 (float)",
	  take_types },
	{ 'r', "root", CP_ARG_OWN, 0, 0, 0, "RANK|all",
	  "root of broadcast and reduce (0)", take_root },
	{ 'z', "blocking", CP_ARG_NUMBER, F(blocking), 0, 1, "0|1",
	  "1: all ranks wait for one another after each iteration (0)", NULL },
	{ 'a', "average", CP_ARG_NUMBER, F(average), 0, 3, "0|1|2|3",
	  "time of rank 0, mean, least or most of the ranks (1: mean)", NULL },
	{ 'I', "per_iter_timing", CP_ARG_NUMBER, F(per_iter), 0, 1, "0|1",
	  "1: columns with the spread of the single iterations (0)", NULL },
	{ 'K', "per_iter_skip", CP_ARG_NUMBER, F(skip), 0, 10000000, "N",
	  "with -I 1: leave the first N out of these columns (0)", NULL },
	{ 'T', "job-timeout", CP_ARG_NUMBER, F(job_timeout_s), 0, 1000000, "N",
	  "seconds after which a job fails that isn't done; 0: never (0)",
	  NULL },
	{ 'J', "output_file", CP_ARG_TEXT | CP_ARG_PERSONAL, F(json_path),
	  0, 0, "FILE",
	  "write the results as JSON too", NULL },
	{ 0, "algo", CP_ARG_OWN, 0, 0, 0, "ALGORITHM",
	  "ring, tree, recursive, direct, or auto: by size and ranks (auto)",
	  take_algo },
	{ 0, "place", CP_ARG_OWN, 0, 0, 0, "out|in|both",
	  "out-of-place, in-place, or both (both; with --timeline: out)",
	  take_place },
	{ 0, "compute", CP_ARG_TIME, F(compute_ns), 0, 3600 * CP_NSEC_PER_SEC,
	  "TIME", "with -z 1: sleep between steps, as if computing (0ms)",
	  NULL },
	{ 0, "straggler", CP_ARG_OWN, 0, 0, 0, "RANK,TIME",
	  "this rank begins each measured iteration so late", take_straggler },
	{ 0, "timeline", CP_ARG_TEXT, F(timeline_path), 0, 0, "FILE",
	  "write each rank's steps as JSON lines", NULL },
};

static const struct cp_arg last_rows[] = {
	{ 'v', "verbose", CP_ARG_FLAG | CP_ARG_PERSONAL, F(verbose), 0, 0, NULL,
	  "say on stderr what is tried and left out", NULL },
	{ 'h', "help", CP_ARG_HELP, 0, 0, 0, NULL, "this", NULL },
	{ 'V', "version", CP_ARG_VERSION, 0, 0, 0, NULL, "the version",
	  NULL },
};

static void list_collectives(void)
{
	printf("collectives:");
	for (const struct cp_coll *c = cp_colls; c->name; c++)
		printf(" %s", c->name);
	printf("\n\n");
}

static void defaults(struct cp_config *cfg, int argc, char **argv)
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
		.straggler = CP_NO_RANK,
		.min_bw = -1,
	};
	cp_options_default(&cfg->options);
}

static int refuse_collective(const char *word)
{
	legal[0] = '\0';
	for (const struct cp_coll *c = cp_colls; c->name; c++)
		list_word(c->name, !c[1].name);
	if (word)
		rf_err("unknown collective '%s'; there is %s", word, legal);
	else
		rf_err("which collective? there is %s; see collperf --help",
		       legal);
	return -EINVAL;
}

static int take_collective(struct cp_config *cfg, int left, char **words)
{
	if (left > 1) {
		rf_err("one collective at a time, not also '%s'", words[1]);
		return -EINVAL;
	}
	cfg->coll = left ? cp_coll_find(words[0]) : NULL;
	return cfg->coll ? 0 : refuse_collective(left ? words[0] : NULL);
}

/**
 * cp_config_parse() - read the command line
 * @cfg: to be filled in
 * @argc: as of main()
 * @argv: as of main()
 *
 * Return: CP_CONFIG_RUN, CP_CONFIG_DONE after --help, or -EINVAL after a
 * message.
 */
int cp_config_parse(struct cp_config *cfg, int argc, char **argv)
{
	const struct cp_arg_table tables[] = {
		{ rows, N_ROWS(rows), cfg },
		cp_options_table(&cfg->options),
		{ last_rows, N_ROWS(last_rows), cfg },
	};
	const struct cp_args args = {
		.synopsis = "COLLECTIVE [OPTION]...",
		.about = list_collectives,
		.end = "See collperf(1).\n",
		.tables = tables,
		.n = N_ROWS(tables),
		.agreed = &cfg->agreed,
	};
	int first;

	defaults(cfg, argc, argv);
	first = cp_args_parse(&args, argc, argv);
	if (first < 0)
		return first;
	if (first == CP_ARGS_DONE)
		return CP_CONFIG_DONE;
	return take_collective(cfg, argc - first, argv + first);
}
