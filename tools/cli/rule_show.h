/* SPDX-License-Identifier: GPL-2.0 */
/* Printing rules. */
#ifndef RF_RULE_SHOW_H
#define RF_RULE_SHOW_H

#include <stdint.h>

struct rf_nl;
struct rf_rule_info;
struct rf_target;

int rf_rules_show(struct rf_nl *nl, uint32_t ifindex, const char *netdev);
int rf_rules_save(struct rf_nl *nl, const struct rf_target *t, uint32_t dir);
void rf_rule_fields(const struct rf_rule_info *rule);	/* only in JSON */

#endif
