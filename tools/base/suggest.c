// SPDX-License-Identifier: GPL-2.0
/*
 * Find the word for "did you mean": the known word with the fewest differences from the
 * mistyped word. A difference is a letter that is missing, extra or wrong, or a letter that
 * is swapped with the next one.
 */
#include <string.h>

#include "key.h"
#include "text.h"

#define WORD_MAX 32

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* rows[i % 3][j] is the distance from the first i letters of @a to the first j letters of @b. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1], *row, *before, *last = rows[0];
	size_t i, j, n = strlen(b);

	for (j = 0; j <= n; j++)
		last[j] = j;
	for (i = 1; a[i - 1]; i++) {
		row = rows[i % 3];
		before = rows[(i + 1) % 3];	/* row i - 2 */
		row[0] = i;
		for (j = 1; j <= n; j++) {
			row[j] = min3(row[j - 1] + 1, last[j] + 1,
				      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		last = row;
	}
	return last[n];
}

/**
 * rf_suggest - find the known word that is nearest to a mistyped word
 * @word: the mistyped word
 * @names: the known words, NULL at the end
 *
 * Return: the nearest known word, or NULL if none is near.
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
		/* Suggest nothing for a short word with two or more wrong letters. */
		if (d > 1 && strlen(word) < 4 && strncmp(word, *names, strlen(word)))
			continue;
		best = d;
		found = *names;
	}
	return found;
}

/**
 * rf_key_near - find the name in a table that is nearest to an unknown name
 * @keys: the table, of at most RF_KEYS_MAX rows
 * @name: the unknown name; NULL: it is no text
 * @all: gets the names of the table, separated by commas; the caller frees it
 *
 * Return: the name, or NULL if no name is near.
 */
const char *rf_key_near(const struct rf_key *keys, const char *name, char **all)
{
	const char *names[RF_KEYS_MAX + 1];
	size_t n;

	*all = NULL;
	for (n = 0; keys[n].name && n < RF_KEYS_MAX; n++) {
		names[n] = keys[n].name;
		*all = rf_text_list(*all, names[n]);
	}
	names[n] = NULL;
	return name ? rf_suggest(name, names) : NULL;
}
