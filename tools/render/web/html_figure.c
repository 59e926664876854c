// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a figure: title, drawing, legend, and the values as a table. The script of the
 * page draws the figures of a run. The figures of a comparison are drawn here, for wide
 * pages and for narrow pages.
 */
#include <json-c/json.h>
#include <stdarg.h>

#include "html.h"

#define WIDE	920
#define NARROW	390
#define LEFT	60
#define RIGHT	18
#define ABOVE	22
#define BELOW	36

/**
 * rf_figure_begin - begin a figure
 * @h: the page
 * @kind: name of the function of the script that draws the figure; NULL: C draws it
 * @p: the case that the figure shows; NULL: it shows the run
 * @title: title of the figure
 * @fmt: printf format of the text that explains how to read the figure
 */
void rf_figure_begin(struct rf_html *h, const char *kind, const struct rf_run_case *p,
		     const char *title, const char *fmt, ...)
{
	char words[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	snprintf(h->title, sizeof(h->title), "%s", title);
	fputs("<figure", h->f);
	if (kind)
		fprintf(h->f, " data-figure=\"%s\"", kind);
	if (kind && p)
		fprintf(h->f, " data-case=\"%td\"", p - h->run->cases);
	fputs(">\n<figcaption><b>", h->f);
	rf_html_text(h->f, title);
	fputs("</b> <span>", h->f);
	rf_html_text(h->f, words);
	fputs("</span></figcaption>\n", h->f);
	if (kind)
		fputs("<div class=\"drawing\"></div>\n", h->f);
}

static void draw_one(struct rf_html *h, double height, const char *label,
		     rf_draw_fn draw, const void *what, bool narrow)
{
	struct rf_plot plot = {
		.f = h->f,
		.narrow = narrow,
		.width = narrow ? NARROW : WIDE,
		.height = height + ABOVE + BELOW,
		.left = LEFT,
		.right = (narrow ? NARROW : WIDE) - RIGHT,
		.top = ABOVE,
		.bottom = ABOVE + height,
	};

	rf_plot_open(&plot, label);
	draw(&plot, what);
	rf_plot_close(&plot);
}

/**
 * rf_figure_draw - write the drawings
 * @h: the page
 * @height: height of the box
 * @label: the figure in words, for screen readers
 * @draw: function that draws the figure into a box
 * @what: passed to @draw
 */
void rf_figure_draw(struct rf_html *h, double height, const char *label,
		    rf_draw_fn draw, const void *what)
{
	fputs("<div class=\"drawing\">\n", h->f);
	draw_one(h, height, label, draw, what, false);
	draw_one(h, height, label, draw, what, true);
	fputs("</div>\n", h->f);
}

/**
 * rf_figure_legend - write the legend
 * @h: the page
 * @keys: the entries of the legend; an entry whose look is NULL ends the array
 */
void rf_figure_legend(struct rf_html *h, const struct rf_key *keys)
{
	fputs("<ul class=\"legend\">", h->f);
	for (; keys->look; keys++) {
		fprintf(h->f, "<li><i class=\"%s\"></i>", keys->look);
		rf_html_text(h->f, keys->words);
		fputs("</li>", h->f);
	}
	fputs("</ul>\n", h->f);
}

/** rf_figure_table - begin the table of a figure; rows follow */
void rf_figure_table(struct rf_html *h, const char *const *heads)
{
	fputs("<details><summary>as a table</summary>\n", h->f);
	rf_table_begin(h->f, h->title, heads);
}

/** rf_figure_end - end a figure and its table */
void rf_figure_end(struct rf_html *h)
{
	rf_table_end(h->f);
	fputs("</details>\n</figure>\n", h->f);
}

/** rf_figure_close - end a figure without a table */
void rf_figure_close(struct rf_html *h)
{
	fputs("</figure>\n", h->f);
}
