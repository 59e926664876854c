/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse and format the words of a rule. These words occur on the command line (after port
 * and direction), in rule files and in scenarios. Words of the match, words of the trigger,
 * and flags can have any order. The words of an action follow the name of the action.
 * words.h declares the tables of all words.
 */
#ifndef RF_RULEWORDS_H
#define RF_RULEWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include "err.h"
#include "rule.h"
#include "rulenames.h"

/* Size of a buffer for any rule that rf_rule_format() writes */
#define RF_RULE_TEXT_LEN 4096
/* Maximum number of words in a rule */
#define RF_RULE_WORDS_MAX 256

int rf_rule_parse(int argc, char **argv, struct rf_rule_spec *spec,
		  struct rf_why *why);
int rf_rule_parse_line(char *line, struct rf_rule_spec *spec,
		       struct rf_why *why);	/* changes @line */
int rf_split_words(char *line, char **argv, int max);	/* -E2BIG: more than @max */
bool rf_rule_draws(const struct rf_rule_spec *spec);	/* true if the rule uses random numbers */
char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len);
char *rf_rule_show(const struct rf_rule_spec *spec, char *buf, size_t len);
char *rf_action_format(const struct rf_action *action, char *buf, size_t len);

#endif
