/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cache of rules by port and number. Numbers are never reused, so an entry stays valid
 * after its rule has been deleted.
 */
#ifndef RF_RULEBOOK_H
#define RF_RULEBOOK_H

#include <stddef.h>

#include "rule.h"

struct rf_nl;

struct rf_rulebook {
	struct rf_nl *nl;
	void *root;		/* root of the tree of rules */
};

void rf_rulebook_open(struct rf_rulebook *book, struct rf_nl *nl);
int rf_rulebook_learn(struct rf_rulebook *book);
int rf_rulebook_take(struct rf_rulebook *book, const void *attrs, size_t len);
const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id);
void rf_rulebook_close(struct rf_rulebook *book);

#endif
