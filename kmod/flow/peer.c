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
 * rf_peer_track_all - follow all flows from now on, until rules change
 * @dir: the direction
 *
 * Context: under the lock of the direction.
 */
void rf_peer_track_all(struct rf_dir *dir)
{
	if (dir->selective && dir->flows)
		rf_flows_know_all(dir->flows);
	WRITE_ONCE(dir->selective, false);
}

/* All flows must be known to tell whose an answer is. */
static bool learns_of_answers(const struct rf_dir *dir)
{
	const struct rf_dir *other = rf_dir_other(dir);

	return other->rules || other->watched;
}

/* Rules that name QPs, and answers that nobody asks for: others can go by. */
static void choose_whom(struct rf_dir *dir)
{
	bool all = learns_of_answers(dir) || rf_tell_is_heard();
	const struct rf_qps *qps;
	bool selective;

	spin_lock_bh(&dir->lock);
	qps = rf_dir_qps(dir);
	selective = qps && !qps->any && !all;
	if (selective)
		rf_flows_forget(dir->flows, qps);
	else
		rf_peer_track_all(dir);
	WRITE_ONCE(dir->selective, selective);
	spin_unlock_bh(&dir->lock);
}

/**
 * rf_peer_choose - what both directions look at, by the rules that there are
 * @dir: the direction whose rules have changed
 *
 * Context: process, under rf_ports_lock.
 */
void rf_peer_choose(struct rf_dir *dir)
{
	const struct rf_ruleset *rules = dir->rules;
	bool asked = false;
	u32 i;

	for (i = 0; rules && i < rules->count && !asked; i++)
		asked = asks_requester(rules->rule[i]);
	WRITE_ONCE(rf_dir_other(dir)->watched, asked);
	choose_whom(dir);
	choose_whom(rf_dir_other(dir));
}

/**
 * rf_peer_see - tell an answer to its requests
 * @dir: the direction that the answer takes
 * @desc: the answer
 *
 * Context: softirq or BH off, no lock of a direction held.
 */
void rf_peer_see(struct rf_dir *dir, const struct rf_desc *desc)
{
	struct rf_dir *asked = rf_dir_other(dir);
	bool known = false;
	u32 qp;

	if (!desc->response || !READ_ONCE(asked->rules))
		return;
	spin_lock(&asked->lock);
	if (asked->flows)
		known = rf_flow_answered(asked->flows, desc, &qp);
	spin_unlock(&asked->lock);
	if (!known || !READ_ONCE(dir->rules))
		return;
	spin_lock(&dir->lock);
	rf_flow_set_peer(dir->flows, desc, qp);
	spin_unlock(&dir->lock);
}
