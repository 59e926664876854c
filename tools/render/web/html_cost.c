// SPDX-License-Identifier: GPL-2.0
/*
 * The time of all ranks by activity for each case, and the cost of the additional time
 * compared with the clean case.
 */
#include <math.h>

#include "html.h"
#include "summary.h"
#include "units.h"

/* Legend of the parts; an empty entry ends the array. */
const struct rf_key rf_activity_keys[] = {
	[RF_ACTIVITY_WORK] = { "work", "computing, copying, adding" },
	[RF_ACTIVITY_DATA] = { "data", "waiting for data" },
	[RF_ACTIVITY_ACKS] = { "acks", "waiting for ACKs" },
	[RF_ACTIVITY_BARRIER] = { "others", "waiting at the barrier" },
	[RF_ACTIVITIES] = { },
};

/**
 * rf_activity_cells - write the total and the parts as cells of a table row
 * @f: output stream
 * @b: the parts
 */
void rf_activity_cells(FILE *f, const struct rf_activities *b)
{
	char time[RF_FMT_LEN];
	int part;

	rf_table_cell(f, "%s", rf_fmt_time((uint64_t)b->all, time));
	for (part = 0; part < RF_ACTIVITIES; part++)
		rf_table_cell(f, "%s (%.0f%%)",
			      rf_fmt_time((uint64_t)b->ns[part], time),
			      b->all ? 100 * b->ns[part] / b->all : 0);
}

/* Return: the number of cases in the figures, which show only the first round */
static size_t cases_shown(const struct rf_html *h)
{
	return h->run->ncases < h->run->scenario->ncases ?
	       h->run->ncases : h->run->scenario->ncases;
}

static char *signed_time(double ns, char buf[RF_FMT_LEN + 2])
{
	char time[RF_FMT_LEN];

	snprintf(buf, RF_FMT_LEN + 2, "%s%.20s", ns < 0 ? "-" : "+",
		 rf_fmt_time((uint64_t)fabs(ns), time));
	return buf;
}

/*
 * Write the additional time of a case. Leave the cell empty if no clean case has the same
 * job, or if this case or the clean case ended early.
 */
static void put_longer(struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_run_case *by = rf_run_clean_whole(h->run, p);
	char more[RF_FMT_LEN + 2];

	rf_table_cell(h->f, "%s", by ?
		      signed_time((double)rf_case_ns(p) - rf_case_ns(by), more) : "");
}

static void put_parts(struct rf_html *h)
{
	static const char *const heads[] = {
		"case", "time", "vs. clean case", "all ranks",
		"computing, copying, adding", "waiting for data",
		"waiting for ACKs", "waiting at the barrier", NULL
	};
	const struct rf_run_case *p;
	char time[RF_FMT_LEN];
	struct rf_activities b;
	size_t i;

	rf_figure_table(h, heads);
	for (i = 0; i < cases_shown(h); i++) {
		p = &h->run->cases[i];
		rf_activities_of(&p->rec.tl, &b);
		rf_table_row(h->f);
		rf_table_cell(h->f, "%s", p->label);
		rf_table_cell(h->f, "%s", rf_fmt_time(rf_case_ns(p), time));
		put_longer(h, p);
		rf_activity_cells(h->f, &b);
		fputc('\n', h->f);
	}
}

/* Format the cost if all GPUs of the @i-th cluster size wait for @ns. */
static const char *dollars(const struct rf_price *price, size_t i, uint64_t ns,
			   char *text)
{
	return rf_fmt_dollars(rf_cost(ns, price->gpus[i], price->rate), text);
}

static void put_dollars(struct rf_html *h, const struct rf_run_case *p,
			uint64_t ns)
{
	const struct rf_price *price = h->run->price;
	char n[32], text[32], time[RF_FMT_LEN];
	double day;
	size_t i;

	for (i = 0; i < price->ngpus; i++) {
		rf_table_row(h->f);
		rf_table_cell(h->f, "%s", p->label);
		rf_table_cell(h->f, "%s", rf_fmt_time(ns, time));
		rf_table_cell(h->f, "%s", rf_fmt_count(price->gpus[i], n));
		rf_table_cell(h->f, "%s", dollars(price, i, ns, text));
		day = rf_cost_of_day(ns, price->gpus[i], price->rate, price->every_ns);
		rf_table_cell(h->f, "%s", rf_fmt_dollars(day, text));
		fputc('\n', h->f);
	}
}

/* Write the cost of the additional time; nothing if no fault made a case longer. */
static void put_money(struct rf_html *h)
{
	char rate[32], every[RF_FMT_LEN], day[64];
	const char *const heads[] = {
		"case", "time lost", "GPUs", "cost", day, NULL
	};
	bool any = false;
	size_t i;

	for (i = 0; i < cases_shown(h); i++)
		any |= rf_case_impact_ns(h->run, &h->run->cases[i]) > 0;
	if (!any || !h->run->price->ngpus)
		return;
	fputs("<h3>Cost in dollars</h3>\n<p>", h->f);
	rf_fmt_time(h->run->price->every_ns, every);
	snprintf(day, sizeof(day), "per day, 1 stall every %s", every);
	rf_html_say(h->f, "In a synchronous job, every GPU waits for the slowest GPU. Cost = lost time × GPUs × %s per GPU and hour. How often a stall happens was not measured: the cost per day assumes one stall every %s (cost: stall-every).",
		    rf_fmt_dollars(h->run->price->rate, rate), every);
	fputs("</p>\n", h->f);
	rf_table_begin(h->f, "Cost of the lost time", heads);
	for (i = 0; i < cases_shown(h); i++)
		if (rf_case_impact_ns(h->run, &h->run->cases[i]) > 0)
			put_dollars(h, &h->run->cases[i],
				    rf_case_impact_ns(h->run, &h->run->cases[i]));
	rf_table_end(h->f);
}

static bool has_activities(const struct rf_html *h)
{
	struct rf_activities b = { };
	size_t i;

	for (i = 0; i < cases_shown(h) && !b.all; i++)
		rf_activities_of(&h->run->cases[i].rec.tl, &b);
	return b.all > 0;
}

/**
 * rf_html_cost - write the time by activity and the cost
 * @h: the page
 *
 * Nothing is written if the job reported no step.
 */
void rf_html_cost(struct rf_html *h)
{
	if (!has_activities(h))
		return;
	fputs("<section>\n<h2>Cost</h2>\n", h->f);
	rf_figure_begin(h, "activities", NULL, "Time of the ranks by activity",
			"Each bar is the total time of all ranks in all steps of a case. Compare the waiting time with that of the clean case.");
	rf_figure_legend(h, rf_activity_keys);
	put_parts(h);
	rf_figure_end(h);
	put_money(h);
	fputs("</section>\n", h->f);
}
