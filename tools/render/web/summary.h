/* SPDX-License-Identifier: GPL-2.0 */
/* summary.json and the page for a browser, which draws its figures from it */
#ifndef RF_SUMMARY_H
#define RF_SUMMARY_H

#include "tools/analysis/analysis.h"
#include "tools/run/run.h"

#define RF_SUMMARY_VERSION 1	/* format of summary.json */
int rf_summary_write(const char *path, const struct rf_run *run);
struct json_object *rf_summary_json(const struct rf_run *run);
int rf_html_write(const char *path, const struct rf_run *run);
int rf_compare_html(const char *path, const struct rf_compared *c);	/* html_compare.c */

#endif
