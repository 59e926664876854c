// SPDX-License-Identifier: GPL-2.0
/*
 * Words of a page. Titles, errors and device names are input of others: each
 * is escaped, so that the browser shows it and never interprets it.
 */
#include <stdarg.h>
#include <string.h>

#include "html.h"

static const char *escape(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return NULL;
}

/**
 * rf_html_text - words as they are
 * @f: where to
 * @text: the words
 */
void rf_html_text(FILE *f, const char *text)
{
	const char *as;

	for (; *text; text++) {
		as = escape(*text);
		if (as)
			fputs(as, f);
		else if ((unsigned char)*text >= ' ' || *text == '\n')
			fputc(*text, f);
	}
}

static void say(FILE *f, const char *fmt, va_list ap)
{
	char words[1024];

	vsnprintf(words, sizeof(words), fmt, ap);
	rf_html_text(f, words);
}

/** rf_html_say - the same, with a format */
void rf_html_say(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(f, fmt, ap);
	va_end(ap);
}

/** rf_html_verdict - a verdict, to be seen at once */
void rf_html_verdict(FILE *f, enum rf_verdict v)
{
	fprintf(f, "<span class=\"verdict %s\">%s</span>", rf_verdict_name(v),
		rf_verdict_name(v));
}

/**
 * rf_table_open - a table that may be wider than the page; its heads follow
 * @f: where to
 * @caption: what it has, for screen readers
 */
void rf_table_open(FILE *f, const char *caption)
{
	fputs("<div class=\"scroll\"><table><caption>", f);
	rf_html_text(f, caption);
	fputs("</caption>\n<thead><tr>", f);
}

/**
 * rf_table_begin - the same, with its heads
 * @f: where to
 * @caption: what it has
 * @heads: of its columns, then NULL
 */
void rf_table_begin(FILE *f, const char *caption, const char *const *heads)
{
	rf_table_open(f, caption);
	for (; *heads; heads++) {
		fputs("<th scope=\"col\">", f);
		rf_html_text(f, *heads);
		fputs("</th>", f);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

/** rf_table_row - begin a row; browsers end the one before */
void rf_table_row(FILE *f)
{
	fputs("<tr>", f);
}

/** rf_table_cell - a cell of the row */
void rf_table_cell(FILE *f, const char *fmt, ...)
{
	va_list ap;

	fputs("<td>", f);
	va_start(ap, fmt);
	say(f, fmt, ap);
	va_end(ap);
	fputs("</td>", f);
}

/** rf_table_name - what a row is about; its first cell */
void rf_table_name(FILE *f, const char *fmt, ...)
{
	va_list ap;

	fputs("<th scope=\"row\">", f);
	va_start(ap, fmt);
	say(f, fmt, ap);
	va_end(ap);
	fputs("</th>", f);
}

/** rf_table_mark - a cell of a look */
void rf_table_mark(FILE *f, const char *look, const char *fmt, ...)
{
	va_list ap;

	fprintf(f, "<td class=\"%s\">", look);
	va_start(ap, fmt);
	say(f, fmt, ap);
	va_end(ap);
	fputs("</td>", f);
}

/** rf_table_end - the table is done */
void rf_table_end(FILE *f)
{
	fputs("</tbody></table></div>\n", f);
}
