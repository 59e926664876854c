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

#define F(member)	.at = offsetof(struct cp_config, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof((rows)[0]))

/* Append a word to the list of valid words in an error message: "A, B or C". */
static void list_word(char form[RF_KEY_TEXT_LEN], const char *word, bool last)
{
	size_t len = strlen(form);

	snprintf(form + len, RF_KEY_TEXT_LEN - len, "%s%s",
		 !len ? "" : last ? " or " : ", ", word);
}

static void types_valid(const struct rf_key *key, char *form)
{
	(void)key;
	form[0] = '\0';
	for (const struct coll_type *t = coll_types; t->name; t++)
		list_word(form, t->name, false);
	list_word(form, "all", true);
}

static int types_take(const struct rf_key *key, const char *word, void *fields)
{
	struct cp_config *cfg = fields;

	(void)key;
	cfg->types[0] = coll_type_find(word);
	cfg->n_types = 1;
	if (cfg->types[0])
		return 0;
	cfg->n_types = 0;
	for (const struct coll_type *t = coll_types; t->name; t++)
		cfg->types[cfg->n_types++] = t;
	return strcmp(word, "all") ? -EINVAL : 0;
}

static const struct rf_kind types_kind = { .take = types_take, .valid = types_valid };

static void ops_valid(const struct rf_key *key, char *form)
{
	(void)key;
	form[0] = '\0';
	for (const struct coll_op *o = coll_ops; o->name; o++)
		list_word(form, o->name, false);
	list_word(form, "all", true);
}

static int ops_take(const struct rf_key *key, const char *word, void *fields)
{
	struct cp_config *cfg = fields;

	(void)key;
	cfg->ops[0] = coll_op_find(word);
	cfg->n_ops = 1;
	if (cfg->ops[0])
		return 0;
	cfg->n_ops = 0;
	for (const struct coll_op *o = coll_ops; o->name; o++)
		cfg->ops[cfg->n_ops++] = o;
	return strcmp(word, "all") ? -EINVAL : 0;
}

static const struct rf_kind ops_kind = { .take = ops_take, .valid = ops_valid };

static const struct rf_name root_names[] = { { "all", CP_ALL_ROOTS }, { } };

static const struct rf_name place_names[] = {
	{ "out", CP_OUT_OF_PLACE },
	{ "in", CP_IN_PLACE },
	{ "both", CP_OUT_OF_PLACE | CP_IN_PLACE },
	{ }
};

/* Parse the argument RANK,TIME of --straggler. */
static int straggler_take(const struct rf_key *key, const char *word, void *fields)
{
	struct cp_config *cfg = fields;
	size_t len = strcspn(word, ",");
	char rank[8];

	(void)key;
	if (!word[len] || len >= sizeof(rank))
		return -EINVAL;
	memcpy(rank, word, len);
	rank[len] = '\0';
	if (rf_parse_u32(rank, &cfg->straggler) ||
	    rf_parse_time(word + len + 1, &cfg->late_ns) || !cfg->late_ns ||
	    cfg->late_ns > 3600 * COLL_NSEC_PER_SEC)
		return -EINVAL;
	return 0;
}

static const struct rf_kind straggler_kind = { .take = straggler_take };

static const struct rf_key data_rows[] = {
	{ "minbytes", NULL, &rf_kind_size, F(min_bytes), .letter = 'b', .value = "SIZE",
	  .help = "first size, as 4096, 4K, 1M (256K)" },
	{ "maxbytes", NULL, &rf_kind_size, F(max_bytes), .letter = 'e', .value = "SIZE",
	  .help = "last size (the same as -b)" },
	{ "stepbytes", NULL, &rf_kind_size, F(step_bytes), 1, 0, .letter = 'i', .value = "SIZE",
	  .help = "difference between sizes; 1 or more (1M)" },
	{ "stepfactor", NULL, &rf_kind_u32, F(step_factor), 2, 1u << 20,
	  .letter = 'f', .value = "N",
	  .help = "factor between sizes, instead of -i; 2 to 1048576" },
	{ "datatype", NULL, &types_kind, .letter = 'd', .value = "TYPE|all",
	  .help = "float double half bfloat16 [u]int{8,32,64} (float)" },
	{ "op", NULL, &ops_kind, .letter = 'o', .value = "OP|all",
	  .help = "reduction; sum, prod, min, max, avg (sum)" },
	{ "root", "0 to 127, or all", &rf_kind_u32, F(root), 0, COLL_RANKS_MAX - 1, root_names,
	  .letter = 'r', .value = "RANK|all",
	  .help = "root of broadcast and reduce; 0 to 127 (0)" },
	{ "algo", NULL, &rf_kind_name, F(algo), .names = coll_algo_names,
	  .value = "NAME",
	  .help = "ring, tree, recursive, direct, auto (auto)" },
	{ "place", NULL, &rf_kind_name, F(place), .names = place_names, .value = "PLACE",
	  .help = "out, in, both (both; with --timeline: out)" },
};

static const struct rf_key iteration_rows[] = {
	{ "iters", NULL, &rf_kind_u32, F(iters), 1, 10000000, .letter = 'n', .value = "N",
	  .help = "measured iterations; 1 to 10000000 (20)" },
	{ "warmup_iters", NULL, &rf_kind_u32, F(warmups), 0, 10000000, .letter = 'w', .value = "N",
	  .help = "warm-up iterations; 0 to 10000000 (1)" },
	{ "check", NULL, &rf_kind_u32, F(checks), 0, 10000000, .letter = 'c', .value = "N",
	  .help = "verified iterations; with -z 1, 0 or all (1)" },
	{ "blocking", NULL, &rf_kind_u32, F(blocking), 0, 1, .letter = 'z', .value = "0|1",
	  .help = "1: barrier after each iteration (0)" },
	{ "job-timeout", NULL, &rf_kind_u32, F(job_timeout_s), 0, 1000000,
	  .letter = 'T', .value = "N",
	  .help = "time limit of the job in s; 0 to 1000000 (0: none)" },
	{ "compute", NULL, &rf_kind_time, F(compute_ns), 0, 3600 * COLL_NSEC_PER_SEC,
	  .value = "TIME", .help = "with -z 1: sleep after each step; 0 to 3600s (0s)" },
	{ "failover", NULL, &rf_kind_bool, F(options.verbs.failover),
	  .help = "after an error, repeat on the other rail (fail)" },
	{ "straggler", "rank and delay up to 3600s, for example 5,200ms", &straggler_kind,
	  .value = "RANK,TIME", .help = "this rank starts each iteration later; up to 3600s" },
	{ "stagger", NULL, &rf_kind_time, F(stagger_ns), 0, 3600 * COLL_NSEC_PER_SEC,
	  .value = "TIME", .help = "each rank starts up to TIME later; 0 to 3600s (0s)" },
	{ "seed", NULL, &rf_kind_u64, F(seed), 0, UINT64_MAX, .value = "N",
	  .help = "seed of the delays of --stagger (0)" },
};

static const struct rf_key output_rows[] = {
	{ "average", NULL, &rf_kind_u32, F(average), 0, 3, .letter = 'a', .value = "N",
	  .help = "time; 0: rank 0, 1: mean, 2: min, 3: max (1)" },
	{ "per_iter_timing", NULL, &rf_kind_u32, F(per_iter), 0, 1, .letter = 'I', .value = "0|1",
	  .help = "1: print the spread of iteration times (0)" },
	{ "per_iter_skip", NULL, &rf_kind_u32, F(skip), 0, 10000000, .letter = 'K', .value = "N",
	  .help = "with -I 1: omit the first N; less than -n (0)" },
	{ "output_file", NULL, &rf_kind_text, F(json_path),
	  .letter = 'J', .value = "FILE", .personal = true,
	  .help = "also write the results as JSON" },
};

static const struct rf_key ranks_row[] = {
	{ "ranks", NULL, &rf_kind_u32, F(ranks), 1, COLL_RANKS_MAX,
	  .letter = 'N', .value = "N", .personal = true,
	  .help = "ranks, one process each; 1 to 128 (2)" },
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
	char legal[RF_KEY_TEXT_LEN] = "";

	for (const struct coll_collective *c = coll_collectives; c->name; c++)
		list_word(legal, c->name, !c[1].name);
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
		coll_options_output(&cfg->options),
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
