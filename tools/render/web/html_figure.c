// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a figure: title, drawing, legend, and the values as a table. The script of the
 * page draws the figures.
 */
#include <json-c/json.h>
#include <stdarg.h>

#include "html.h"

/**
 * rf_figure_begin - begin a figure
 * @h: the page
 * @kind: name of the function of the script that draws the figure
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
	fprintf(h->f, "<figure data-figure=\"%s\"", kind);
	if (p)
		fprintf(h->f, " data-case=\"%td\"", p - h->run->cases);
	fputs(">\n<figcaption><b>", h->f);
	rf_html_text(h->f, title);
	fputs("</b> <span>", h->f);
	rf_html_text(h->f, words);
	fputs("</span></figcaption>\n<div class=\"drawing\"></div>\n", h->f);
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
