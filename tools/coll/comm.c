// SPDX-License-Identifier: GPL-2.0
/*
 * The communicator: a device, two memories (input and result), and the channels that
 * the collectives of the job need.
 *
 * The plans of all ranks show which ranks are peers. The plans are computed for a
 * vector of two elements per rank and one element per message, so that each
 * algorithm uses all of its channels.
 *
 * Data arrives in the staging memory, so peers need no access to the two memories, and
 * have none. If a fault changes the address in an RDMA WRITE, the responder refuses it.
 * With access to the memories, such a WRITE could change the input or the result.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"
#include "rdmadev.h"
#include "waiting.h"

/* Write the identity of this rank to the status page. */
static void introduce(struct cp_state *st, const char device[CP_NAME_LEN])
{
	st->pid = getpid();
	memcpy(st->device, device, CP_NAME_LEN);
	if (rf_rdma_to_netdev(st->device, st->netdev, sizeof(st->netdev)))
		strcpy(st->netdev, "?");
}

/**
 * cp_comm_join() - initialize a rank: its sockets and its state
 * @comm: the communicator; all members are 0
 * @opt: checked options
 * @rank: number of this rank
 * @ranks: number of ranks
 * @state: state of this rank in the status page
 * @star: sockets between rank 0 and each other rank; see cp_star_init()
 *
 * Return: 0, or -EIO after cp_fail(); call cp_comm_close() and cp_star_close() in
 * both cases.
 */
int cp_comm_join(struct cp_comm *comm, const struct cp_options *opt, int rank,
		 int ranks, struct cp_state *state, int star[][2])
{
	int ret = cp_waiter_init(&comm->waiter, opt->deadline_ns);

	comm->options = &opt->verbs;
	comm->state = state;
	comm->oob = (struct cp_oob){
		.rank = rank,
		.ranks = ranks,
		.state = state,
		.waiter = &comm->waiter,
	};
	cp_star_init(&comm->oob, star);
	introduce(state, opt->devices[rank]);
	return ret ? cp_fail(state, CP_FAILED, "signalfd: %s", strerror(-ret)) :
		     0;
}

static void note_peers(struct cp_peers *mine, const struct cp_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct cp_act *act = &plan->acts[i];

		if (act->kind == CP_ACT_SEND)
			mine->out[act->peer] = true;
		else if (act->kind != CP_ACT_COPY)
			mine->in[act->peer] = true;
	}
}

static int find_peers(const struct cp_use *use, int ranks, struct cp_peers *all)
{
	struct cp_plan plan = { 0 };
	int ret = 0;

	for (int r = 0; !ret && r < ranks; r++) {
		struct cp_shape shape = {
			.rank = r,
			.ranks = ranks,
			.root = use->root,
			.count = 2 * (uint64_t)ranks,
			.piece = 1,
			.window = 2,
		};

		ret = cp_plan_make(&plan, use->coll, use->algo, &shape);
		if (!ret)
			note_peers(&all[r], &plan);
	}
	cp_plan_free(&plan);
	return ret;
}

static int open_channels(struct cp_comm *comm, const struct cp_use *uses,
			 int n_uses)
{
	struct cp_peers *all = calloc(CP_RANKS_MAX, sizeof(*all));
	int ret = all ? 0 : -ENOMEM;

	for (int i = 0; !ret && i < n_uses; i++)
		ret = find_peers(&uses[i], comm->oob.ranks, all);
	if (ret)
		cp_fail(comm->state, CP_FAILED, "the plans cannot be made: %s",
			strerror(-ret));
	else
		ret = cp_channels_open(&comm->tp, all);
	free(all);
	return ret;
}

/* If stderr is a terminal, rank 0 shows what it waits for, until all ranks are connected. */
static void show_progress(const struct cp_oob *oob)
{
	rf_waiting_shown = oob->rank == 0 && isatty(STDERR_FILENO);
	rf_waiting("connecting %d ranks", oob->ranks);
}

/**
 * cp_comm_open() - open the device, map the memories, connect to the other ranks
 * @comm: the communicator
 * @bytes: sizes of the two memories
 * @uses: collectives of the job, the same in all ranks
 * @n_uses: number of @uses
 *
 * Return: 0, or -EIO after cp_fail(); call cp_comm_close() in both cases.
 */
int cp_comm_open(struct cp_comm *comm, const uint64_t bytes[CP_MEMS],
		 const struct cp_use *uses, int n_uses)
{
	struct cp_transport *tp = &comm->tp;
	int ret;

	show_progress(&comm->oob);
	tp->options = comm->options;
	tp->oob = &comm->oob;
	tp->state = comm->state;
	ret = cp_device_open(tp);
	for (int m = 0; !ret && m < CP_MEMS; m++)
		ret = cp_mem_map(tp, &tp->mem[m], bytes[m], 0);
	if (!ret)
		ret = open_channels(comm, uses, n_uses);
	rf_waiting_end();
	rf_waiting_shown = false;
	return ret;
}

/** cp_comm_close() - release the resources of cp_comm_open() */
void cp_comm_close(struct cp_comm *comm)
{
	cp_channels_close(&comm->tp);
	cp_device_close(&comm->tp);
}

/**
 * cp_comm_shape() - get the parameters for a plan of this communicator
 * @comm: the communicator
 * @type: type of the elements
 * @count: number of elements, see struct cp_shape
 * @root: root of the collective, if it has one
 * @in_place: the result replaces the input
 *
 * The receiver does not report each consumed message at once, so a slot can be free
 * before the sender knows this. The window of a plan is therefore smaller than the number
 * of slots.
 *
 * Return: the parameters.
 */
struct cp_shape cp_comm_shape(const struct cp_comm *comm,
			      const struct cp_type *type, uint64_t count,
			      int root, bool in_place)
{
	return (struct cp_shape){
		.rank = comm->oob.rank,
		.ranks = comm->oob.ranks,
		.root = root,
		.count = count,
		.piece = comm->tp.slot_bytes / type->size,
		.window = comm->tp.slots - comm->tp.slots / 2 + 1,
		.in_place = in_place,
	};
}
