// SPDX-License-Identifier: GPL-2.0
/*
 * Transfer data from one rank to another: between the stages of a pipeline, for
 * checkpoints, and for loading of data. Each transfer has its own plan, whose elements
 * are bytes. The data is divided into messages of the maximum size of the transport.
 *
 * The communicator creates queue pairs only for the plans of collectives. Two collectives
 * that are never executed therefore describe the connections that transfers need: a star
 * with rank 0 in the middle, and a chain.
 */
#include <errno.h>

#include "net.h"
#include "ranks.h"
#include "train.h"

static void both_ways(struct coll_plan *plan, int peer)
{
	coll_plan_send(plan, peer, (struct coll_place){ COLL_SEND, 0 }, 0);
	coll_plan_recv(plan, peer, (struct coll_place){ COLL_RECV, 0 }, 0);
}

static void plan_star(struct coll_plan *plan, const struct coll_shape *s)
{
	if (s->rank)
		both_ways(plan, 0);
	for (int r = 1; !s->rank && r < s->ranks; r++)
		both_ways(plan, r);
}

static void plan_chain(struct coll_plan *plan, const struct coll_shape *s)
{
	if (s->rank > 0)
		both_ways(plan, s->rank - 1);
	if (s->rank + 1 < s->ranks)
		both_ways(plan, s->rank + 1);
}

const struct coll_collective tr_star = {
	.name = "star",
	.algos = { [COLL_DIRECT] = plan_star },
};

const struct coll_collective tr_chain = {
	.name = "chain",
	.algos = { [COLL_DIRECT] = plan_chain },
};

/**
 * tr_run() - execute a plan, and add its duration to the exchange time of the step
 * @me: the rank
 * @run: see coll_comm_run()
 *
 * Return: 0, or -EIO after coll_fail().
 */
int tr_run(struct tr_rank *me, const struct coll_run *run)
{
	uint64_t begin = rf_now_ns();
	int ret = coll_comm_run(&me->comm, run);

	me->away_ns += rf_now_ns() - begin;
	return ret;
}

/* Return the hash of all messages up to @v. @before is the hash of the messages before @v. */
static uint64_t seal(const void *v, uint64_t bytes, uint64_t before)
{
	return tr_mix(before + tr_hash(v, bytes));
}

/** tr_sent() - update the hash of the messages that were sent to @peer in this step */
void tr_sent(struct tr_rank *me, int peer, const void *v, uint64_t bytes)
{
	uint64_t *sum = &me->account.sent[peer];

	if (me->cfg->unchecked)
		return;
	me->now.given -= *sum;
	*sum = seal(v, bytes, *sum);
	me->now.given += *sum;
}

/** tr_received() - update the hash of the messages that @peer sent in this step */
void tr_received(struct tr_rank *me, int peer, const void *v, uint64_t bytes)
{
	uint64_t *sum = &me->account.received[peer];

	if (me->cfg->unchecked)
		return;
	me->now.got -= *sum;
	*sum = seal(v, bytes, *sum);
	me->now.got += *sum;
}

static int run_plan(struct tr_rank *me, struct coll_plan *plan)
{
	const struct coll_run run = {
		.plan = plan,
		.type = coll_type_find("uint8"),
	};
	int ret = coll_plan_end(plan);

	if (ret)
		ret = coll_fail(me->state, COLL_FAILED, "no memory for a plan");
	else
		ret = tr_run(me, &run);
	coll_plan_free(plan);
	return ret;
}

static uint64_t piece_at(struct tr_rank *me, uint64_t at, uint64_t bytes)
{
	uint64_t most = me->comm.tp.slot_bytes;

	return bytes - at < most ? bytes - at : most;
}

/**
 * tr_send() - send a part of COLL_SEND
 * @me: the rank
 * @peer: the receiver, which calls tr_recv()
 * @at: offset in COLL_SEND, in bytes
 * @bytes: number of bytes
 * @doing: name of the activity in error messages; a constant string
 *
 * Return: 0 when the data is acknowledged, or -EIO after coll_fail().
 */
int tr_send(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing)
{
	struct coll_plan plan = { 0 };
	uint64_t n;

	coll_plan_at(&plan, doing, 1, 1);
	for (uint64_t i = 0; i < bytes; i += n) {
		n = piece_at(me, i, bytes);
		coll_plan_send(&plan, peer, (struct coll_place){ COLL_SEND, at + i },
			       n);
	}
	return run_plan(me, &plan);
}

/**
 * tr_recv() - receive into a part of COLL_RECV
 * @me: the rank
 * @peer: the sender, which calls tr_send()
 * @at: offset in COLL_RECV, in bytes
 * @bytes: number of bytes
 * @doing: name of the activity in error messages; a constant string
 *
 * Return: 0, or -EIO after coll_fail().
 */
int tr_recv(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing)
{
	struct coll_plan plan = { 0 };
	uint64_t n;

	coll_plan_at(&plan, doing, 1, 1);
	for (uint64_t i = 0; i < bytes; i += n) {
		n = piece_at(me, i, bytes);
		coll_plan_recv(&plan, peer, (struct coll_place){ COLL_RECV, at + i },
			       n);
	}
	return run_plan(me, &plan);
}
