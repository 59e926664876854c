// SPDX-License-Identifier: GPL-2.0
/*
 * "did you mean": find the known word with the smallest edit distance to a mistyped
 * word.
 */
#include <string.h>

#include "doc.h"

#define WORD_MAX 32

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein distance; row[j] is the distance between a[0..i] and b[0..j]. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[WORD_MAX + 1], left, corner, j;
	size_t i, n = strlen(b);

	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		corner = row[0];
		left = row[0] = i + 1;
		for (j = 1; j <= n; j++) {
			left = min3(left + 1, row[j] + 1,
				    corner + (a[i] != b[j - 1]));
			corner = row[j];
			row[j] = left;
		}
	}
	return row[n];
}

/**
 * rf_suggest - the known word that is most similar to a mistyped word
 * @word: the word
 * @names: the known words, NULL at the end
 *
 * Return: the known word, or NULL if none is similar.
 */
const char *rf_suggest(const char *word, const char *const *names)
{
	unsigned int best = strlen(word) / 3 + 2, d;
	const char *found = NULL;

	if (strlen(word) > WORD_MAX)
		return NULL;
	for (; *names; names++) {
		if (strlen(*names) > WORD_MAX)
			continue;
		d = distance(word, *names);
		if (d >= best || d >= strlen(*names))
			continue;
		best = d;
		found = *names;
	}
	return found;
}
