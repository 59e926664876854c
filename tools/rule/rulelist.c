// SPDX-License-Identifier: GPL-2.0
/* A list of rules */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rule.h"

/**
 * rf_rules_append - append a rule to a list
 * @list: the rules
 * @rule: the rule
 *
 * Return: 0, or -ENOMEM.
 */
int rf_rules_append(struct rf_rule_list *list, const struct rf_rule_spec *rule)
{
	size_t room = list->room ? 2 * list->room : 4;
	struct rf_rule_spec *more;
	unsigned long *lines;

	if (list->n == list->room) {
		more = realloc(list->rule, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->rule = more;
		lines = realloc(list->line, room * sizeof(*lines));
		if (!lines)
			return -ENOMEM;
		list->line = lines;
		list->room = room;
	}
	list->line[list->n] = 0;
	list->rule[list->n++] = *rule;
	return 0;
}

/**
 * rf_rules_free - free the rules of a list
 * @list: the list; empty afterwards
 */
void rf_rules_free(struct rf_rule_list *list)
{
	free(list->rule);
	free(list->line);
	memset(list, 0, sizeof(*list));
}
