/* SPDX-License-Identifier: GPL-2.0 */
/* Look up the queue pairs of an owner every 100 ms, and add rules for new queue pairs. */
#ifndef RF_FOLLOW_H
#define RF_FOLLOW_H

#include "port.h"
#include "rule.h"

struct rf_nl;

int rf_follow(struct rf_nl *nl, const struct rf_target *t, uint32_t dir,
	      const struct rf_rule_list *rules, char **command);

#endif
