/* SPDX-License-Identifier: GPL-2.0 */
/* Starting the ranks, and seeing all of them to their end. */
#ifndef CP_LAUNCH_H
#define CP_LAUNCH_H

#include "team.h"

/**
 * struct cp_job - what is started
 * @ranks: how many
 * @records: steps of one rank that the board has room for, or 0
 * @verbose: say every rank's reason after a failure
 * @be_rank: be rank @rank, to the end; the ends of the star's sockets are in
 *	@star, see cp_star_init()
 * @ended: all ranks have ended, however they did; @board is complete. May be
 *	NULL. Not 0: the job has failed, and why was said.
 * @arg: for the two
 * @team: what cp_team_join() found; NULL, or not joined: the ranks are started
 *	here
 */
struct cp_job {
	uint32_t ranks;
	uint64_t records;
	bool verbose;
	enum cp_status (*be_rank)(void *arg, int rank, struct cp_state *state,
				  int star[][2]);
	int (*ended)(void *arg, const struct cp_state *board);
	void *arg;
	const struct cp_team *team;
};

int cp_launch(const struct cp_job *job);
int cp_member(const struct cp_job *job);

#endif
