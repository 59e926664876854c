/* SPDX-License-Identifier: GPL-2.0 */
/* Options of the transport, for all programs that use it */
#ifndef COLL_OPTIONS_H
#define COLL_OPTIONS_H

#include "oob.h"
#include "opts.h"
#include "transport.h"

#define COLL_MEMORY_BESIDE	(8ull << 20)	/* bytes that a rank needs besides its vectors */

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

/**
 * struct coll_options - the transport's options
 * @devices: RDMA device of each rank on this machine
 * @n_devices: number of @devices. 0: --device is not given, and coll_options_check()
 *	selects rxe{r+1} for rank r
 * @allow_loopback: ranks can share a device
 * @verbs: parameters of every queue pair
 * @deadline_ns: maximum duration of each wait
 * @rank: number of this rank if it was started by hand, otherwise COLL_NO_RANK
 * @rendezvous: HOST:PORT of rank 0 if it was started by hand, otherwise NULL
 * @team: the job, if another launcher started this rank; see coll_team_join()
 */
struct coll_options {
	char devices[COLL_RANKS_MAX][COLL_NAME_LEN];
	uint32_t n_devices;
	bool allow_loopback;
	struct coll_verbs_options verbs;
	uint64_t deadline_ns;
	uint32_t rank;
	const char *rendezvous;
	struct coll_team team;
};

#define COLL_NO_RANK	UINT32_MAX

void coll_options_default(struct coll_options *opt);
struct rf_opt_table coll_options_ranks(struct coll_options *opt);
struct rf_opt_table coll_options_transport(struct coll_options *opt);
int coll_options_check(struct coll_options *opt, uint32_t ranks);
bool coll_options_speaks(const struct coll_options *opt);
uint32_t coll_options_local(const struct coll_options *opt, uint32_t ranks);
int coll_memory_check(const char *what, uint64_t bytes, uint64_t each,
		      uint32_t ranks);

#endif
