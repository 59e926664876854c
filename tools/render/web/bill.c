// SPDX-License-Identifier: GPL-2.0
/*
 * Add up the time of all ranks in all steps of a case, by activity: waiting for data, waiting
 * for ACKs, waiting at the barrier. All other time counts as work.
 */
#include <math.h>

#include "bill.h"
#include "units.h"

#define BAR 16

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
 * rf_bill_draw - draw a bar with its parts
 * @plot: the drawing, with its horizontal axis
 * @label: text above the bar
 * @b: the parts
 * @y: upper edge of the bar
 */
void rf_bill_draw(struct rf_plot *plot, const char *label,
		  const struct rf_bill *b, double y)
{
	double x = plot->left, to;
	int part;

	rf_plot_text(plot, plot->left, y - 5, "", "%s", label);
	for (part = 0; part < RF_BILL_PARTS; part++) {
		to = x + rf_plot_x(plot, b->ns[part]) - plot->left;
		if (to - x > 0.5)
			rf_plot_rect(plot, x, fmax(to - 2, x), y, BAR,
				     rf_bill_keys[part].look);
		x = to;
	}
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
