/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics of a case by name: "step.time.p99", "rank[2].wrong",
 * "port[v1].prio[3].pause.time". Used by expectations, summary.json and metrics.prom.
 */
#ifndef RF_METRIC_H
#define RF_METRIC_H

#include "tools/run/run.h"

/* The argument of the functions of rf_metrics */
struct rf_metric_case {
	const struct rf_run *run;
	const struct rf_run_case *run_case;
};

/* rf_metric() returns NAN if there is no value; rf_metric_value() returns the reason. */
double rf_metric(const struct rf_run *run, const struct rf_run_case *run_case,
		 const char *name);
const char *rf_metric_value(const struct rf_run *run,
			    const struct rf_run_case *run_case, const char *name,
			    double *v);
struct json_object *rf_metrics_json(const struct rf_run *run,
				    const struct rf_run_case *run_case);
struct json_object *rf_metrics_unknown_json(const struct rf_run *run,
					    const struct rf_run_case *run_case);

#endif
