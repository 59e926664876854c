// SPDX-License-Identifier: GPL-2.0
/*
 * The steps of a command whose ranks write them to files: steps.RANK.jsonl in the directory of
 * the case (RF_STEPS). The library librdmafault-mpi writes a line per collective with the real
 * start and end, see rdmafault-step(7). Several collectives can belong to a step.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "json.h"
#include "runner.h"

#define STEPS_MAX 100000	/* as "steps" of a workload */

/* The file of a rank while it is read */
struct step_file {
	uint32_t rank, ranks, iters;	/* iters: number of @steps */
	char netdev[16];		/* "": unknown */
	struct rf_step *steps;
	uint64_t *bytes;		/* of each step */
	bool all_reduce;		/* each step is an all-reduce */
	char why[128];
};

static int take_file_job(struct step_file *sf, struct json_object *o)
{
	uint32_t rank;

	if (!rf_get_u32(o, "rank", RF_RANKS_MAX - 1, &rank) || rank != sf->rank ||
	    !rf_get_u32(o, "ranks", UINT32_MAX, &sf->ranks) || sf->ranks <= rank ||
	    !rf_get_text(o, "netdev", sf->netdev, sizeof(sf->netdev)))
		return -EINVAL;
	return 0;
}

static int room_for_steps(struct step_file *sf, uint32_t iters)
{
	struct rf_step *steps = reallocarray(sf->steps, iters, sizeof(*steps));
	uint64_t *bytes = steps ? reallocarray(sf->bytes, iters, sizeof(*bytes)) : NULL;

	sf->steps = steps ? steps : sf->steps;
	if (!bytes)
		return -ENOMEM;
	sf->bytes = bytes;
	for (; sf->iters < iters; sf->iters++) {
		sf->steps[sf->iters] = (struct rf_step){ };
		sf->bytes[sf->iters] = 0;
	}
	return 0;
}

static int take_file_step(struct step_file *sf, struct json_object *o)
{
	uint64_t start, end, bytes;
	struct rf_step *s;
	char op[32];
	uint32_t step;

	if (!rf_get_u32(o, "step", UINT32_MAX, &step) || !step ||
	    !rf_get_text(o, "op", op, sizeof(op)) ||
	    !rf_get_u64(o, "bytes", INT64_MAX, &bytes) ||
	    !rf_get_u64(o, "start_ns", INT64_MAX, &start) ||
	    !rf_get_u64(o, "end_ns", INT64_MAX, &end) || end < start)
		return -EINVAL;
	if (step > STEPS_MAX) {
		snprintf(sf->why, sizeof(sf->why), "step %u is greater than %u; RF_STEP_EVERY makes one step of several collectives",
			 step, STEPS_MAX);
		return -EINVAL;
	}
	if (step > sf->iters && room_for_steps(sf, step))
		return -ENOMEM;
	s = &sf->steps[step - 1];
	s->start_ns = s->seen && s->start_ns < start ? s->start_ns : start;
	s->end_ns = s->seen && s->end_ns > end ? s->end_ns : end;
	s->sync_ns = s->end_ns;
	s->seen = true;
	sf->bytes[step - 1] += bytes;
	sf->all_reduce = sf->all_reduce && !strcmp(op, "allreduce");
	return 0;
}

static int take_file_line(void *arg, struct json_object *o)
{
	struct step_file *sf = arg;
	char type[16];

	if (!rf_get_text(o, "type", type, sizeof(type)))
		return -EINVAL;
	if (!strcmp(type, "job"))
		return take_file_job(sf, o);
	return strcmp(type, "step") ? 0 : take_file_step(sf, o);
}

/* Return: 1 if the rank has a file, 0 if not, or -errno after rf_err() */
static int read_step_file(const char *dir, uint32_t rank, struct step_file *sf)
{
	const struct rf_lines lines = {
		.take = take_file_line, .valid = "the steps of an MPI rank",
		.why = sf->why, .can_be_cut = true,
	};
	char path[PATH_MAX], name[32];
	int err;

	*sf = (struct step_file){ .rank = rank, .all_reduce = true };
	snprintf(name, sizeof(name), "steps.%u.jsonl", rank);
	if (rf_stage_path(path, dir, name))
		return -ENAMETOOLONG;
	if (access(path, F_OK))
		return 0;
	err = rf_lines_read(path, &lines, sf);
	return err ? err : 1;
}

/* Return: the bytes of each step, if all are all-reduces of the same size; otherwise 0 */
static uint64_t equal_bytes(const struct step_file *sf, uint32_t iters)
{
	uint32_t i;

	if (!sf->all_reduce || !iters || iters > sf->iters)
		return 0;
	for (i = 1; i < iters; i++)
		if (sf->bytes[i] != sf->bytes[0])
			return 0;
	return sf->bytes[0];
}

static int fill_timeline(const struct step_file *all, uint32_t ranks, uint32_t iters,
			 struct rf_timeline *tl)
{
	struct rf_step *steps = calloc((size_t)iters * ranks + 1, sizeof(*steps));
	uint32_t rank, step;

	if (!steps)
		return -ENOMEM;
	for (rank = 0; rank < ranks; rank++)
		for (step = 0; step < iters && step < all[rank].iters; step++)
			steps[(size_t)step * ranks + rank] = all[rank].steps[step];
	for (rank = 0; rank < ranks; rank++)
		tl->end[rank].seen = true;
	free(tl->steps);
	tl->steps = steps;
	tl->ranks = ranks;
	tl->iters = iters;
	tl->bytes = equal_bytes(&all[0], iters);
	return 0;
}

/* Rank R of the report is on node R + 1. Return: false after a note if a rank is not. */
static bool ranks_match_nodes(const struct step_file *all, uint32_t ranks,
			      const struct rf_cluster *c)
{
	uint32_t rank;

	for (rank = 0; rank < ranks && rank < c->nodes; rank++)
		if (all[rank].netdev[0] && strcmp(all[rank].netdev, c->node[rank].netdev)) {
			rf_note("rank %u uses %s instead of %s, so the report does not use the recorded steps; rank R must use the device of node R + 1",
				rank, all[rank].netdev, c->node[rank].netdev);
			return false;
		}
	if (ranks <= c->nodes)
		return true;
	rf_note("%u ranks on %u nodes, so the report does not use the recorded steps; at most one rank per node",
		ranks, c->nodes);
	return false;
}

/* Read the files of all ranks. @ranks: set to the number of ranks; 0: no files */
static int read_all(const char *dir, struct step_file *all, uint32_t *ranks)
{
	bool has[RF_RANKS_MAX];
	uint32_t rank;
	int found;

	*ranks = 0;
	for (rank = 0; rank < RF_RANKS_MAX; rank++) {
		found = read_step_file(dir, rank, &all[rank]);
		if (found < 0)
			return found;
		has[rank] = found;
		if (found && *ranks < all[rank].ranks)
			*ranks = all[rank].ranks;
		if (found && *ranks <= rank)
			*ranks = rank + 1;
	}
	for (rank = 0; rank < *ranks && rank < RF_RANKS_MAX; rank++)
		if (!has[rank])
			rf_note("%s/steps.%u.jsonl: no such file; the steps of rank %u are not known",
				dir, rank, rank);
	return 0;
}

/**
 * rf_step_files_read - read the steps that the ranks of a command wrote to files
 * @dir: directory of the case
 * @c: the cluster
 * @steps: number of steps of the scenario; 0: all steps of the files
 * @tl: the timeline of the command; its steps are replaced if there are files
 *
 * A rank without a file has no steps. The last line of a file can be cut off, because the rank
 * can have been killed.
 *
 * Return: 0, also without files, or -errno after rf_err().
 */
int rf_step_files_read(const char *dir, const struct rf_cluster *c, uint32_t steps,
		       struct rf_timeline *tl)
{
	struct step_file *all = calloc(RF_RANKS_MAX, sizeof(*all));
	uint32_t ranks, iters = steps, rank;
	int err;

	if (!all)
		return -ENOMEM;
	err = read_all(dir, all, &ranks);
	for (rank = 0; !steps && rank < RF_RANKS_MAX; rank++)
		iters = all[rank].iters > iters ? all[rank].iters : iters;
	if (!err && ranks && ranks_match_nodes(all, ranks, c))
		err = fill_timeline(all, ranks, iters, tl);
	for (rank = 0; rank < RF_RANKS_MAX; rank++) {
		free(all[rank].steps);
		free(all[rank].bytes);
	}
	free(all);
	return err;
}
