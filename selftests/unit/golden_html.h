/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert HTML pages to texts for golden files: remove everything except the text that a
 * reader sees.
 */
#ifndef UNIT_GOLDEN_HTML_H
#define UNIT_GOLDEN_HTML_H

#include <stddef.h>
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
	leave_out(page, "<dd>rdmafault ", "</dd>");
	return page;
}

/* Remove the figures, because their drawings and numbers are not text of the page. */
static inline char *without_figures(char *page)
{
	leave_out(page, "<figure", "</figure>");
	leave_out(page, "id=\"summary\">", "</script>");
	return page;
}

#endif
