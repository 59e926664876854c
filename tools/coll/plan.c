// SPDX-License-Identifier: GPL-2.0
/*
 * Plans: the operations of one rank in one run of a collective.
 *
 * Algorithms add operations without checking for errors. After an allocation
 * failure a plan ignores further operations, and coll_plan_end() returns the error.
 */
#include <errno.h>
#include <stdlib.h>

#include "plan.h"

static int grow(struct coll_plan *plan)
{
	size_t room = plan->room ? 2 * plan->room : 64;
	struct coll_act *acts;

	acts = reallocarray(plan->acts, room, sizeof(*acts));
	if (!acts)
		return -ENOMEM;
	plan->acts = acts;
	plan->room = room;
	return 0;
}

static void add_act(struct coll_plan *plan, struct coll_act act)
{
	if (plan->n == plan->room && !plan->failed)
		plan->failed = grow(plan);
	if (plan->failed)
		return;
	act.doing = plan->doing;
	act.phase = plan->phase;
	act.phases = plan->phases;
	plan->acts[plan->n++] = act;
}

/**
 * coll_plan_at() - set the activity and phase of the following operations
 * @plan: the plan
 * @doing: the activity, a constant string for error messages
 * @phase: 1 to @phases
 * @phases: number of phases of @doing
 */
void coll_plan_at(struct coll_plan *plan, const char *doing, uint32_t phase,
		  uint32_t phases)
{
	plan->doing = doing;
	plan->phase = phase;
	plan->phases = phases;
}

/** coll_plan_send() - send @count elements from position @from to @peer, as one message */
void coll_plan_send(struct coll_plan *plan, int peer, struct coll_place from,
		    uint64_t count)
{
	const struct coll_act act = {
		.kind = COLL_ACT_SEND, .peer = peer, .from = from, .count = count,
	};

	add_act(plan, act);
}

/** coll_plan_recv() - receive the next message from @peer, @count elements, and write it to @to */
void coll_plan_recv(struct coll_plan *plan, int peer, struct coll_place to,
		    uint64_t count)
{
	const struct coll_act act = {
		.kind = COLL_ACT_RECV, .peer = peer, .to = to, .count = count,
	};

	add_act(plan, act);
}

/**
 * coll_plan_reduce() - receive the next message from @peer, reduce it with @from, and write the
 * result to @to
 * @plan: the plan
 * @peer: the sender
 * @to: destination
 * @from: the other operand
 * @count: number of elements
 * @final: true if @to afterwards has the contributions of all ranks
 *
 * An empty message is received and not reduced: the barrier has no reduction.
 */
void coll_plan_reduce(struct coll_plan *plan, int peer, struct coll_place to,
		      struct coll_place from, uint64_t count, bool final)
{
	add_act(plan, (struct coll_act){
		.kind = count ? COLL_ACT_REDUCE : COLL_ACT_RECV, .peer = peer,
		.to = to, .from = from, .count = count,
		.final = count && final });
}

/**
 * coll_plan_copy() - copy from @from to @to, unless both are the same position
 * @plan: the plan
 * @to: destination
 * @from: source
 * @count: number of elements
 */
void coll_plan_copy(struct coll_plan *plan, struct coll_place to,
		    struct coll_place from, uint64_t count)
{
	const struct coll_act act = {
		.kind = COLL_ACT_COPY, .to = to, .from = from, .count = count,
	};
	bool same = to.mem == from.mem && to.at == from.at;

	if (count && !same)
		add_act(plan, act);
}

/**
 * coll_plan_end() - complete a plan
 * @plan: the plan
 *
 * Marks the last message to each peer. The run ends when these messages are
 * acknowledged.
 *
 * Return: 0 or -ENOMEM.
 */
int coll_plan_end(struct coll_plan *plan)
{
	bool seen[COLL_RANKS_MAX] = { false };

	for (size_t i = plan->n; i-- > 0;) {
		struct coll_act *act = &plan->acts[i];

		if (act->kind != COLL_ACT_SEND)
			continue;
		act->last = !seen[act->peer];
		seen[act->peer] = true;
	}
	return plan->failed ? -ENOMEM : 0;
}

/**
 * coll_plan_messages() - count the operations of one kind with one peer
 * @plan: a complete plan
 * @peer: the other rank
 * @kind: COLL_ACT_SEND, COLL_ACT_RECV or COLL_ACT_REDUCE
 *
 * Each of these operations sends or receives one message.
 *
 * Return: the number.
 */
uint64_t coll_plan_messages(const struct coll_plan *plan, int peer,
			    enum coll_act_kind kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += plan->acts[i].kind == kind && plan->acts[i].peer == peer;
	return n;
}

/**
 * coll_messages_each() - get the number of messages that each queue pair of a channel sends
 * @to_peer: number of messages that the channel sends
 * @qps: number of its queue pairs, which are used in turn
 *
 * Return: the number; 0 if it is not the same for all queue pairs, or does not fit into
 * 32 bits.
 */
uint32_t coll_messages_each(uint64_t to_peer, uint32_t qps)
{
	uint64_t each = to_peer / qps;

	return to_peer % qps || each > UINT32_MAX ? 0 : (uint32_t)each;
}

/** coll_plan_free() - free the operations; the plan can be reused */
void coll_plan_free(struct coll_plan *plan)
{
	free(plan->acts);
	*plan = (struct coll_plan){ .acts = NULL };
}
