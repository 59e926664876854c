// SPDX-License-Identifier: GPL-2.0
/*
 * The two directions of a port know of one another: an answer that crosses one
 * of them is told to the flow of requests that it belongs to, in the other.
 * That flow learns the QP of its requester, its NAKs and its timeouts.
 *
 * Answers are looked at in a direction that has rules, or if the other has a
 * rule that has to know the requester. Never are the locks of both directions
 * held at once.
 */
#include "flow.h"
#include "peer.h"
#include "../port.h"
#include "../rule/qp_filter.h"
#include "../tell.h"

static bool asks_requester(const struct rf_rule *rule)
{
	const struct rf_action *action;
	u32 i;

	for (i = 0; i < rule->actions; i++) {
		action = &rule->action[i];
		if ((action->type == RDMAFAULT_ACTION_NAK ||
		     action->type == RDMAFAULT_ACTION_RNR) &&
		    !RF_ACTION_HAS(action, PEER_QP))
			return true;
	}
	return false;
}

/**
 * rf_pair_follow_all - follow all flows from now on, until rules change
 * @side: the direction
 *
 * Context: under the lock of the direction.
 */
void rf_pair_follow_all(struct rf_side *side)
{
	if (side->selective && side->flows)
		rf_flows_know_all(side->flows);
	WRITE_ONCE(side->selective, false);
}

/* All flows must be known to tell whose an answer is. */
static bool learns_of_answers(const struct rf_side *side)
{
	const struct rf_side *other = rf_side_other(side);

	return other->rules || other->watched;
}

/* Rules that name QPs, and answers that nobody asks for: others can go by. */
static void choose_whom(struct rf_side *side)
{
	bool all = learns_of_answers(side) || rf_tell_is_heard();
	const struct rf_qps *qps;
	bool selective;

	spin_lock_bh(&side->lock);
	qps = rf_side_qps(side);
	selective = qps && !qps->any && !all;
	if (selective)
		rf_flows_forget(side->flows, qps);
	else
		rf_pair_follow_all(side);
	WRITE_ONCE(side->selective, selective);
	spin_unlock_bh(&side->lock);
}

/**
 * rf_pair_choose - what both directions look at, by the rules that there are
 * @side: the direction whose rules have changed
 *
 * Context: process, under rf_ports_lock.
 */
void rf_pair_choose(struct rf_side *side)
{
	const struct rf_ruleset *rules = side->rules;
	bool asked = false;
	u32 i;

	for (i = 0; rules && i < rules->count && !asked; i++)
		asked = asks_requester(rules->rule[i]);
	WRITE_ONCE(rf_side_other(side)->watched, asked);
	choose_whom(side);
	choose_whom(rf_side_other(side));
}

/**
 * rf_pair_see - tell an answer to its requests
 * @side: the direction that the answer takes
 * @desc: the answer
 *
 * Context: softirq or BH off, no lock of a direction held.
 */
void rf_pair_see(struct rf_side *side, const struct rf_desc *desc)
{
	struct rf_side *asked = rf_side_other(side);
	bool known = false;
	u32 qp;

	if (!desc->response || !READ_ONCE(asked->rules))
		return;
	spin_lock(&asked->lock);
	if (asked->flows)
		known = rf_flow_answered(asked->flows, desc, &qp);
	spin_unlock(&asked->lock);
	if (!known || !READ_ONCE(side->rules))
		return;
	spin_lock(&side->lock);
	rf_flow_set_peer(side->flows, desc, qp);
	spin_unlock(&side->lock);
}
