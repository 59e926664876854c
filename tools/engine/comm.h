/* SPDX-License-Identifier: GPL-2.0 */
/* A rank's communicator: what a program uses of the engine. */
#ifndef CP_COMM_H
#define CP_COMM_H

#include "coll.h"
#include "datatype.h"
#include "oob.h"
#include "options.h"
#include "transport.h"

/* A collective that will be run, so that its queue pairs are there. */
struct cp_use {
	const struct cp_coll *coll;
	enum cp_algo algo;
	int root;
};

/**
 * struct cp_comm - a rank and its way to the others
 * @options: what the user chose of the transport
 * @state: own part of the board; @state->device is opened
 * @oob: the other ranks
 * @tp: the transport
 * @waiter: what the rank sleeps on
 */
struct cp_comm {
	const struct cp_verbs_options *options;
	struct cp_state *state;
	struct cp_oob oob;
	struct cp_waiter waiter;
	struct cp_transport tp;
};

/* One run: a plan, and where its elements are in the memories. */
struct cp_run {
	const struct cp_plan *plan;
	const struct cp_type *type;
	const struct cp_op *op;		/* NULL if nothing is reduced */
	uint64_t base[CP_MEMS];		/* bytes from the memory's begin */
};

int cp_comm_join(struct cp_comm *comm, const struct cp_options *opt, int rank,
		 int ranks, struct cp_state *state, int star[][2]);
int cp_comm_open(struct cp_comm *comm, const uint64_t bytes[CP_MEMS],
		 const struct cp_use *uses, int n_uses);
void cp_comm_close(struct cp_comm *comm);

/* A plan's shape as this communicator's messages and windows are. */
struct cp_shape cp_comm_shape(const struct cp_comm *comm,
			      const struct cp_type *type, uint64_t count,
			      int root, bool in_place);
int cp_comm_run(struct cp_comm *comm, const struct cp_run *run);

#endif
