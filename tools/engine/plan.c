// SPDX-License-Identifier: GPL-2.0
/*
 * Plans: what one rank does in one run of a collective, act by act.
 *
 * An algorithm adds acts and never looks at whether there is memory: a plan
 * that failed once takes no more, and cp_plan_end() tells.
 */
#include <errno.h>
#include <stdlib.h>

#include "oob.h"
#include "plan.h"

static int grow(struct cp_plan *plan)
{
	size_t room = plan->room ? 2 * plan->room : 64;
	struct cp_act *acts;

	acts = reallocarray(plan->acts, room, sizeof(*acts));
	if (!acts)
		return -ENOMEM;
	plan->acts = acts;
	plan->room = room;
	return 0;
}

static void put(struct cp_plan *plan, struct cp_act act)
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
 * cp_plan_at() - what the acts added from now on are part of
 * @plan: to be added to
 * @doing: for the user, a constant
 * @phase: from 1 to @phases
 * @phases: of @doing
 */
void cp_plan_at(struct cp_plan *plan, const char *doing, uint32_t phase,
		uint32_t phases)
{
	plan->doing = doing;
	plan->phase = phase;
	plan->phases = phases;
}

/** cp_plan_send() - @count elements at @from go to @peer as one message */
void cp_plan_send(struct cp_plan *plan, int peer, struct cp_place from,
		  uint64_t count)
{
	const struct cp_act act = {
		.kind = CP_ACT_SEND, .peer = peer, .from = from, .count = count,
	};

	put(plan, act);
}

/** cp_plan_recv() - the next message of @peer is put at @to */
void cp_plan_recv(struct cp_plan *plan, int peer, struct cp_place to,
		  uint64_t count)
{
	const struct cp_act act = {
		.kind = CP_ACT_RECV, .peer = peer, .to = to, .count = count,
	};

	put(plan, act);
}

/**
 * cp_plan_reduce() - at @to = at @from op the next message of @peer
 * @plan: to be added to
 * @peer: the sender
 * @to: destination
 * @from: the other operand
 * @count: elements
 * @final: @to then holds all ranks' contributions
 *
 * An empty message is only received: a barrier has no operation.
 */
void cp_plan_reduce(struct cp_plan *plan, int peer, struct cp_place to,
		    struct cp_place from, uint64_t count, bool final)
{
	put(plan, (struct cp_act){
		.kind = count ? CP_ACT_REDUCE : CP_ACT_RECV, .peer = peer,
		.to = to, .from = from, .count = count,
		.final = count && final });
}

/**
 * cp_plan_copy() - at @to = at @from, if that is another place
 * @plan: to be added to
 * @to: destination
 * @from: source
 * @count: elements
 */
void cp_plan_copy(struct cp_plan *plan, struct cp_place to,
		  struct cp_place from, uint64_t count)
{
	const struct cp_act act = {
		.kind = CP_ACT_COPY, .to = to, .from = from, .count = count,
	};
	bool same = to.mem == from.mem && to.at == from.at;

	if (count && !same)
		put(plan, act);
}

/**
 * cp_plan_end() - the plan has all its acts
 * @plan: to be ended
 *
 * The last message to each peer is marked: the run is over when it is
 * acknowledged.
 *
 * Return: 0 or -ENOMEM.
 */
int cp_plan_end(struct cp_plan *plan)
{
	bool seen[CP_RANKS_MAX] = { false };

	for (size_t i = plan->n; i-- > 0;) {
		struct cp_act *act = &plan->acts[i];

		if (act->kind != CP_ACT_SEND)
			continue;
		act->last = !seen[act->peer];
		seen[act->peer] = true;
	}
	return plan->failed ? -ENOMEM : 0;
}

/**
 * cp_plan_messages() - how many acts of @kind there are with @peer
 * @plan: a finished plan
 * @peer: the other rank
 * @kind: SEND, RECV or REDUCE
 *
 * Return: acts; what the peer sends here is the sum of RECV and REDUCE.
 */
uint64_t cp_plan_messages(const struct cp_plan *plan, int peer,
			  enum cp_act_kind kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		n += plan->acts[i].kind == kind && plan->acts[i].peer == peer;
	return n;
}

/**
 * cp_messages_each() - how many messages each queue pair of a channel carries
 * @to_peer: messages of the channel
 * @qps: queue pairs that take them in turn
 *
 * Return: messages; 0 if they don't carry as many each, or if that is more than
 * can be announced.
 */
uint32_t cp_messages_each(uint64_t to_peer, uint32_t qps)
{
	uint64_t each = to_peer / qps;

	return to_peer % qps || each > UINT32_MAX ? 0 : (uint32_t)each;
}

/** cp_plan_free() - give back the acts; the plan can be made again */
void cp_plan_free(struct cp_plan *plan)
{
	free(plan->acts);
	*plan = (struct cp_plan){ .acts = NULL };
}
