// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions. The netlink policy lets no other number in.
 *
 * The actions of a rule are done in their order, until one makes the packet
 * vanish. What changes the packet changes it at once; what happens outside of
 * it (holding it, copies, answers) is written down in the job, for rf_settle().
 */
#include <linux/kernel.h>
#include <linux/netlink.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
#include "rule.h"

/**
 * struct fault - a type of action
 * @apply: does it to a packet
 * @last: the packet is gone after it, so no action can follow
 * @holds: how many nanoseconds it holds a packet, or a copy; NULL if it doesn't.
 *	What jitter's tail adds, the hold cuts.
 * @draws: does it draw? NULL if it never does
 */
struct fault {
	enum rf_verdict (*apply)(struct rf_job *job,
				 const struct rf_action *action);
	bool last;
	u64 (*holds)(const struct rf_action *action);
	bool (*draws)(const struct rf_action *action);
};

static u64 delay_holds(const struct rf_action *action)
{
	return action->delay + action->jitter;
}

static u64 duplicate_holds(const struct rf_action *action)
{
	return action->delay;
}

static bool delay_draws(const struct rf_action *action)
{
	return action->jitter;
}

static bool corrupt_draws(const struct rf_action *action)
{
	return true;
}

static const struct fault faults[] = {
	[RDMAFAULT_ACTION_DROP] = { rf_fault_drop, true },
	[RDMAFAULT_ACTION_WATCH] = { rf_fault_watch },
	[RDMAFAULT_ACTION_DELAY] = {
		rf_fault_delay, .holds = delay_holds, .draws = delay_draws
	},
	[RDMAFAULT_ACTION_REORDER] = {
		rf_fault_reorder, .holds = rf_reorder_within
	},
	[RDMAFAULT_ACTION_DUPLICATE] = {
		rf_fault_duplicate, .holds = duplicate_holds
	},
	[RDMAFAULT_ACTION_CORRUPT] = {
		rf_fault_corrupt, .draws = corrupt_draws
	},
	[RDMAFAULT_ACTION_TRUNCATE] = { rf_fault_truncate },
	[RDMAFAULT_ACTION_MARK] = { rf_fault_mark },
	[RDMAFAULT_ACTION_REWRITE] = { rf_fault_rewrite },
	[RDMAFAULT_ACTION_NAK] = { rf_fault_answer, true },
	[RDMAFAULT_ACTION_RNR] = { rf_fault_answer, true },
	[RDMAFAULT_ACTION_BLACKHOLE] = { rf_fault_blackhole, true },
};

/**
 * rf_fault_validate - refuse actions that can't be meant together
 * @rule: a rule that is not published yet
 * @at: the place of the one that can't
 * @extack: says what is wrong
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int rf_fault_validate(const struct rf_rule *rule, u32 *at,
		      struct netlink_ext_ack *extack)
{
	u32 i;

	for (i = 0; i + 1 < rule->actions; i++) {
		if (!faults[rule->action[i].type].last)
			continue;
		*at = i + 1;
		NL_SET_ERR_MSG(extack,
			       "action: behind one that makes the packet vanish");
		return -EINVAL;
	}
	return 0;
}

static bool any_action(const struct rf_rule *rule,
		       bool (*is_one)(const struct rf_action *action))
{
	u32 i;

	for (i = 0; i < rule->actions; i++)
		if (is_one(&rule->action[i]))
			return true;
	return false;
}

static bool holds(const struct rf_action *action)
{
	return faults[action->type].holds;
}

static bool draws(const struct rf_action *action)
{
	const struct fault *fault = &faults[action->type];

	return fault->draws && fault->draws(action);
}

/**
 * rf_fault_holds - may a rule hold packets?
 * @rule: the rule
 *
 * Context: any.
 * Return: true if one of its actions does.
 */
bool rf_fault_holds(const struct rf_rule *rule)
{
	return any_action(rule, holds);
}

/**
 * rf_fault_draws - does a rule draw when it is applied?
 * @rule: the rule
 *
 * Context: any.
 * Return: true if one of its actions does.
 */
bool rf_fault_draws(const struct rf_rule *rule)
{
	return any_action(rule, draws);
}

static u64 longest_hold(const struct rf_rule *rule)
{
	const struct rf_action *action;
	const struct fault *fault;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < rule->actions; i++) {
		action = &rule->action[i];
		fault = &faults[action->type];
		sum += fault->holds ? fault->holds(action) : 0;
	}
	return sum;
}

/**
 * rf_fault_fits - refuse actions that would hold packets too long
 * @rule: a rule that is not published yet
 * @hold_cap: the longest that its port holds a packet, in nanoseconds
 * @extack: says what is wrong
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int rf_fault_fits(const struct rf_rule *rule, u64 hold_cap,
		  struct netlink_ext_ack *extack)
{
	if (longest_hold(rule) <= hold_cap)
		return 0;
	NL_SET_ERR_MSG(extack, "delay: longer than the port's hold-cap");
	return -EINVAL;
}

/**
 * rf_fault_apply - do to a packet what a rule says
 * @job: the packet and the rule that has hit it
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: what becomes of the packet, as far as this rule goes.
 */
enum rf_verdict rf_fault_apply(struct rf_job *job)
{
	const struct rf_rule *rule = job->rule;
	enum rf_verdict verdict = RF_PASS;

	for (job->at = 0; job->at < rule->actions; job->at++) {
		const struct rf_action *action = &rule->action[job->at];

		verdict = faults[action->type].apply(job, action);
		if (verdict != RF_PASS)
			break;
	}
	return verdict;
}
