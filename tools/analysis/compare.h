/* SPDX-License-Identifier: GPL-2.0 */
/* Comparison of two runs, A and B: what changed from A to B. */
#ifndef RF_COMPARE_H
#define RF_COMPARE_H

#include "tools/run/run.h"
#include "tools/scenario/expr.h"

#define RF_COMPARED 2
#define RF_COMPARE_LEN 64
#define RF_COMPARE_NOTE "the runs differ in scenario, kernel, number of CPUs or clock (real or virtual time). This can be the cause of differences below."

struct rf_compared {
	const struct rf_run *runs[RF_COMPARED];	/* analysed runs with at least one case each */
};

const char *rf_compare_name(const struct rf_run *run);
const struct rf_metric_info *rf_compare_metric(const char *name);
bool rf_compare_values(const struct rf_compared *c, const char *case_name,
		       const struct rf_metric_info *m, double v[RF_COMPARED]);
char *rf_compare_value(const struct rf_metric_info *m, double v,
		       char buf[RF_COMPARE_LEN]);
char *rf_compare_change(const struct rf_metric_info *m, double was, double is,
			char buf[RF_COMPARE_LEN]);
const struct rf_run_case *rf_compare_case(const struct rf_run *run,
					  const char *name);
const struct rf_run *rf_compare_lacks(const struct rf_compared *c,
				      const char *name);
bool rf_compare_differ(const struct rf_compared *c);

#endif
