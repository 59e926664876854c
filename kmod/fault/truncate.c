// SPDX-License-Identifier: GPL-2.0
/*
 * A packet with less payload than its sender gave it. With its old ICRC it is
 * damaged; with a valid one, it is a sender's mistake.
 */
#include "../rocev2/mangle.h"
#include "../rocev2/packet.h"
#include "../rule/ruleset.h"

/**
 * rf_fault_truncate - cut the payload
 * @job: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_truncate(struct rf_job *job,
				  const struct rf_action *action)
{
	if (action->length >= job->pkt->desc.payload ||
	    job->end != job->pkt->end) {
		rf_edit_not(job);
		return RF_PASS;
	}
	if (!rf_edit_cut(job, action->length))
		return RF_PASS;
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		rf_edit_icrc(job);
	rf_stats_inc(job->side->stats, RF_STAT_TRUNCATED);
	return RF_PASS;
}
