/* SPDX-License-Identifier: GPL-2.0 */
/* summary.json and the page for a browser, which draws its figures from it */
#ifndef RF_SUMMARY_H
#define RF_SUMMARY_H

#include "tools/analysis/analysis.h"
#include "tools/run/run.h"

struct json_object;

/* summary.c */
#define RF_SUMMARY_VERSION 1	/* format of summary.json */
int rf_summary_write(const char *path, const struct rf_run *run);
struct json_object *rf_summary_json(const struct rf_run *run);

/* html.c, html_compare.c: the pages */
int rf_html_write(const char *path, const struct rf_run *run);
int rf_compare_html(const char *path, const struct rf_compared *c);

/*
 * The data of the figures in summary.json. Each function adds one member to an object or
 * returns an object that the caller owns. Times are in microseconds unless a name ends in _ns.
 */

/* numbers.c: numbers without superfluous digits, to keep the file small */
void rf_number_put(struct json_object *o, const char *key, double v);
void rf_number_add(struct json_object *array, double v);

/* figure_ranks.c: the step that the main figure of a case shows, and its ranks over time */
const struct rf_loss *rf_shown_loss(const struct rf_run_case *p);
struct json_object *rf_figure_ranks(const struct rf_run_case *p);

/* figure_ladder.c: the packets around a loss, between sender and receiver */
struct json_object *rf_figure_ladder(const struct rf_run_case *p);

/* figure_fabric.c: nodes, switches, links and ports */
struct json_object *rf_figure_fabric(const struct rf_run *run);

/* figure_rates.c: data rate of each step, and queue lengths when packets were marked */
struct json_object *rf_figure_rates(const struct rf_run_case *p);

/* figure_loads.c */
struct json_object *rf_figure_loads(const struct rf_run_case *p);

/* figure_dcqcn.c: rates of flows that DCQCN changes */
struct json_object *rf_figure_dcqcn(const struct rf_run *run, const struct rf_run_case *p);

/* figure_steps.c: step times of a case and of the clean case, and when faults were active */
struct json_object *rf_figure_steps(const struct rf_run *run, const struct rf_run_case *p);

/* figure_waits.c: waiting time by rank and step */
struct json_object *rf_figure_waits(const struct rf_run *run, const struct rf_run_case *p);

/* figure_flows.c: adds "flows", the PSNs of the flows with hits, and how many more there are */
void rf_figure_flows(struct json_object *figures, const struct rf_run_case *p);

/* figure_pauses.c: pauses of each priority over time */
struct json_object *rf_figure_pauses(const struct rf_run_case *p);

/* captions.c: sentences of the first screen */
void rf_captions_json(struct json_object *o, const struct rf_run *run, const struct rf_run_case *p);

/* activities.c: the time of all ranks of a case by activity */
enum rf_activity {
	RF_ACTIVITY_WORK, RF_ACTIVITY_DATA, RF_ACTIVITY_ACKS, RF_ACTIVITY_BARRIER,
	RF_ACTIVITIES
};

/* Time of all ranks in ns, by activity and in total */
struct rf_activities {
	double ns[RF_ACTIVITIES], all;
};

void rf_activities_of(const struct rf_timeline *tl, struct rf_activities *b);
void rf_activities_json(struct json_object *o, const struct rf_timeline *tl);

#endif
