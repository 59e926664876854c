/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert HTML pages to texts for golden files: the HTML without styles and scripts, and the
 * data that the script draws, without figures.
 */
#ifndef UNIT_GOLDEN_HTML_H
#define UNIT_GOLDEN_HTML_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

/* Remove the text between each @from and the next @to. */
static inline void leave_out(char *text, const char *from, const char *to)
{
	char *end;

	while ((text = strstr(text, from))) {
		text += strlen(from);
		end = strstr(text, to);
		memmove(text, end, strlen(end) + 1);
	}
}

/* Remove what is not text of the page: styles, scripts, their hashes and the version. */
static inline char *without_assets(char *page)
{
	leave_out(page, "<style>", "</style>");
	leave_out(page, "<script>", "</script>");
	leave_out(page, "'sha256-", "'");
	leave_out(page, "\"program\":\"", "\"");
	return page;
}

/* Return: the data that a page has for its script; json_object_put() releases it */
static inline struct json_object *data_of(const char *page)
{
	const char *from = strstr(page, "id=\"summary\">") + strlen("id=\"summary\">");
	char *text = strndup(from, strstr(from, "</script>") - from);
	struct json_object *o = json_tokener_parse(text);

	free(text);
	return o;
}

/* Return: the page as lines, with the data of the script but not of its figures; frees @page */
static inline char *lines_of_page(char *page)
{
	struct json_object *data = data_of(without_assets(page)), *cases;
	const char *at;
	char *lines;
	size_t len, i;
	FILE *f;

	cases = json_object_object_get(data, "cases");
	for (i = 0; i < json_object_array_length(cases); i++)
		json_object_object_del(json_object_array_get_idx(cases, i), "figures");
	leave_out(page, "id=\"summary\">", "</script>");
	f = open_memstream(&lines, &len);
	fputs(page, f);
	at = json_object_to_json_string_ext(data, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE);
	/* one object per line */
	for (; *at; at++) {
		if (!strncmp(at, "{\"", 2))
			fputc('\n', f);
		fputc(*at, f);
	}
	fputc('\n', f);
	fclose(f);
	json_object_put(data);
	free(page);
	return lines;
}

#endif
