/* SPDX-License-Identifier: GPL-2.0 */
/* Start the ranks, and wait until they end. */
#ifndef COLL_LAUNCH_H
#define COLL_LAUNCH_H

#include "team.h"

/**
 * struct coll_job - a job
 * @ranks: number of ranks
 * @records: maximum number of recorded steps per rank, or 0
 * @verbose: after a failure, print the reason of each rank
 * @be_rank: runs rank @rank until it ends; @star has the sockets, see
 *	coll_star_init()
 * @ended: called after all ranks have ended, with the complete status page;
 *	returns 0, or an error after a message. Can be NULL.
 * @arg: passed to @be_rank and @ended
 * @team: result of coll_team_join(). NULL, or team->joined is false: the launcher starts
 *	the ranks
 */
struct coll_job {
	uint32_t ranks;
	uint64_t records;
	bool verbose;
	enum coll_status (*be_rank)(void *arg, int rank, struct coll_state *state,
				    int star[][2]);
	int (*ended)(void *arg, const struct coll_state *states);
	void *arg;
	const struct coll_team *team;
};

int coll_launch(const struct coll_job *job);
int coll_member(const struct coll_job *job);

#endif
