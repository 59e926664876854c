/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files that write the HTML page: text, tables and figures. Text
 * from a run is written by rf_html_text() or rf_html_say(), which escape it.
 */
#ifndef RF_HTML_H
#define RF_HTML_H

#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"

struct rf_activities;

struct rf_html {
	FILE *f;
	const struct rf_run *run;
	struct json_object *data;	/* summary of the run, for the script; NULL: none */
	char title[96];			/* title of the current figure */
};

/* common parts of all pages: html_file.c */
int rf_html_file(const char *path, const char *title, struct json_object *data,
		 void (*put)(struct rf_html *h, const void *what), const void *what);

/* text and tables: html_text.c */
void rf_html_text(FILE *f, const char *text);
void rf_html_say(FILE *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_html_link(FILE *f, const char *path, const char *text);
void rf_html_verdict(FILE *f, enum rf_verdict v);
void rf_table_open(FILE *f, const char *caption);
void rf_table_begin(FILE *f, const char *caption, const char *const *heads);
void rf_table_row(FILE *f);
void rf_table_cell(FILE *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_table_name(FILE *f, const char *fmt, ...)	/* name of the row */
	__attribute__((format(printf, 2, 3)));
void rf_table_mark(FILE *f, const char *look, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rf_table_end(FILE *f);

/* common parts of all figures: html_figure.c */
struct rf_key {
	const char *look;		/* CSS class of the mark; NULL: end of the legend */
	const char *words;
};

void rf_figure_begin(struct rf_html *h, const char *kind, const struct rf_run_case *p,
		     const char *title, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void rf_figure_legend(struct rf_html *h, const struct rf_key *keys);
void rf_figure_table(struct rf_html *h, const char *const *heads);
void rf_figure_end(struct rf_html *h);
void rf_figure_close(struct rf_html *h);

/* the figures, each with its table: html_steps.c, html_psn.c, html_waits.c, html_pauses.c */
void rf_html_steps(struct rf_html *h, const struct rf_run_case *p);
void rf_step_range_cell(FILE *f, const struct rf_timeline *tl, uint32_t from,
			uint32_t to);
void rf_html_psn(struct rf_html *h, const struct rf_run_case *p);
void rf_html_waits(struct rf_html *h, const struct rf_run_case *p);
void rf_html_spread(struct rf_html *h, const struct rf_run_case *p);
void rf_html_pauses(struct rf_html *h, const struct rf_run_case *p);

/* time by activity, and what it costs: html_cost.c */
extern const struct rf_key rf_activity_keys[];
void rf_activity_cells(FILE *f, const struct rf_activities *b);
void rf_html_cost(struct rf_html *h);

/* tables without a figure: html_expected.c, html_flows.c, html_ports.c */
void rf_html_expected(struct rf_html *h, const struct rf_run_case *p);
void rf_html_flows(struct rf_html *h, const struct rf_run_case *p);
void rf_html_ports(struct rf_html *h, const struct rf_run_case *p);

/* the section of a case: html_case.c */
void rf_html_faults(FILE *f, const struct rf_case *test_case);
void rf_html_case(struct rf_html *h, const struct rf_run_case *p);

/* the embedded files of the page: html_file.c */
extern const char rf_report_html[];
extern const char rf_report_css[], rf_report_css_end[];
extern const char rf_report_js[], rf_report_js_end[];

/* the first screen: html_first.c */
void rf_html_first(struct rf_html *h, const size_t *order, size_t n);
void rf_html_ranks(struct rf_html *h, const struct rf_run_case *p);
void rf_html_ladder(struct rf_html *h, const struct rf_run_case *p);
void rf_html_rates(struct rf_html *h, const struct rf_run_case *p);

/* common parts of the page that compares two runs: html_compare.c */

/* Legend: the letter and color of each run */
struct rf_letter_keys {
	char words[RF_COMPARED][80];
	struct rf_key keys[RF_COMPARED + 1];
};

extern const char *const rf_run_looks[RF_COMPARED];
void rf_letters(const struct rf_compared *c, struct rf_letter_keys *k);
void rf_compare_heads(FILE *f, const char *caption, const char *first,
		      const char *last);

/* one case that both runs have: html_compare_case.c, html_compare_steps.c */
void rf_compare_case_json(struct json_object *figures, const struct rf_compared *c,
			  const char *case_name);
void rf_html_compare_case(struct rf_html *h, const struct rf_compared *c,
			  const char *case_name);
void rf_html_compare_steps(struct rf_html *h, const struct rf_compared *c,
			   const char *case_name);

#endif
