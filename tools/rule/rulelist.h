/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of rules, in the order in which a port evaluates them: the lines of a file, or
 * the rules that result from a netem line.
 */
#ifndef RF_RULELIST_H
#define RF_RULELIST_H

#include <stddef.h>
#include "rule.h"

struct rf_rule_list {
	struct rf_rule_spec *rule;
	unsigned long *line;		/* line number of each rule, from 1; 0: not from a file */
	size_t n, room;
};

int rf_rules_append(struct rf_rule_list *list, const struct rf_rule_spec *rule);
void rf_rules_free(struct rf_rule_list *list);

#endif
