/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse pairs of a name and a value, in any order, with a table of the known names. The
 * last row of a table has a NULL name. A name can have several values if each of them
 * contains a colon, for example "prio-pfc 3:on 4:on". The parsers of the command line and
 * of scenarios use the same tables. They print the error messages.
 */
#ifndef RF_ARGWORDS_H
#define RF_ARGWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rulewords.h"

/* Maximum number of rows in a table, without the last row, which has a NULL name */
#define RF_ARGS_MAX 32

struct rf_arg {
	const char *name;
	const char *form;	/* valid form of the value; NULL: the name has no value */
	/* Returns 0, or -EINVAL if the value is invalid */
	int (*take)(void *to, const char *value);
	const char *help;	/* what it sets */
	const char *initial;	/* default value; NULL: none */
};

#define RF_PRIOS_FORM	"0 to 7, several with commas, or all"

int rf_args_take(const struct rf_arg *args, char **argv, void *to,
		 struct rf_why *why);	/* 0 or -EINVAL */

int rf_take_prio(const char *s, size_t len, uint32_t *prios);	/* 3, all */
int rf_take_prios(const char *s, uint32_t *prios);	/* 3, 3,4, all */
int rf_prios_words(const char *word, uint32_t *prios, struct rf_why *why);
int rf_take_prio_pair(const char *s, uint32_t *prios, const char **value);

int rf_take_rate(const char *s, uint64_t *bits);	/* checks the range */
int rf_take_bytes(const char *s, uint64_t *bytes);
int rf_take_name(const struct rf_name *names, const char *s, uint32_t *v);

#endif
