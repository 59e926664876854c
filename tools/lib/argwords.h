/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pairs of words, name and value, in any order, by a table that ends with a NULL
 * name. A value with a colon can be followed by more such values. The command line
 * and scenarios use the same tables, and print the text of an error themselves.
 */
#ifndef RF_ARGWORDS_H
#define RF_ARGWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rulewords.h"

/* A table has at most so many rows. */
#define RF_ARGS_MAX 32

struct rf_arg {
	const char *name;
	const char *form;	/* of its value; NULL: it has none */
	/* -EINVAL: the value is not of the form */
	int (*take)(void *to, const char *value);
	const char *help;	/* what it sets */
	const char *initial;	/* its value by default; NULL: none */
};

#define RF_PRIOS_FORM	"0 to 7, several with commas, or all"

int rf_args_take(const struct rf_arg *args, char **argv, void *to,
		 struct rf_why *why);	/* 0 or -EINVAL */

int rf_take_prio(const char *s, size_t len, uint32_t *prios);	/* 3, all */
int rf_take_prios(const char *s, uint32_t *prios);	/* 3, 3,4, all */
int rf_prios_words(const char *word, uint32_t *prios, struct rf_why *why);
int rf_take_prio_pair(const char *s, uint32_t *prios, const char **value);

int rf_take_rate(const char *s, uint64_t *bits);	/* within the limits */
int rf_take_bytes(const char *s, uint64_t *bytes);
int rf_take_name(const struct rf_name *names, const char *s, uint32_t *v);

#endif
