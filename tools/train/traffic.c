// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers from one rank to another, for what is no collective: the stages of
 * a pipeline, checkpoints, data that is loaded. A transfer is a plan of its
 * own, of bytes, cut into messages as long as the transport takes.
 *
 * The communicator makes queue pairs for the plans that it is given. So the
 * connections of the ranks are given as collectives that are never run: a star with
 * rank 0 in the middle, and a chain.
 */
#include <errno.h>

#include "clock.h"
#include "grid.h"
#include "random.h"
#include "traffic.h"

static void both_ways(struct cp_plan *plan, int peer)
{
	cp_plan_send(plan, peer, (struct cp_place){ CP_SEND, 0 }, 0);
	cp_plan_recv(plan, peer, (struct cp_place){ CP_RECV, 0 }, 0);
}

static void plan_star(struct cp_plan *plan, const struct cp_shape *s)
{
	if (s->rank)
		both_ways(plan, 0);
	for (int r = 1; !s->rank && r < s->ranks; r++)
		both_ways(plan, r);
}

static void plan_chain(struct cp_plan *plan, const struct cp_shape *s)
{
	if (s->rank > 0)
		both_ways(plan, s->rank - 1);
	if (s->rank + 1 < s->ranks)
		both_ways(plan, s->rank + 1);
}

const struct cp_coll tr_star = {
	.name = "star",
	.algos = { [CP_DIRECT] = plan_star },
};

const struct cp_coll tr_chain = {
	.name = "chain",
	.algos = { [CP_DIRECT] = plan_chain },
};

/**
 * tr_run() - carry out a plan, and leave its time out of the rank's own
 * @me: the rank
 * @run: see cp_comm_run()
 *
 * Return: 0, or -EIO after cp_fail().
 */
int tr_run(struct tr_rank *me, const struct cp_run *run)
{
	uint64_t begin = cp_now();
	int ret = cp_comm_run(&me->comm, run);

	me->away_ns += cp_now() - begin;
	return ret;
}

/* What a message counts for in the sums of a step: its place in the order, too */
static uint64_t seal(const void *v, uint64_t bytes, uint64_t before)
{
	return tr_mix(before + tr_hash(v, bytes));
}

/** tr_sent() - take a message to @peer into the step's account */
void tr_sent(struct tr_rank *me, int peer, const void *v, uint64_t bytes)
{
	uint64_t *sum = &me->account.sent[peer];

	if (me->cfg->unchecked)
		return;
	me->now.given -= *sum;
	*sum = seal(v, bytes, *sum);
	me->now.given += *sum;
}

/** tr_received() - take a message of @peer into the step's account */
void tr_received(struct tr_rank *me, int peer, const void *v, uint64_t bytes)
{
	uint64_t *sum = &me->account.received[peer];

	if (me->cfg->unchecked)
		return;
	me->now.got -= *sum;
	*sum = seal(v, bytes, *sum);
	me->now.got += *sum;
}

static int run(struct tr_rank *me, struct cp_plan *plan)
{
	const struct cp_run run = {
		.plan = plan,
		.type = cp_type_find("uint8"),
	};
	int ret = cp_plan_end(plan);

	if (ret)
		ret = cp_fail(me->state, CP_FAILED, "no memory for a plan");
	else
		ret = tr_run(me, &run);
	cp_plan_free(plan);
	return ret;
}

static uint64_t piece_at(struct tr_rank *me, uint64_t at, uint64_t bytes)
{
	uint64_t most = me->comm.tp.slot_bytes;

	return bytes - at < most ? bytes - at : most;
}

/**
 * tr_send() - send a part of CP_SEND
 * @me: the rank
 * @peer: the receiver, which calls tr_recv()
 * @at: where it begins, in bytes
 * @bytes: how much
 * @doing: for the user, a constant
 *
 * Return: 0 when it is acknowledged, or -EIO after cp_fail().
 */
int tr_send(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing)
{
	struct cp_plan plan = { 0 };
	uint64_t n;

	cp_plan_at(&plan, doing, 1, 1);
	for (uint64_t i = 0; i < bytes; i += n) {
		n = piece_at(me, i, bytes);
		cp_plan_send(&plan, peer, (struct cp_place){ CP_SEND, at + i },
			     n);
	}
	return run(me, &plan);
}

/**
 * tr_recv() - receive into a part of CP_RECV
 * @me: the rank
 * @peer: the sender, which calls tr_send()
 * @at: where it begins, in bytes
 * @bytes: how much
 * @doing: for the user, a constant
 *
 * Return: 0, or -EIO after cp_fail().
 */
int tr_recv(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing)
{
	struct cp_plan plan = { 0 };
	uint64_t n;

	cp_plan_at(&plan, doing, 1, 1);
	for (uint64_t i = 0; i < bytes; i += n) {
		n = piece_at(me, i, bytes);
		cp_plan_recv(&plan, peer, (struct cp_place){ CP_RECV, at + i },
			     n);
	}
	return run(me, &plan);
}
