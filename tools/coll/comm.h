/* SPDX-License-Identifier: GPL-2.0 */
/* The communicator of a rank: the interface through which programs use the engine */
#ifndef CP_COMM_H
#define CP_COMM_H

#include "coll.h"
#include "datatype.h"
#include "oob.h"
#include "options.h"
#include "transport.h"

/* A collective that the job uses; the channels for it are created at the start. */
struct cp_use {
	const struct cp_coll *coll;
	enum cp_algo algo;
	int root;
};

/**
 * struct cp_comm - a rank and its connections
 * @options: options of the transport
 * @state: state of this rank in the status page; @state->device is the name of its device
 * @oob: sockets to the other ranks
 * @tp: the transport
 * @waiter: conditions that end every wait of the rank
 */
struct cp_comm {
	const struct cp_verbs_options *options;
	struct cp_state *state;
	struct cp_oob oob;
	struct cp_waiter waiter;
	struct cp_transport tp;
};

/* One execution of a plan. In memory m, element 0 of the plan is at offset @base[m]. */
struct cp_run {
	const struct cp_plan *plan;
	const struct cp_type *type;
	const struct cp_op *op;		/* NULL: no reduction */
	uint64_t base[CP_MEMS];		/* in bytes */
};

int cp_comm_join(struct cp_comm *comm, const struct cp_options *opt, int rank,
		 int ranks, struct cp_state *state, int star[][2]);
int cp_comm_open(struct cp_comm *comm, const uint64_t bytes[CP_MEMS],
		 const struct cp_use *uses, int n_uses);
void cp_comm_close(struct cp_comm *comm);

/* Return the parameters for a plan, with the message size and window of this communicator. */
struct cp_shape cp_comm_shape(const struct cp_comm *comm,
			      const struct cp_type *type, uint64_t count,
			      int root, bool in_place);
int cp_comm_run(struct cp_comm *comm, const struct cp_run *run);

#endif
