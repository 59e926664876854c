/* SPDX-License-Identifier: GPL-2.0 */
/* A run in the formats of others: their tools read it. */
#ifndef RF_EXPORT_H
#define RF_EXPORT_H

#include <stdio.h>
#include "run.h"

int rf_render_file(const char *path, const struct rf_run *run,
		   int (*write)(FILE *f, const struct rf_run *run));

/* OpenMetrics, for Prometheus and its kin */
int rf_export_metrics(const char *path, const struct rf_run *run);
/* export_words.c */
char *rf_export_words(const struct rf_event *e, char *buf, size_t len);
char *rf_export_breach(const struct rf_analysis *an, const struct rf_event *e,
		       char *buf, size_t len);

/* Chrome's trace format, for Perfetto */
int rf_export_trace(const char *path, const struct rf_run *run);
/* TAP 14, a subtest for each case */
void rf_export_tap(FILE *f, const struct rf_run *run);

#endif
