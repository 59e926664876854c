// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of mpirun: one application per rank, so that each rank gets the variables of
 * its node. Rank r, counted from 0, runs on node r + 1.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

#define WORDS_PER_RANK 12		/* with the colon between two ranks */

struct line {
	char **argv;
	size_t n;
	int err;
};

static void add_mpirun_word(struct line *line, const char *word)
{
	char *copy = strdup(word);

	if (copy)
		line->argv[line->n++] = copy;
	else
		line->err = -ENOMEM;
}

static void add_rank(struct line *line, const struct rf_cluster *c, const struct rf_process *p,
		     uint32_t rank)
{
	struct rf_env env = { };
	size_t i;

	if (rank)
		add_mpirun_word(line, ":");
	add_mpirun_word(line, "-n");
	add_mpirun_word(line, "1");
	add_mpirun_word(line, "/usr/bin/env");
	line->err = rf_env_put(&env, "RF_RANK=%u", rank);
	if (!line->err)
		line->err = rf_node_env(&env, c, rank + 1);
	for (i = 0; i < env.n; i++)
		add_mpirun_word(line, env.v[i]);
	rf_env_free(&env);
	add_mpirun_word(line, "/bin/sh");
	add_mpirun_word(line, "-c");
	add_mpirun_word(line, p->run);
}

/**
 * rf_mpirun_argv - make the command line that starts the ranks of a process
 * @c: the cluster
 * @p: the process, with a number of ranks
 *
 * Return: the command line, for rf_workload_argv_free(), or NULL if there is no memory.
 */
char **rf_mpirun_argv(const struct rf_cluster *c, const struct rf_process *p)
{
	struct line line = {
		.argv = calloc(p->ranks * WORDS_PER_RANK + 3, sizeof(*line.argv)),
	};
	uint32_t rank;

	if (!line.argv)
		return NULL;
	add_mpirun_word(&line, "mpirun");
	add_mpirun_word(&line, "--oversubscribe");
	for (rank = 0; !line.err && rank < p->ranks; rank++)
		add_rank(&line, c, p, rank);
	if (!line.err)
		return line.argv;
	rf_workload_argv_free(line.argv);
	return NULL;
}
