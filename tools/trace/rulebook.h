/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules that events are about, by port and number. Numbers are never given
 * twice, so what was once learned holds when the rule has gone.
 */
#ifndef RF_RULEBOOK_H
#define RF_RULEBOOK_H

#include <stddef.h>

#include "rule.h"

struct rf_nl;

struct rf_rulebook {
	struct rf_nl *nl;
	void *root;		/* of a tree of rules */
};

void rf_rulebook_open(struct rf_rulebook *book, struct rf_nl *nl);
int rf_rulebook_learn(struct rf_rulebook *book);	/* all that there are */
int rf_rulebook_take(struct rf_rulebook *book, const void *attrs, size_t len);
const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id);
void rf_rulebook_close(struct rf_rulebook *book);	/* not the socket */

#endif
