// SPDX-License-Identifier: GPL-2.0
/*
 * The packet is held for a time. Delays of several rules add up, as those of
 * several links do; together they don't exceed the port's max-hold.
 */
#include <linux/minmax.h>

#include "jitter.h"
#include "../port.h"

/**
 * rf_fault_delay - hold the packet
 * @job: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_delay(struct rf_job *job, const struct rf_action *action)
{
	u64 cap = READ_ONCE(job->side->port->max_hold);
	u64 delay = action->delay;

	if (action->jitter)
		delay = rf_jitter(action, &job->draw, job->at);
	delay = min(delay, cap);
	job->values[job->at] = delay;
	job->delay += delay;
	job->hold = true;
	job->holder = job->rule->id;
	if (action->flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER)
		job->keep_order = true;
	return RF_PASS;
}
