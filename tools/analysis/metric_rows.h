/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of the tables of metrics; only for metric*.c */
#ifndef RF_METRIC_ROWS_H
#define RF_METRIC_ROWS_H

#include "tools/run/run.h"

#define RF_INDEX_LEN 16
#define RF_INDEXES 2

/* A query for a metric. In "port[v1].prio[3].marked", the indexes are v1 and 3. */
struct rf_metric_query {
	const struct rf_run *run;
	const struct rf_run_case *run_case;
	char index[RF_INDEXES][RF_INDEX_LEN];
	unsigned int arg;		/* argument of the row's function */
};

enum {
	RF_TRACED = 1,			/* computed from the trace */
	RF_ONE_CLOCK = 2,		/* a time that is measured on one machine */
};

struct rf_metric_row {
	struct rf_metric_info info;
	/* Return: NULL, or the reason why there is no value */
	const char *(*value)(const struct rf_metric_query *q, double *v);
	unsigned int arg;
	unsigned int flags;
};

#define ROW(_name, _unit, _fn, _arg, _flags, _help) {			\
	.info = { .name = _name, .unit = RF_UNIT_ ## _unit, .help = _help }, \
	.value = _fn, .arg = _arg, .flags = _flags }

/* Each table ends with a row without a name. */
extern const struct rf_metric_row rf_step_metrics[];	/* steps and ranks */
extern const struct rf_metric_row rf_loss_metrics[];	/* losses */
extern const struct rf_metric_row rf_fault_metrics[];	/* single faults */
extern const struct rf_metric_row rf_port_metrics[];	/* ports and rxe */

/* metric_processes.c */
const char *rf_process_metric(const struct rf_run *run, const struct rf_run_case *run_case,
			      const char *name, double *v);

bool rf_index_number(const char *text, uint32_t max, uint32_t *v);
const char *rf_index_rank(const struct rf_metric_query *q, uint32_t *rank);

#endif
