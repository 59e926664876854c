/* SPDX-License-Identifier: GPL-2.0 */
/* Export a run for other tools: OpenMetrics, Chrome trace, JUnit XML, TAP. */
#ifndef RF_EXPORT_H
#define RF_EXPORT_H

#include <stdio.h>
#include "tools/analysis/analysis.h"
#include "tools/run/run.h"

/* file.c */
int rf_render_file(const char *path, const struct rf_run *run,
		   int (*write)(FILE *f, const struct rf_run *run));

/* export_words.c */
char *rf_export_words(const struct rf_event *e, char *buf, size_t len);
char *rf_export_breach(const struct rf_analysis *an, const struct rf_event *e,
		       char *buf, size_t len);

/* export_metrics.c: OpenMetrics, for Prometheus */
int rf_export_metrics(const char *path, const struct rf_run *run);

/* export_trace.c: Chrome's trace format, for Perfetto */
int rf_export_trace(const char *path, const struct rf_run *run);

/* export_junit.c: JUnit XML, for CI systems */
int rf_export_junit(const char *path, const struct rf_run *run);

/* export_tap.c: TAP 13, a test for each case */
void rf_export_tap(FILE *f, const struct rf_run *run);

#endif
