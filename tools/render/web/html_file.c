// SPDX-License-Identifier: GPL-2.0
/*
 * The HTML file: the template report.html with its style sheet, its script, the content and the
 * data that the script draws.
 *
 * The page loads nothing. Its content security policy has the hashes of the style sheet and
 * of the script, which the Makefile computes, so a browser refuses all others. Titles, errors
 * and device names can contain anything, so all text is escaped.
 */
#include <ctype.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <string.h>

#include "html.h"
#include "out.h"

/* Embed a file of this directory. The Makefile lists the file as a dependency. */
#define EMBED(name, file)						\
	__asm__(".section .rodata\n"					\
		#name ":\n"						\
		".incbin \"tools/render/web/" file "\"\n"			\
		#name "_end:\n"						\
		".global " #name "\n.global " #name "_end\n"		\
		".byte 0\n.previous\n")

EMBED(rf_report_html, "report.html");
EMBED(rf_report_css, "report.css");
EMBED(rf_figures_js, "figures.js");
EMBED(rf_page_js, "page.js");

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

/* Write the data as JSON in which "<" is escaped, so that no text can end the HTML element. */
static void put_summary(FILE *f, struct json_object *data)
{
	const char *s = json_object_to_json_string_ext(data, JSON_C_TO_STRING_PLAIN);

	for (; *s; s++) {
		if (*s == '<')
			fputs("\\u003c", f);
		else
			fputc(*s, f);
	}
}

/* Write the value of a placeholder of the template. */
static void put_placeholder(struct rf_html *h, const char *name, size_t len, const char *title,
			    void (*put)(struct rf_html *h, const void *what), const void *what)
{
	if (!strncmp(name, "title", len))
		rf_html_text(h->f, title);
	else if (!strncmp(name, "style-hash", len) && len > strlen("style"))
		fputs("'sha256-" RF_REPORT_CSS_SHA256 "'", h->f);
	else if (!strncmp(name, "script-hash", len))
		fputs("'sha256-" RF_REPORT_JS_SHA256 "'", h->f);
	else if (!strncmp(name, "style", len))
		fwrite(rf_report_css, 1, rf_report_css_end - rf_report_css, h->f);
	else if (!strncmp(name, "figures", len))
		fwrite(rf_figures_js, 1, rf_figures_js_end - rf_figures_js, h->f);
	else if (!strncmp(name, "page", len))
		fwrite(rf_page_js, 1, rf_page_js_end - rf_page_js, h->f);
	else if (!strncmp(name, "summary", len))
		put_summary(h->f, h->data);
	else
		put(h, what);
}

static void put_template(struct rf_html *h, const char *title,
			 void (*put)(struct rf_html *h, const void *what), const void *what)
{
	const char *at = rf_report_html, *open, *close;

	while ((open = strstr(at, "{{"))) {
		fwrite(at, 1, open - at, h->f);
		close = strstr(open, "}}");
		put_placeholder(h, open + 2, close - open - 2, title, put, what);
		at = close + 2;
	}
	fputs(at, h->f);
}

/**
 * rf_html_file - write a page
 * @path: the file
 * @title: title of the page
 * @data: what the script draws
 * @put: function that writes the content
 * @what: passed to @put
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_html_file(const char *path, const char *title, struct json_object *data,
		 void (*put)(struct rf_html *h, const void *what), const void *what)
{
	struct rf_html h = { .f = fopen(path, "we"), .data = data };

	if (h.f)
		put_template(&h, title, put, what);
	return rf_file_close(h.f, path);
}
