// SPDX-License-Identifier: GPL-2.0
/*
 * Execute a plan.
 *
 * Every rank executes its operations in the order of the plan, in every run. Therefore
 * the order of all additions depends only on the plan. A lost, delayed or duplicated
 * packet can delay a result but cannot change it.
 *
 * A run ends when all operations are complete and the peers have acknowledged all
 * sends of this rank. The next run therefore does not change data that can still be
 * retransmitted, and a lost packet is retransmitted in the step in which it was lost.
 */
#include <string.h>

#include "coll.h"

static char *addr(struct coll_comm *comm, const struct coll_run *run,
		  struct coll_place place)
{
	return comm->tp.mem[place.mem].addr + run->base[place.mem] +
	       place.at * run->type->size;
}

static int send(struct coll_comm *comm, const struct coll_run *run,
		const struct coll_act *act)
{
	return coll_channel_send(&comm->tp, act->peer, act->from.mem,
				 addr(comm, run, act->from),
				 act->count * run->type->size, act->last);
}

/* Divide a complete sum by the number of ranks if the operation is an average. */
static void finish_average(const struct coll_comm *comm, const struct coll_run *run,
			   const struct coll_act *act, void *to)
{
	if (act->final && run->op->averages)
		run->type->divide(to, act->count, comm->oob.ranks);
}

static int take_next_message(struct coll_comm *comm, const struct coll_run *run,
			     const struct coll_act *act)
{
	uint64_t len = act->count * run->type->size;
	const void *message = coll_channel_next(&comm->tp, act->peer, len);
	char *to = addr(comm, run, act->to);

	if (!message)
		return -1;
	if (act->kind == COLL_ACT_RECV) {
		memcpy(to, message, len);
	} else {
		run->type->reduce[run->op->id](to, addr(comm, run, act->from),
					       message, act->count);
		finish_average(comm, run, act, to);
	}
	return coll_channel_taken(&comm->tp, act->peer);
}

static void copy(struct coll_comm *comm, const struct coll_run *run,
		 const struct coll_act *act)
{
	memmove(addr(comm, run, act->to), addr(comm, run, act->from),
		act->count * run->type->size);
}

static int do_act(struct coll_comm *comm, const struct coll_run *run,
		  const struct coll_act *act)
{
	coll_at(comm->state, act->doing, act->phase, act->phases);
	comm->state->element = act->kind == COLL_ACT_SEND ? act->from.at :
							  act->to.at;
	if (act->kind == COLL_ACT_SEND)
		return send(comm, run, act);
	if (act->kind != COLL_ACT_COPY)
		return take_next_message(comm, run, act);
	copy(comm, run, act);
	return 0;
}

static int attempt(struct coll_comm *comm, const struct coll_run *run)
{
	const struct coll_plan *plan = run->plan;
	int ret = 0;

	coll_attempt_begin(&comm->tp);
	for (size_t i = 0; !ret && i < plan->n; i++)
		ret = do_act(comm, run, &plan->acts[i]);
	return ret ? ret : coll_channels_flush(&comm->tp);
}

/**
 * coll_comm_run() - execute a plan
 * @comm: the communicator
 * @run: the plan, and where its elements are in the memories
 *
 * In each memory, the elements of the plan start at offset @run->base. All of them must
 * be in the memory. With options->failover, the plan must not change its input, because it is
 * repeated if a rail fails.
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_comm_run(struct coll_comm *comm, const struct coll_run *run)
{
	int ret;

	do {
		ret = attempt(comm, run);
		if (comm->options->failover)
			ret = coll_attempt_end(&comm->tp);
	} while (ret > 0);
	return ret;
}
