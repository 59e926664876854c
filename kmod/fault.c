// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions. The netlink policy lets no other number in.
 */
#include <linux/kernel.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"
#include "rule.h"

typedef enum rf_verdict (*fault_fn)(struct rf_job *job,
				    const struct rf_action *action);

static const fault_fn faults[] = {
	[RDMAFAULT_ACTION_DROP] = rf_fault_drop,
	[RDMAFAULT_ACTION_WATCH] = rf_fault_watch,
};

/**
 * rf_fault_is_known - is there a fault of that type?
 * @type: RDMAFAULT_ACTION_*
 *
 * Return: true if there is.
 */
bool rf_fault_is_known(u32 type)
{
	return type < ARRAY_SIZE(faults) && faults[type];
}

/**
 * rf_fault_apply - do to a packet what a rule says
 * @job: the packet and the rule that has hit it
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: what becomes of the packet.
 */
enum rf_verdict rf_fault_apply(struct rf_job *job)
{
	const struct rf_rule *rule = job->rule;
	enum rf_verdict verdict = RF_PASS;
	u32 i;

	for (i = 0; i < rule->actions && verdict == RF_PASS; i++)
		verdict = faults[rule->action[i].type](job, &rule->action[i]);
	return verdict;
}
