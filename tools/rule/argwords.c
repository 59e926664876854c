// SPDX-License-Identifier: GPL-2.0
/* Parse pairs of a name and a value, and priorities. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "words.h"

#define ALL_PRIOS ((1u << RDMAFAULT_PRIOS) - 1)

static int unknown_word(const struct rf_key *keys, const char *word, struct rf_why *why)
{
	char *all;
	const char *near = rf_key_near(keys, word, &all), *answer = rf_answer(word);

	if (answer)
		rf_why_refuse(why, "unknown word \"%s\"; %s", word, answer);
	else if (near)
		rf_why_refuse(why, "unknown word \"%s\"; did you mean \"%s\"?", word, near);
	else
		rf_why_refuse(why, "unknown word \"%s\"; valid words: %s", word, all);
	free(all);
	return -EINVAL;
}

/* Parse the values after a name. @argv is moved to the last value. */
static int take_values(const struct rf_key *key, char ***argv, void *to, rf_take_fn *take,
		       struct rf_why *why)
{
	if (!key->form)
		return take(key, NULL, to);
	do {
		(*argv)++;
		if (take(key, **argv, to))
			return rf_key_refuse(key, **argv, why);
	} while (strchr(**argv, ':') && (*argv)[1] && strchr((*argv)[1], ':'));
	return 0;
}

/**
 * rf_args_take - parse pairs of a name and a value
 * @keys: table of the known names
 * @argv: the words to parse, NULL at the end
 * @to: the struct that gets the values
 * @take: rf_key_take(), or another function that parses a value
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_args_take(const struct rf_key *keys, char **argv, void *to, rf_take_fn *take,
		 struct rf_why *why)
{
	bool seen[RF_KEYS_MAX] = {};
	const struct rf_key *key;
	int err;

	for (; *argv; argv++) {
		key = rf_key_find(keys, *argv);
		if (!key)
			return unknown_word(keys, *argv, why);
		if (seen[key - keys])
			return rf_why_refuse(why, "%s: given twice", key->name);
		seen[key - keys] = true;
		err = take_values(key, &argv, to, take, why);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Parse one priority, or "all". The word need not be NUL-terminated. Bit n of @prios is set for
 * priority n; the other bits are kept. Return: 0, or -EINVAL.
 */
static int take_prio(const char *s, size_t len, uint32_t *prios)
{
	if (len == 3 && !strncmp(s, "all", 3)) {
		*prios |= ALL_PRIOS;
		return 0;
	}
	if (len != 1 || s[0] < '0' || s[0] >= '0' + RDMAFAULT_PRIOS)
		return -EINVAL;
	*prios |= 1u << (s[0] - '0');
	return 0;
}

/**
 * rf_take_prios - parse a list of priorities, separated by commas
 * @s: the word
 * @prios: gets bit n for priority n
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_prios(const char *s, uint32_t *prios)
{
	size_t len;

	*prios = 0;
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (take_prio(s, len, prios))
			return -EINVAL;
		if (!s[len])
			return 0;
	}
}

/**
 * rf_prios_words - parse priorities, or set the text of an error
 * @word: the word, NULL if there is none
 * @prios: gets bit n for priority n
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_prios_words(const char *word, uint32_t *prios, struct rf_why *why)
{
	if (word && !rf_take_prios(word, prios))
		return 0;
	return rf_why_value(why, "prio", word, RF_PRIOS_FORM);
}

/**
 * rf_take_prio_pair - split PRIO:VALUE, as in dcb(8), and parse PRIO
 * @s: the word
 * @prios: gets bit n for priority n
 * @value: gets the part after the colon
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_prio_pair(const char *s, uint32_t *prios, const char **value)
{
	size_t len = strcspn(s, ":");

	*prios = 0;
	if (!s[len] || take_prio(s, len, prios))
		return -EINVAL;
	*value = s + len + 1;
	return 0;
}

static int prios_take(const struct rf_key *key, const char *text, void *base)
{
	rf_key_mark(key, base, 0);
	return rf_take_prios(text, (uint32_t *)((char *)base + key->at));
}

static void prios_put(const struct rf_key *key, const void *base, char *text)
{
	uint32_t i, prios = *(const uint32_t *)((const char *)base + key->at);
	const char *sep = "";

	*text = '\0';
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		text += sprintf(text, "%s%u", sep, i);
		sep = ",";
	}
}

const struct rf_kind rf_kind_prios = { prios_take, prios_put, .bits = 1 };

const struct rf_name rf_none_names[] = { { "none", 0 }, { } };
