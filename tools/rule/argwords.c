// SPDX-License-Identifier: GPL-2.0
/*
 * Parse pairs of a name and a value. The functions rf_take_*() parse one value of a certain
 * type; several commands also call them directly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "units.h"
#include "words.h"

#define ALL_PRIOS ((1u << RDMAFAULT_PRIOS) - 1)

static const struct rf_arg *find_arg(const struct rf_arg *args, const char *name)
{
	for (; args->name; args++)
		if (!strcmp(args->name, name))
			return args;
	return NULL;
}

static int unknown_word(const struct rf_arg *args, const char *word,
			struct rf_why *why)
{
	const char *known[RF_ARGS_MAX + 1] = { }, *near;
	char *names = NULL;
	int i;

	for (i = 0; args[i].name; i++) {
		known[i] = args[i].name;
		names = rf_text_list(names, args[i].name);
	}
	near = rf_suggest(word, known);
	if (near)
		rf_why_refuse(why, "unknown word \"%s\"; did you mean \"%s\"?", word, near);
	else
		rf_why_refuse(why, "unknown word \"%s\"; valid words: %s", word, names);
	free(names);
	return -EINVAL;
}

static int take_arg_value(const struct rf_arg *arg, const char *value, void *to,
			  struct rf_why *why)
{
	if (value && !arg->take(to, value))
		return 0;
	return rf_why_value(why, arg->name, value, arg->form);
}

/* Parse the values after a name. @argv is moved to the last value. */
static int take_values(const struct rf_arg *arg, char ***argv, void *to,
		       struct rf_why *why)
{
	int err;

	if (!arg->form) {
		arg->take(to, NULL);
		return 0;
	}
	do {
		(*argv)++;
		err = take_arg_value(arg, **argv, to, why);
	} while (!err && strchr(**argv, ':') && (*argv)[1] &&
		 strchr((*argv)[1], ':'));
	return err;
}

/**
 * rf_args_take - parse pairs of a name and a value
 * @args: table of the known names
 * @argv: the words to parse, NULL at the end
 * @to: passed to take() of each row
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_args_take(const struct rf_arg *args, char **argv, void *to,
		 struct rf_why *why)
{
	bool seen[RF_ARGS_MAX] = {};
	const struct rf_arg *arg;
	int err;

	for (; *argv; argv++) {
		arg = find_arg(args, *argv);
		if (!arg)
			return unknown_word(args, *argv, why);
		if (seen[arg - args])
			return rf_why_refuse(why, "%s: given twice",
				      arg->name);
		seen[arg - args] = true;
		err = take_values(arg, &argv, to, why);
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

/**
 * rf_take_rate - parse the rate of a link, and check its range
 * @s: the word
 * @bits: gets the rate in bits per second
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_rate(const char *s, uint64_t *bits)
{
	uint64_t v;

	if (rf_parse_rate(s, &v) || v < RDMAFAULT_RATE_MIN ||
	    v > RDMAFAULT_RATE_MAX)
		return -EINVAL;
	*bits = v;
	return 0;
}

/**
 * rf_take_bytes - parse the size of a queue or buffer, and check its range
 * @s: the word, with a unit as in tc(8)
 * @bytes: gets the size
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_bytes(const char *s, uint64_t *bytes)
{
	uint64_t v;

	if (rf_parse_tc_size(s, &v) || v > RDMAFAULT_BYTES_MAX)
		return -EINVAL;
	*bytes = v;
	return 0;
}

/**
 * rf_take_name - look up the value of a name
 * @names: table of names and values
 * @s: the word
 * @v: gets the value
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_name(const struct rf_name *names, const char *s, uint32_t *v)
{
	return rf_name_value(names, s, strlen(s), v);
}
