// SPDX-License-Identifier: GPL-2.0
/*
 * A single rank that another launcher started.
 *
 * This rank has a separate status page, prints its own error message, and reports its
 * result to the launcher with its exit status. If another rank fails, rank 0 sends the
 * reason to this rank (oob.c).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "coll.h"
#include "err.h"

static int print_failure(const struct coll_state *st, int rank)
{
	char name[COLL_RANK_NAME_LEN];

	coll_rank_name(st, rank, name, sizeof(name));
	if (st->status == COLL_ENDED)
		rf_err("%s: interrupted", name);
	else if (st->status == COLL_LOST_PEER)
		rf_err("%s: %s", name, st->error);
	else if (st->status >= COLL_FAILED)
		rf_err("%s failed: %s", name, st->error);
	return coll_exit_status(st->status);
}

/**
 * coll_member() - run this process as one rank of a job that another launcher started
 * @what: the job
 *
 * Return: the exit status, enum rf_exit.
 */
int coll_member(const struct coll_job *what)
{
	struct coll_team team = *what->team;
	struct coll_state *states, *st;

	states = coll_status_page_create(team.ranks, what->records);
	if (!states) {
		rf_err("no memory for %d ranks", team.ranks);
		return RF_EXIT_INCOMPLETE;
	}
	st = &states[team.rank];
	memcpy(st->host, team.host, sizeof(st->host));
	what->be_rank(what->arg, team.rank, st, team.star);
	fflush(NULL);
	if (!team.rank && what->ended && what->ended(what->arg, states))
		return RF_EXIT_INCOMPLETE;
	return print_failure(st, team.rank);
}
