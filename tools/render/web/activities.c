// SPDX-License-Identifier: GPL-2.0
/*
 * Add up the time of all ranks in all steps of a case, by activity: waiting for data, waiting
 * for ACKs, waiting at the barrier. All other time counts as work.
 */
#include <json-c/json.h>
#include <math.h>

#include "summary.h"

/**
 * rf_activities_of - add up the time of a case by activity
 * @tl: the case's steps
 * @b: gets the times; all are 0 if the job reported no step, or is a command, which records no
 *	waits
 */
void rf_activities_of(const struct rf_timeline *tl, struct rf_activities *b)
{
	const struct rf_step *s;
	uint32_t rank, step;

	*b = (struct rf_activities){ };
	for (step = 1; !tl->of_command && step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			if (!s)
				continue;
			b->ns[RF_ACTIVITY_DATA] += s->wait_recv_ns;
			b->ns[RF_ACTIVITY_ACKS] += s->wait_send_ns;
			b->ns[RF_ACTIVITY_BARRIER] += s->wait_sync_ns;
			b->all += rf_step_ns(s);
		}
	b->ns[RF_ACTIVITY_WORK] = fmax(b->all - b->ns[RF_ACTIVITY_DATA] -
				       b->ns[RF_ACTIVITY_ACKS] - b->ns[RF_ACTIVITY_BARRIER], 0);
}

/**
 * rf_activities_json - add the parts to an object
 * @o: the object
 * @tl: the case's steps
 */
void rf_activities_json(struct json_object *o, const struct rf_timeline *tl)
{
	struct rf_activities b;

	rf_activities_of(tl, &b);
	rf_number_put(o, "work_us", b.ns[RF_ACTIVITY_WORK] / 1000);
	rf_number_put(o, "data_us", b.ns[RF_ACTIVITY_DATA] / 1000);
	rf_number_put(o, "acks_us", b.ns[RF_ACTIVITY_ACKS] / 1000);
	rf_number_put(o, "barrier_us", b.ns[RF_ACTIVITY_BARRIER] / 1000);
}
