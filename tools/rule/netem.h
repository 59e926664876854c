/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert a line "[WORD...] netem LINE" to rules. LINE has the syntax of tc-netem(8). The
 * optional WORDs before "netem" apply to all rules of the line.
 */
#ifndef RF_NETEM_H
#define RF_NETEM_H

#include "err.h"
#include "rulelist.h"

int rf_netem_parse(int argc, char **argv, int at, struct rf_rule_list *list,
		   struct rf_why *why);	/* @at: index of "netem" */

#endif
