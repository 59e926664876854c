/* SPDX-License-Identifier: GPL-2.0 */
/* Join a job that another launcher started. */
#ifndef CP_TEAM_H
#define CP_TEAM_H

#include <stdbool.h>

#include "oob.h"

/**
 * struct cp_team - a job that another launcher started
 * @joined: true if this process is a rank of such a job; if false, the other members are
 *	not set
 * @rank: number of this rank
 * @ranks: number of ranks
 * @local_rank: number of this rank on this machine
 * @local_ranks: number of ranks on this machine
 * @host: name of this machine
 * @star: sockets between rank 0 and each other rank; see cp_star_init()
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
