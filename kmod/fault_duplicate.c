// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of the packet as it is now: what earlier actions have changed is
 * changed in them, what later ones change is not. They are not asked about.
 */
#include <linux/skbuff.h>

#include "copy.h"
#include "edit.h"
#include "ruleset.h"

static void append(struct rf_job *job, struct sk_buff *copy)
{
	struct sk_buff **last = &job->copies;

	while (*last)
		last = &(*last)->next;
	*last = copy;
	copy->next = NULL;
}

/**
 * rf_fault_duplicate - make copies
 * @job: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_duplicate(struct rf_job *job,
				   const struct rf_action *action)
{
	u32 copies = RF_ACTION_HAS(action, COPIES) ? action->copies : 1;
	struct sk_buff *copy;

	job->holder = job->rule->id;
	while (copies--) {
		copy = skb_clone(job->skb, GFP_ATOMIC | __GFP_NOWARN);
		if (!copy) {
			rf_edit_not(job);
			break;
		}
		*rf_copy_delay(copy) = job->delay + action->delay;
		append(job, copy);
	}
	return RF_PASS;
}
