// SPDX-License-Identifier: GPL-2.0
/*
 * Add up the time of all ranks in all steps of a case, by activity: waiting for data, waiting
 * for ACKs, waiting at the barrier. All other time counts as work.
 */
#include <json-c/json.h>
#include <math.h>

#include "bill.h"
#include "figures.h"
#include "units.h"

/* Legend of the parts; an empty entry ends the array. */
const struct rf_key rf_bill_keys[] = {
	[RF_BILL_WORK] = { "work", "computing, copying, adding" },
	[RF_BILL_DATA] = { "data", "waiting for data" },
	[RF_BILL_ACKS] = { "acks", "waiting for ACKs" },
	[RF_BILL_OTHERS] = { "others", "waiting at the barrier" },
	[RF_BILL_PARTS] = { },
};

/**
 * rf_bill_of - add up the time of a case by activity
 * @tl: the case's steps
 * @b: gets the times; all are 0 if the job reported no step
 */
void rf_bill_of(const struct rf_timeline *tl, struct rf_bill *b)
{
	const struct rf_step *s;
	uint32_t rank, step;

	*b = (struct rf_bill){ };
	for (step = 1; step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			if (!s)
				continue;
			b->ns[RF_BILL_DATA] += s->wait_recv_ns;
			b->ns[RF_BILL_ACKS] += s->wait_send_ns;
			b->ns[RF_BILL_OTHERS] += s->wait_sync_ns;
			b->all += rf_step_ns(s);
		}
	b->ns[RF_BILL_WORK] = fmax(b->all - b->ns[RF_BILL_DATA] -
				   b->ns[RF_BILL_ACKS] - b->ns[RF_BILL_OTHERS], 0);
}

/**
 * rf_bill_cells - write the total and the parts as cells of a table row
 * @f: output stream
 * @b: the parts
 */
void rf_bill_cells(FILE *f, const struct rf_bill *b)
{
	char time[RF_FMT_LEN];
	int part;

	rf_table_cell(f, "%s", rf_fmt_time((uint64_t)b->all, time));
	for (part = 0; part < RF_BILL_PARTS; part++)
		rf_table_cell(f, "%s (%.0f%%)",
			      rf_fmt_time((uint64_t)b->ns[part], time),
			      b->all ? 100 * b->ns[part] / b->all : 0);
}

/**
 * rf_bill_json - add the parts to an object
 * @o: the object
 * @tl: the case's steps
 */
void rf_bill_json(struct json_object *o, const struct rf_timeline *tl)
{
	struct rf_bill b;

	rf_bill_of(tl, &b);
	rf_number_put(o, "work_us", b.ns[RF_BILL_WORK] / 1000);
	rf_number_put(o, "data_us", b.ns[RF_BILL_DATA] / 1000);
	rf_number_put(o, "acks_us", b.ns[RF_BILL_ACKS] / 1000);
	rf_number_put(o, "barrier_us", b.ns[RF_BILL_OTHERS] / 1000);
}
