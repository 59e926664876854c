// SPDX-License-Identifier: GPL-2.0
/*
 * The communicator: a device per rail, two memories (input and result), and the channels that
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

#include "coll.h"
#include "err.h"
#include "port.h"

/* Write the identity of this rank to the status page. */
static void introduce_rank(struct coll_state *st, const struct coll_options *opt, int rank)
{
	st->pid = getpid();
	st->rails = opt->verbs.rails;
	for (uint32_t i = 0; i < st->rails; i++) {
		struct coll_device *dev = &st->rail[i];

		memcpy(dev->name, opt->devices[(uint32_t)rank * st->rails + i], COLL_NAME_LEN);
		if (rf_rdma_to_netdev(dev->name, dev->netdev, sizeof(dev->netdev)))
			strcpy(dev->netdev, "?");
	}
}

/**
 * coll_comm_join() - initialize a rank: its sockets and its state
 * @comm: the communicator; all members are 0
 * @opt: checked options
 * @rank: number of this rank
 * @ranks: number of ranks
 * @state: state of this rank in the status page
 * @star: sockets between rank 0 and each other rank; see coll_star_init()
 *
 * Return: 0, or -EIO after coll_fail(); call coll_comm_close() and coll_star_close() in
 * both cases.
 */
int coll_comm_join(struct coll_comm *comm, const struct coll_options *opt, int rank,
		   int ranks, struct coll_state *state, int star[][2])
{
	int ret = coll_waiter_init(&comm->waiter, opt->deadline_ns);

	comm->options = &opt->verbs;
	comm->state = state;
	comm->oob = (struct coll_oob){
		.rank = rank,
		.ranks = ranks,
		.state = state,
		.waiter = &comm->waiter,
	};
	coll_star_init(&comm->oob, star);
	introduce_rank(state, opt, rank);
	return ret ? coll_fail(state, COLL_FAILED, "signalfd: %s", strerror(-ret)) :
		     0;
}

static void note_peers(struct coll_peers *mine, const struct coll_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct coll_act *act = &plan->acts[i];

		if (act->kind == COLL_ACT_SEND)
			mine->out[act->peer] = true;
		else if (act->kind != COLL_ACT_COPY)
			mine->in[act->peer] = true;
	}
}

static int find_peers(const struct coll_use *use, int ranks, struct coll_peers *all)
{
	struct coll_plan plan = { 0 };
	int ret = 0;

	for (int r = 0; !ret && r < ranks; r++) {
		struct coll_shape shape = {
			.rank = r,
			.ranks = ranks,
			.root = use->root,
			.count = 2 * (uint64_t)ranks,
			.piece = 1,
			.window = 2,
		};

		ret = coll_plan_make(&plan, use->coll, use->algo, &shape);
		if (!ret)
			note_peers(&all[r], &plan);
	}
	coll_plan_free(&plan);
	return ret;
}

static int open_planned_channels(struct coll_comm *comm, const struct coll_use *uses,
				 int n_uses)
{
	struct coll_peers *all = calloc(COLL_RANKS_MAX, sizeof(*all));
	int ret = all ? 0 : -ENOMEM;

	for (int i = 0; !ret && i < n_uses; i++)
		ret = find_peers(&uses[i], comm->oob.ranks, all);
	if (ret)
		coll_fail(comm->state, COLL_FAILED, "the plans cannot be made: %s",
			  strerror(-ret));
	else
		ret = coll_channels_open(&comm->tp, all);
	free(all);
	return ret;
}

/* If stderr is a terminal, rank 0 shows what it waits for, until all ranks are connected. */
static void show_connecting(const struct coll_oob *oob)
{
	rf_waiting_shown = oob->rank == 0 && isatty(STDERR_FILENO);
	rf_waiting("connecting %d ranks", oob->ranks);
}

/**
 * coll_comm_open() - open the devices, map the memories, connect to the other ranks
 * @comm: the communicator
 * @bytes: sizes of the two memories
 * @uses: collectives of the job, the same in all ranks
 * @n_uses: number of @uses
 *
 * Return: 0, or -EIO after coll_fail(); call coll_comm_close() in both cases.
 */
int coll_comm_open(struct coll_comm *comm, const uint64_t bytes[COLL_MEMS],
		   const struct coll_use *uses, int n_uses)
{
	struct coll_transport *tp = &comm->tp;
	int ret;

	show_connecting(&comm->oob);
	tp->options = comm->options;
	tp->oob = &comm->oob;
	tp->state = comm->state;
	ret = coll_device_open(tp);
	for (int m = 0; !ret && m < COLL_MEMS; m++)
		ret = coll_mem_map(tp, &tp->mem[m], bytes[m], 0);
	if (!ret)
		ret = open_planned_channels(comm, uses, n_uses);
	rf_waiting_end();
	rf_waiting_shown = false;
	return ret;
}

/** coll_comm_close() - release the resources of coll_comm_open() */
void coll_comm_close(struct coll_comm *comm)
{
	coll_channels_close(&comm->tp);
	coll_device_close(&comm->tp);
}

/**
 * coll_comm_shape() - get the parameters for a plan of this communicator
 * @comm: the communicator
 * @type: type of the elements
 * @count: number of elements, see struct coll_shape
 * @root: root of the collective, if it has one
 * @in_place: the result replaces the input
 *
 * The receiver does not report each consumed message at once, so a slot can be free
 * before the sender knows this. The window of a plan is therefore smaller than the number
 * of slots.
 *
 * Return: the parameters.
 */
struct coll_shape coll_comm_shape(const struct coll_comm *comm,
				  const struct coll_type *type, uint64_t count,
				  int root, bool in_place)
{
	return (struct coll_shape){
		.rank = comm->oob.rank,
		.ranks = comm->oob.ranks,
		.root = root,
		.count = count,
		.piece = comm->tp.slot_bytes / type->size,
		.window = comm->tp.slots - comm->tp.slots / 2 + 1,
		.in_place = in_place,
	};
}
