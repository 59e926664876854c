/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of the figures in summary.json. Each function adds one member to an object or
 * returns an object that the caller owns. Times are in microseconds unless a name ends in _ns.
 */
#ifndef RF_FIGURES_H
#define RF_FIGURES_H

#include "tools/analysis/analysis.h"
#include "tools/run/run.h"

struct json_object;

/* numbers.c: numbers without superfluous digits, to keep the file small */
void rf_number_put(struct json_object *o, const char *key, double v);
void rf_number_add(struct json_object *array, double v);

/* figure_ranks.c: the step that the main figure of a case shows, and its ranks over time */
uint32_t rf_shown_step(const struct rf_run_case *p);
const struct rf_loss *rf_shown_loss(const struct rf_run_case *p);
struct json_object *rf_figure_ranks(const struct rf_run_case *p);

/* figure_ladder.c: the packets around a loss, between sender and receiver */
struct json_object *rf_figure_ladder(const struct rf_run_case *p);

/* figure_fabric.c: nodes, switches, links and ports */
struct json_object *rf_figure_fabric(const struct rf_run *run);

/* figure_rates.c: data rate of each step, and queue lengths when packets were marked */
struct json_object *rf_figure_rates(const struct rf_run_case *p);

/* html_*.c: figures whose tables are in the same file */
struct json_object *rf_figure_steps(const struct rf_run *run, const struct rf_run_case *p);
struct json_object *rf_figure_waits(const struct rf_run *run, const struct rf_run_case *p);
struct json_object *rf_figure_flows(const struct rf_run_case *p);
struct json_object *rf_figure_pauses(const struct rf_run_case *p);

#endif
