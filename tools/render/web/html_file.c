// SPDX-License-Identifier: GPL-2.0
/*
 * The HTML file: the template report.html with its style sheet, its script and the content.
 *
 * The page loads nothing. Its content security policy has the hashes of the style sheet and
 * of the script, which the Makefile computes, so a browser refuses all others.
 */
#include <json-c/json.h>
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
EMBED(rf_report_js, "figures.js");

/* Write the data as JSON in which "<" is escaped, so that no text can end the HTML element. */
static void put_summary(FILE *f, struct json_object *data)
{
	const char *s = data ? json_object_to_json_string_ext(data, JSON_C_TO_STRING_PLAIN) : "null";

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
	else if (!strncmp(name, "script-hash", len) && len > strlen("script"))
		fputs("'sha256-" RF_REPORT_JS_SHA256 "'", h->f);
	else if (!strncmp(name, "style", len))
		fwrite(rf_report_css, 1, rf_report_css_end - rf_report_css, h->f);
	else if (!strncmp(name, "script", len))
		fwrite(rf_report_js, 1, rf_report_js_end - rf_report_js, h->f);
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
 * @data: the data of the figures; NULL: none
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
