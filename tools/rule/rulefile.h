/* SPDX-License-Identifier: GPL-2.0 */
/* The parser of rules and rule files */
#ifndef RF_RULEFILE_H
#define RF_RULEFILE_H

#include <stdio.h>
#include "rulelist.h"
#include "rulewords.h"

/* After an error, these functions remove the rules that they have appended. */
int rf_rules_parse(int argc, char **argv, struct rf_rule_list *list,
		   struct rf_why *why);
int rf_rules_parse_line(char *line, struct rf_rule_list *list,
			struct rf_why *why);	/* modifies @line */
int rf_rules_read(FILE *f, const char *name, struct rf_rule_list *list);

#endif
