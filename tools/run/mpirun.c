// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of mpirun, which starts the same shell line in each rank. The shell takes the
 * variables of the rank's node from its arguments. Rank r, counted from 0, runs on node r + 1.
 *
 * One application per rank, with its own variables, would be simpler, but prterun of OpenMPI 5
 * crashes with several applications and --oversubscribe.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

#define WORDS 9				/* of the command line without those of the ranks */

static const char choose[] =
	"run=$1; shift; shift $OMPI_COMM_WORLD_RANK; export $1; exec /bin/sh -c \"$run\"";

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

/* Add a word with all variables of a rank. */
static void add_rank(struct line *line, const struct rf_cluster *c, uint32_t rank)
{
	struct rf_env env = { };
	char *word = NULL;
	size_t i, len;
	FILE *f;

	line->err = rf_env_put(&env, "RF_RANK=%u", rank);
	if (!line->err)
		line->err = rf_node_env(&env, c, rank + 1);
	f = open_memstream(&word, &len);
	for (i = 0; f && i < env.n; i++)
		fprintf(f, "%s%s", i ? " " : "", env.v[i]);
	if (!f || fclose(f))
		line->err = -ENOMEM;
	if (!line->err)
		add_mpirun_word(line, word);
	free(word);
	rf_env_free(&env);
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
	struct line line = { .argv = calloc(p->ranks + WORDS + 1, sizeof(*line.argv)) };
	char ranks[16];
	uint32_t rank;

	if (!line.argv)
		return NULL;
	snprintf(ranks, sizeof(ranks), "%u", p->ranks);
	add_mpirun_word(&line, "mpirun");
	add_mpirun_word(&line, "--oversubscribe");
	add_mpirun_word(&line, "-n");
	add_mpirun_word(&line, ranks);
	add_mpirun_word(&line, "/bin/sh");
	add_mpirun_word(&line, "-c");
	add_mpirun_word(&line, choose);
	add_mpirun_word(&line, "sh");
	add_mpirun_word(&line, p->run);
	for (rank = 0; !line.err && rank < p->ranks; rank++)
		add_rank(&line, c, rank);
	if (!line.err)
		return line.argv;
	rf_workload_argv_free(line.argv);
	return NULL;
}
