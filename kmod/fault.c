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
#include "fault_check.h"
#include "rule.h"

/**
 * struct fault - a type of action
 * @apply: does it to a packet
 * @check: what is wrong with it, or NULL; not there if nothing can be
 * @takes: attributes that it may carry, beside type and flags
 * @flags: flags that it may carry
 * @last: the packet is gone after it, so no action can follow
 */
struct fault {
	enum rf_verdict (*apply)(struct rf_job *job,
				 const struct rf_action *action);
	const char *(*check)(const struct rf_action *action);
	u64 takes;
	u32 flags;
	bool last;
};

#define TAKES(attr)	RF_ACTION_BIT(attr)

static const struct fault faults[] = {
	[RDMAFAULT_ACTION_DROP] = {
		.apply = rf_fault_drop,
		.last = true,
	},
	[RDMAFAULT_ACTION_WATCH] = {
		.apply = rf_fault_watch,
	},
	[RDMAFAULT_ACTION_DELAY] = {
		.apply = rf_fault_delay,
		.check = rf_check_delay,
		.takes = TAKES(DELAY) | TAKES(JITTER) |
			 TAKES(JITTER_CORRELATION) | TAKES(DISTRIBUTION),
		.flags = RDMAFAULT_ACTION_FLAG_KEEP_ORDER,
	},
	[RDMAFAULT_ACTION_REORDER] = {
		.apply = rf_fault_reorder,
		.check = rf_check_reorder,
		.takes = TAKES(DELAY) | TAKES(DISTANCE) | TAKES(BEHIND_PSN) |
			 TAKES(BEHIND_PSN_REL),
	},
	[RDMAFAULT_ACTION_DUPLICATE] = {
		.apply = rf_fault_duplicate,
		.takes = TAKES(DELAY) | TAKES(COPIES),
	},
	[RDMAFAULT_ACTION_CORRUPT] = {
		.apply = rf_fault_corrupt,
		.check = rf_check_corrupt,
		.takes = TAKES(UNIT) | TAKES(OFFSET) | TAKES(VALUE),
		.flags = RDMAFAULT_ACTION_FLAG_VALID_ICRC,
	},
	[RDMAFAULT_ACTION_TRUNCATE] = {
		.apply = rf_fault_truncate,
		.check = rf_check_truncate,
		.takes = TAKES(LENGTH),
		.flags = RDMAFAULT_ACTION_FLAG_VALID_ICRC,
	},
	[RDMAFAULT_ACTION_MARK] = {
		.apply = rf_fault_mark,
		.takes = TAKES(ECN) | TAKES(NOT_ECT),
	},
	[RDMAFAULT_ACTION_REWRITE] = {
		.apply = rf_fault_rewrite,
		.check = rf_check_rewrite,
		.takes = RF_REWRITE_FIELDS,
	},
	[RDMAFAULT_ACTION_NAK] = {
		.apply = rf_fault_answer,
		.check = rf_check_nak,
		.takes = TAKES(CODE) | TAKES(PEER_QP),
		.last = true,
	},
	[RDMAFAULT_ACTION_RNR] = {
		.apply = rf_fault_answer,
		.takes = TAKES(CODE) | TAKES(PEER_QP),
		.last = true,
	},
	[RDMAFAULT_ACTION_BLACKHOLE] = {
		.apply = rf_fault_blackhole,
		.check = rf_check_blackhole,
		.takes = TAKES(DELAY),
		.flags = RDMAFAULT_ACTION_FLAG_BOTH,
		.last = true,
	},
};

/**
 * rf_fault_is_known - is there a fault of that type?
 * @type: RDMAFAULT_ACTION_*
 *
 * Return: true if there is.
 */
bool rf_fault_is_known(u32 type)
{
	return type < ARRAY_SIZE(faults) && faults[type].apply;
}

static const char *fault_error(const struct rf_action *action)
{
	const u64 always = TAKES(TYPE) | TAKES(FLAGS);
	const struct fault *fault;
	const char *error;

	if (!rf_fault_is_known(action->type))
		return "action: not there yet";
	fault = &faults[action->type];
	error = rf_check_foreign(action, fault->takes | always, fault->flags);
	if (error || !fault->check)
		return error;
	return fault->check(action);
}

/**
 * rf_fault_validate - refuse actions that can't be meant
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
	const char *error = NULL;
	u32 i;

	for (i = 0; i < rule->actions && !error; i++) {
		*at = i;
		error = fault_error(&rule->action[i]);
		if (!error && i + 1 < rule->actions &&
		    faults[rule->action[i].type].last)
			error = "action: behind one that makes the packet vanish";
	}
	if (error && extack)
		extack->_msg = error;
	return error ? -EINVAL : 0;
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
	u64 longest = 0;
	u32 i;

	for (i = 0; i < rule->actions; i++)
		longest += rf_check_holding(&rule->action[i]);
	if (longest <= hold_cap)
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
