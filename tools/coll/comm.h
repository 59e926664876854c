/* SPDX-License-Identifier: GPL-2.0 */
/* The communicator of a rank: the interface through which programs use the engine */
#ifndef COLL_COMM_H
#define COLL_COMM_H

#include "coll.h"
#include "datatype.h"
#include "oob.h"
#include "options.h"
#include "transport.h"

/* A collective that the job uses; the channels for it are created at the start. */
struct coll_use {
	const struct coll_collective *coll;
	enum coll_algo algo;
	int root;
};

/**
 * struct coll_comm - a rank and its connections
 * @options: options of the transport
 * @state: state of this rank in the status page; @state->device is the name of its device
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

#endif
