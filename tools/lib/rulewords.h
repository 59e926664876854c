/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a rule, as they follow port and direction on the command line
 * and stand in scenarios:
 *
 *	[qp N] [psn N | psn +N] [opcode NAME | opcode 0xNN]
 *	[class NAME[,NAME...]] [position NAME[,NAME...]] [pass N | pass N+]
 *	[step N] [nth N] [count N] [all] [persist] {drop | watch}
 */
#ifndef RF_RULEWORDS_H
#define RF_RULEWORDS_H

#include <stddef.h>
#include "rule.h"

struct rf_name {
	const char *name;
	uint32_t value;
};

/* Tables end with a NULL name. */
extern const struct rf_name rf_class_names[];
extern const struct rf_name rf_position_names[];
extern const struct rf_name rf_action_names[];

int rf_rule_parse(int argc, char **argv, struct rf_rule_spec *spec,
		  char *err, size_t errlen);
int rf_dir_parse(const char *s, uint32_t *dir);		/* tx, rx */
const char *rf_dir_name(uint32_t dir);
const char *rf_action_name(uint32_t action);
char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len);

#endif
