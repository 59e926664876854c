// SPDX-License-Identifier: GPL-2.0
/*
 * Replace invalid characters in text of other programs or users, for example the output
 * of a command or words of the command line. Such text can be truncated within a
 * character. Messages of the tools must have one line, and JSON must be valid UTF-8.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

/* Valid UTF-8 sequences of printable characters (RFC 3629, section 4), by first byte */
static const struct {
	unsigned char first, last;	/* range of the first byte */
	unsigned char min, max;		/* range of the second byte */
	unsigned char len;
} shapes[] = {
	{ 0x20, 0x7e, 0x00, 0xff, 1 },
	{ 0xc2, 0xc2, 0xa0, 0xbf, 2 },	/* excludes the control characters U+0080 to U+009F */
	{ 0xc3, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

#define SHAPES (sizeof(shapes) / sizeof(*shapes))

/**
 * rf_columns - count the columns of a text; each character is one column wide
 * @s: the text, valid UTF-8
 * @len: its length in bytes
 *
 * Return: the number of characters.
 */
size_t rf_columns(const char *s, size_t len)
{
	size_t n = 0;

	for (; len; len--, s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static bool is_tail_whole(const unsigned char *s, size_t len)
{
	size_t i;

	for (i = 2; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Return: the length in bytes of the printable UTF-8 character at @s; 0: there is none. */
static size_t length(const unsigned char *s)
{
	size_t i;

	for (i = 0; i < SHAPES; i++)
		if (s[0] >= shapes[i].first && s[0] <= shapes[i].last)
			return s[1] >= shapes[i].min && s[1] <= shapes[i].max &&
			       is_tail_whole(s, shapes[i].len) ? shapes[i].len : 0;
	return 0;
}

static char *clean(char *text, bool controls)
{
	unsigned char *s = (unsigned char *)text;
	size_t len;

	for (; *s; s += len ? len : 1) {
		len = length(s);
		if (!len && *s >= 0x80)
			*s = '?';
		else if (!len && !controls)
			*s = ' ';
	}
	return text;
}

/**
 * rf_text_line - convert a text to one line of UTF-8, in place
 * @text: the text; control characters become spaces, invalid bytes become
 *	question marks
 *
 * Return: @text.
 */
char *rf_text_line(char *text)
{
	return clean(text, false);
}

/**
 * rf_text_utf8 - convert a text to UTF-8, in place
 * @text: the text; invalid bytes become question marks
 *
 * Return: @text.
 */
char *rf_text_utf8(char *text)
{
	return clean(text, true);
}

/**
 * rf_text_list - append a word to a list such as "a, b"
 * @list: the list, allocated with malloc(); NULL: an empty list. After the call, use only
 *	the returned list.
 * @word: the word
 *
 * Return: the list with the word, to be freed by the caller; the unchanged @list if there
 * is no memory.
 */
char *rf_text_list(char *list, const char *word)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", list ? list : "", list ? ", " : "",
		     word) < 0)
		return list;
	free(list);
	return longer;
}
