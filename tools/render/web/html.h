/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files that write HTML pages. Text from a run is written by
 * rf_html_text() or rf_html_say(), which escape it.
 */
#ifndef RF_HTML_H
#define RF_HTML_H

#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"

struct rf_html {
	FILE *f;
	const struct rf_run *run;
	struct json_object *data;	/* what the script draws */
};

int rf_html_file(const char *path, const char *title, struct json_object *data,
		 void (*put)(struct rf_html *h, const void *what), const void *what);
void rf_html_text(FILE *f, const char *text);
void rf_html_say(FILE *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_html_link(FILE *f, const char *path, const char *text);

/* the embedded files of the page: html_file.c */
extern const char rf_report_html[];
extern const char rf_report_css[], rf_report_css_end[];
extern const char rf_figures_js[], rf_figures_js_end[];
extern const char rf_page_js[], rf_page_js_end[];

#endif
