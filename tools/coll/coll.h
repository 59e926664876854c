/* SPDX-License-Identifier: GPL-2.0 */
/* The engine as programs use it: options, the start of ranks, and the communicator of a rank */
#ifndef COLL_COLL_H
#define COLL_COLL_H

#include <stdbool.h>
#include <stdint.h>

#include "opts.h"
#include "plan.h"
#include "ranks.h"
#include "transport.h"

struct rf_nl;

/* options.c: options of the transport, for all programs that use it */
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
 * @devices: RDMA devices of each rank on this machine, verbs.rails per rank
 * @n_devices: number of @devices. 0: --device is not given, and coll_options_check()
 *	selects rxe1 and the following ones
 * @allow_loopback: ranks can share a device
 * @verbs: parameters of every queue pair
 * @deadline_ns: maximum duration of each wait
 * @rank: number of this rank if it was started by hand, otherwise COLL_NO_RANK
 * @rendezvous: HOST:PORT of rank 0 if it was started by hand, otherwise NULL
 * @team: the job, if another launcher started this rank; see coll_team_join()
 * @timeline_path: file of the timeline; NULL: none
 * @verbose: print details on stderr
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
	const char *timeline_path;
	bool verbose;
};

#define COLL_NO_RANK	UINT32_MAX

void coll_options_default(struct coll_options *opt);
struct rf_opt_table coll_options_ranks(struct coll_options *opt);
struct rf_opt_table coll_options_transport(struct coll_options *opt);
struct rf_opt_table coll_options_output(struct coll_options *opt);
int coll_options_check(struct coll_options *opt, uint32_t ranks);
bool coll_options_speaks(const struct coll_options *opt);
uint32_t coll_options_local(const struct coll_options *opt, uint32_t ranks);
int coll_memory_check(const char *what, uint64_t bytes, uint64_t each,
		      uint32_t ranks);

/* team.c: join a job that another launcher started */
enum rf_exit coll_team_join(struct coll_options *opt, uint32_t *ranks,
			    const char *arguments);
void coll_team_leave(struct coll_team *team);

/* launch.c, member.c: start the ranks, and wait until they end */

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

/* comm.c, run.c: the communicator of a rank: the interface through which programs use the engine */

/* A collective that the job uses; the channels for it are created at the start. */
struct coll_use {
	const struct coll_collective *coll;
	enum coll_algo algo;
	int root;
};

/**
 * struct coll_comm - a rank and its connections
 * @options: options of the transport
 * @state: state of this rank in the status page; @state->rail has the names of its devices
 * @oob: sockets to the other ranks
 * @tp: the transport
 * @waiter: conditions that end every wait of the rank
 */
struct coll_comm {
	const struct coll_verbs_options *options;
	struct coll_state *state;
	struct coll_oob oob;
	struct coll_waiter waiter;
	struct coll_transport tp;
};

/* One execution of a plan. In memory m, element 0 of the plan is at offset @base[m]. */
struct coll_run {
	const struct coll_plan *plan;
	const struct coll_type *type;
	const struct coll_op *op;		/* NULL: no reduction */
	uint64_t base[COLL_MEMS];		/* in bytes */
};

int coll_comm_join(struct coll_comm *comm, const struct coll_options *opt, int rank,
		   int ranks, struct coll_state *state, int star[][2]);
int coll_comm_open(struct coll_comm *comm, const uint64_t bytes[COLL_MEMS],
		   const struct coll_use *uses, int n_uses);
void coll_comm_close(struct coll_comm *comm);

/* Return the parameters for a plan, with the message size and window of this communicator. */
struct coll_shape coll_comm_shape(const struct coll_comm *comm,
				  const struct coll_type *type, uint64_t count,
				  int root, bool in_place);
int coll_comm_run(struct coll_comm *comm, const struct coll_run *run);

/* step.c: announce the steps of a job to the module */

/**
 * struct coll_announcer - data for announcing the steps of a rank to the module
 * @nl: socket to the module, or NULL
 * @ifindex: netdev of each rail; 0: steps are not announced there
 * @messages: number of messages of each flow in a step; 0: unknown
 * @messages_total: number of messages of each flow in the whole job; 0: unknown. A number is
 *	unknown if it is not the same for all flows, or is too large
 * @verbose: print a note if steps cannot be announced
 */
struct coll_announcer {
	struct rf_nl *nl;
	uint32_t ifindex[COLL_RAILS_MAX];
	uint32_t messages, messages_total;
	bool verbose;
};

void coll_announcer_open(struct coll_announcer *a, const struct coll_state *st);
void coll_announce(struct coll_announcer *a, uint32_t step);
void coll_announcer_close(struct coll_announcer *a);

#endif
