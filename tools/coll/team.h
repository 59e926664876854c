/* SPDX-License-Identifier: GPL-2.0 */
/* Join a job that another launcher started. */
#ifndef COLL_TEAM_H
#define COLL_TEAM_H

#include <stdbool.h>

#include "oob.h"

/**
 * struct coll_team - a job that another launcher started
 * @joined: true if this process is a rank of such a job; if false, the other members are
 *	not set
 * @rank: number of this rank
 * @ranks: number of ranks
 * @local_rank: number of this rank on this machine
 * @local_ranks: number of ranks on this machine
 * @host: name of this machine
 * @star: sockets between rank 0 and each other rank; see coll_star_init()
 */
struct coll_team {
	bool joined;
	int rank, ranks;
	int local_rank, local_ranks;
	char host[COLL_NAME_LEN];
	int star[COLL_RANKS_MAX][2];
};

#define COLL_BOOT_LEN	40

struct coll_options;

void coll_boot_id(char boot[COLL_BOOT_LEN]);

enum rf_exit coll_team_join(struct coll_options *opt, uint32_t *ranks,
			    const char *arguments);
void coll_team_leave(struct coll_team *team);

#endif
