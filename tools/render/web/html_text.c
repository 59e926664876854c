// SPDX-License-Identifier: GPL-2.0
/*
 * Text of a page. Titles, errors and device names can contain anything, so all text is
 * escaped.
 */
#include <ctype.h>
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
 * rf_html_text - write text, escaped
 * @f: output stream
 * @text: the text
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

static void put_formatted(FILE *f, const char *fmt, va_list ap)
{
	char words[1024];

	vsnprintf(words, sizeof(words), fmt, ap);
	rf_html_text(f, words);
}

/** rf_html_say - write formatted text, escaped */
void rf_html_say(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_formatted(f, fmt, ap);
	va_end(ap);
}

/**
 * rf_html_link - write a link to a file
 * @f: output stream
 * @path: path of the file, relative to the page
 * @text: text of the link
 */
void rf_html_link(FILE *f, const char *path, const char *text)
{
	fputs("<a href=\"", f);
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/._-", *path))
			fputc(*path, f);
		else
			fprintf(f, "%%%02X", (unsigned char)*path);
	fputs("\">", f);
	rf_html_text(f, text);
	fputs("</a>", f);
}

/** rf_html_verdict - write a verdict as a colored label */
void rf_html_verdict(FILE *f, enum rf_verdict v)
{
	fprintf(f, "<span class=\"verdict %s\">%s</span>", rf_verdict_name(v),
		rf_verdict_name(v));
}

/**
 * rf_table_open - begin a table that can be wider than the page; heads follow
 * @f: output stream
 * @caption: the caption, for screen readers
 */
void rf_table_open(FILE *f, const char *caption)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"", f);
	rf_html_text(f, caption);
	fputs("\"><table><caption>", f);
	rf_html_text(f, caption);
	fputs("</caption>\n<thead><tr>", f);
}

/**
 * rf_table_begin - begin a table with its heads
 * @f: output stream
 * @caption: the caption, for screen readers
 * @heads: column heads, terminated by NULL
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

/** rf_table_row - begin a row; this ends the previous one */
void rf_table_row(FILE *f)
{
	fputs("<tr>", f);
}

/** rf_table_cell - write a cell; its end tag is optional, and large tables are smaller without */
void rf_table_cell(FILE *f, const char *fmt, ...)
{
	va_list ap;

	fputs("<td>", f);
	va_start(ap, fmt);
	put_formatted(f, fmt, ap);
	va_end(ap);
}

/** rf_table_name - write the first cell of a row: the name of the row */
void rf_table_name(FILE *f, const char *fmt, ...)
{
	va_list ap;

	fputs("<th scope=\"row\">", f);
	va_start(ap, fmt);
	put_formatted(f, fmt, ap);
	va_end(ap);
	fputs("</th>", f);
}

/** rf_table_mark - write a cell with a class */
void rf_table_mark(FILE *f, const char *look, const char *fmt, ...)
{
	va_list ap;

	fprintf(f, "<td class=\"%s\">", look);
	va_start(ap, fmt);
	put_formatted(f, fmt, ap);
	va_end(ap);
	fputs("</td>", f);
}

/** rf_table_end - end a table */
void rf_table_end(FILE *f)
{
	fputs("</tbody></table></div>\n", f);
}
