/* SPDX-License-Identifier: GPL-2.0 */
/* The ranks of a job that others started, as one of them sees it. */
#ifndef CP_TEAM_H
#define CP_TEAM_H

#include <stdbool.h>

#include "oob.h"

/**
 * struct cp_team - what this process knows of the job it was started in
 * @joined: others started the ranks, and this process is one of them; if not,
 *	the rest means nothing
 * @rank: its number
 * @ranks: how many
 * @local_rank: its number among those of this machine
 * @local_ranks: how many of them
 * @host: this machine
 * @star: the sockets, for cp_star_init()
 */
struct cp_team {
	bool joined;
	int rank, ranks;
	int local_rank, local_ranks;
	char host[CP_NAME_LEN];
	int star[CP_RANKS_MAX][2];
};

#define CP_BOOT_LEN	40

struct cp_options;

void cp_boot_id(char boot[CP_BOOT_LEN]);

enum rf_exit cp_team_join(struct cp_options *opt, uint32_t *ranks,
			  const char *arguments);
void cp_team_leave(struct cp_team *team);

#endif
