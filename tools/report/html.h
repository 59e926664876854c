/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files that write the HTML page: text, tables and figures. Text
 * from a run is written by rf_html_text() or rf_html_say(), which escape it.
 */
#ifndef RF_HTML_H
#define RF_HTML_H

#include "plot.h"
#include "run.h"
#include "step_points.h"

struct rf_assets;

struct rf_html {
	FILE *f;
	const struct rf_run *run;
	const struct rf_assets *assets;
	struct json_object *data;	/* data of each figure, for the script */
	unsigned int figures;
	char title[96];			/* title of the current figure */
};

/* the page, with uPlot if @uplot contains it: html.c */
int rf_html_write_with(const char *path, const struct rf_run *run,
		       const char *uplot);

/* common parts of all pages: html_file.c */
#define RF_UPLOT	RF_DATADIR "/uplot"

int rf_html_file(const char *path, const char *uplot, const char *title,
		 void (*put)(struct rf_html *h, const void *what),
		 const void *what);
void rf_html_drawn_by(const struct rf_html *h);
void rf_html_licence(const struct rf_html *h);

/* text and tables: html_text.c */
void rf_html_text(FILE *f, const char *text);
void rf_html_say(FILE *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
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

typedef void (*rf_draw_fn)(struct rf_plot *plot, const void *what);

void rf_figure_begin(struct rf_html *h, const char *title, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rf_figure_draw(struct rf_html *h, double height, const char *label,
		    rf_draw_fn draw, const void *what);
void rf_figure_legend(struct rf_html *h, const struct rf_key *keys);
void rf_figure_data(struct rf_html *h, struct json_object *data);
void rf_figure_table(struct rf_html *h, const char *const *heads);
void rf_figure_end(struct rf_html *h);

/* the figures, each with its table */
void rf_html_steps(struct rf_html *h, const struct rf_run_case *p);
void rf_step_line(struct rf_plot *plot, const struct rf_step_points *pts,
		  const char *look);
void rf_step_range_cell(FILE *f, const struct rf_timeline *tl, uint32_t from,
			uint32_t to);
void rf_html_psn(struct rf_html *h, const struct rf_run_case *p);
void rf_html_waits(struct rf_html *h, const struct rf_run_case *p);
void rf_html_pauses(struct rf_html *h, const struct rf_run_case *p);
void rf_html_cost(struct rf_html *h);

void rf_html_expected(struct rf_html *h, const struct rf_run_case *p);
void rf_html_flows(struct rf_html *h, const struct rf_run_case *p);
void rf_html_ports(struct rf_html *h, const struct rf_run_case *p);

/* the section of a case: html_case.c */
void rf_html_faults(FILE *f, const struct rf_case *kase);
void rf_html_case(struct rf_html *h, const struct rf_run_case *p);

/* styles and scripts: html_assets.c */
struct rf_assets {
	char *uplot_js, *uplot_css;	/* NULL: not installed */
	char *licence;
	size_t uplot_js_len, uplot_css_len;
};

extern const char rf_report_css[], rf_report_css_end[];
extern const char rf_report_js[], rf_report_js_end[];

void rf_assets_load(struct rf_assets *a, const char *dir);
void rf_assets_free(struct rf_assets *a);
void rf_assets_head(const struct rf_assets *a, FILE *f);
void rf_assets_scripts(const struct rf_assets *a, FILE *f);

/* numbers for the script: html_data.c */
void rf_data_put(struct json_object *o, const char *key, double v);
void rf_data_add(struct json_object *array, double v);
void rf_data_str(struct json_object *o, const char *key, const char *v);
struct json_object *rf_data_array(struct json_object *o, const char *key);
void rf_data_write(FILE *f, struct json_object *data);

#endif
