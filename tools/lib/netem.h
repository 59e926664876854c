/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of tc-netem(8) as rules: [WORD...] netem LINE. What stands before
 * "netem" narrows all the rules that the line comes to.
 */
#ifndef RF_NETEM_H
#define RF_NETEM_H

#include "rulelist.h"

int rf_netem_parse(int argc, char **argv, int at, struct rf_rule_list *list,
		   struct rf_why *why);	/* @at: of "netem" */

#endif
