/* SPDX-License-Identifier: GPL-2.0 */
/* Options of the transport, for all programs that use it */
#ifndef CP_OPTIONS_H
#define CP_OPTIONS_H

#include "args.h"
#include "team.h"
#include "transport.h"

#define CP_MEMORY_BESIDE	(8ull << 20)	/* bytes that a rank needs besides its vectors */

/**
 * struct cp_options - the transport's options
 * @devices: RDMA device of each rank on this machine
 * @n_devices: number of @devices. 0: --device is not given, and cp_options_check()
 *	selects rxe{r+1} for rank r
 * @allow_loopback: ranks can share a device
 * @verbs: parameters of every queue pair
 * @deadline_ns: maximum duration of each wait
 * @rank: number of this rank if it was started by hand, otherwise CP_NO_RANK
 * @rendezvous: HOST:PORT of rank 0 if it was started by hand, otherwise NULL
 * @team: the job, if another launcher started this rank; see cp_team_join()
 */
struct cp_options {
	char devices[CP_RANKS_MAX][CP_NAME_LEN];
	uint32_t n_devices;
	bool allow_loopback;
	struct cp_verbs_options verbs;
	uint64_t deadline_ns;
	uint32_t rank;
	const char *rendezvous;
	struct cp_team team;
};

#define CP_NO_RANK	UINT32_MAX

void cp_options_default(struct cp_options *opt);
struct cp_arg_table cp_options_ranks(struct cp_options *opt);
struct cp_arg_table cp_options_transport(struct cp_options *opt);
int cp_options_check(struct cp_options *opt, uint32_t ranks);
bool cp_options_speaks(const struct cp_options *opt);
uint32_t cp_options_local(const struct cp_options *opt, uint32_t ranks);
int cp_memory_check(const char *what, uint64_t bytes, uint64_t each,
		    uint32_t ranks);

#endif
