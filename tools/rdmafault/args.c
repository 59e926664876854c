// SPDX-License-Identifier: GPL-2.0
/* Pairs of words, and the kinds of values that several commands have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "err.h"
#include "units.h"

#define ALL_PRIOS ((1u << RDMAFAULT_PRIOS) - 1)

static const struct rf_arg *find(const struct rf_arg *args, const char *name)
{
	for (; args->name; args++)
		if (!strcmp(args->name, name))
			return args;
	return NULL;
}

static int unknown(const struct rf_arg *args, const char *word)
{
	char names[256];
	size_t used = 0;

	for (; args->name && used < sizeof(names); args++)
		used += snprintf(names + used, sizeof(names) - used, "%s%s",
				 used ? ", " : "", args->name);
	rf_err("want a word of %s, got \"%s\"", names, word);
	return RF_EXIT_USAGE;
}

static int take_value(const struct rf_arg *arg, const char *value, void *to)
{
	if (value && !arg->take(to, value))
		return RF_EXIT_OK;
	if (value)
		rf_err("%s: want %s, got \"%s\"", arg->name, arg->form, value);
	else
		rf_err("%s: want %s, got nothing", arg->name, arg->form);
	return RF_EXIT_USAGE;
}

/* The values behind a name; @argv is moved to the last of them. */
static int take_values(const struct rf_arg *arg, char ***argv, void *to)
{
	int status;

	if (!arg->form) {
		arg->take(to, NULL);
		return RF_EXIT_OK;
	}
	do {
		(*argv)++;
		status = take_value(arg, **argv, to);
	} while (!status && strchr(**argv, ':') && (*argv)[1] &&
		 strchr((*argv)[1], ':'));
	return status;
}

/**
 * rf_args_take - take pairs of words
 * @args: what there may be
 * @argv: the words, up to a NULL
 * @to: goes to the rows
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE, and the user has been told why.
 */
int rf_args_take(const struct rf_arg *args, char **argv, void *to)
{
	bool seen[RF_ARGS_MAX] = {};
	const struct rf_arg *arg;
	int status;

	for (; *argv; argv++) {
		arg = find(args, *argv);
		if (!arg)
			return unknown(args, *argv);
		if (seen[arg - args]) {
			rf_err("%s: want it once, got it twice", arg->name);
			return RF_EXIT_USAGE;
		}
		seen[arg - args] = true;
		status = take_values(arg, &argv, to);
		if (status)
			return status;
	}
	return RF_EXIT_OK;
}

/**
 * rf_take_prio - a priority, or all of them
 * @s: the word, not necessarily with an end
 * @len: its length
 * @prios: gets bit n for priority n
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_prio(const char *s, size_t len, uint32_t *prios)
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
 * rf_take_prios - priorities with commas between
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
		if (rf_take_prio(s, len, prios))
			return -EINVAL;
		if (!s[len])
			return 0;
	}
}

/**
 * rf_take_prio_pair - PRIO:VALUE, in the manner of dcb(8)
 * @s: the word
 * @prios: gets bit n for priority n
 * @value: what stands behind the colon
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_prio_pair(const char *s, uint32_t *prios, const char **value)
{
	size_t len = strcspn(s, ":");

	*prios = 0;
	if (!s[len] || rf_take_prio(s, len, prios))
		return -EINVAL;
	*value = s + len + 1;
	return 0;
}

/**
 * rf_take_rate - a rate that a link can have
 * @s: the word
 * @bits: bits per second
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
 * rf_take_bytes - a size that a queue or buffer can have
 * @s: the word, with a unit of tc
 * @bytes: the size
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
 * rf_take_name - one of some names
 * @names: the names
 * @s: the word
 * @v: its value
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_name(const struct rf_name *names, const char *s, uint32_t *v)
{
	return rf_name_value(names, s, strlen(s), v);
}
