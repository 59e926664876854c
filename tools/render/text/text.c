// SPDX-License-Identifier: GPL-2.0
/* Print the lines of a report page, as UTF-8 text with at most RF_PAGE_WIDTH columns. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page.h"
#include "text.h"

/**
 * rf_text_is_colored - check whether text is written to a terminal that shows colors
 * @f: output stream
 *
 * Return: false for a file or a pipe, or if the environment has NO_COLOR or TERM=dumb.
 */
bool rf_text_is_colored(FILE *f)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(fileno(f)) && term && strcmp(term, "dumb") && !(no && *no);
}

/** rf_text_columns - count the columns of a text; each character is one column wide */
size_t rf_text_columns(const char *s)
{
	return rf_columns(s, strlen(s));
}

static void repeat(FILE *f, const char *s, size_t n)
{
	while (n--)
		fputs(s, f);
}

/**
 * rf_text_wrap - print a paragraph with line breaks
 * @f: output stream
 * @head: text to the left of the first line
 * @indent: column at which the lines begin
 * @text: the text
 */
void rf_text_wrap(FILE *f, const char *head, size_t indent, const char *text)
{
	size_t at = rf_text_columns(head), width;
	bool first = true;
	size_t len;

	fputs(head, f);
	repeat(f, " ", at < indent ? indent - at : 0);
	at = indent;
	for (; *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		width = rf_columns(text, len);
		if (!first && at + 1 + width > RF_PAGE_WIDTH) {
			fputc('\n', f);
			repeat(f, " ", indent);
			at = indent;
			first = true;
		}
		fprintf(f, "%s%.*s", first ? "" : " ", (int)len, text);
		at += width + !first;
		first = false;
	}
	fputc('\n', f);
}

/**
 * rf_text_rule - print the title of a section as a line across the page
 * @f: output stream
 * @left: title at the left end
 * @right: text at the right end
 */
void rf_text_rule(FILE *f, const char *left, const char *right)
{
	size_t used = 8 + rf_text_columns(left) + rf_text_columns(right);

	fprintf(f, "── %s ", left);
	repeat(f, "─", used < RF_PAGE_WIDTH ? RF_PAGE_WIDTH - used : 0);
	fprintf(f, " %s ──\n", right);
}

