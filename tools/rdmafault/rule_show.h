/* SPDX-License-Identifier: GPL-2.0 */
/* Printing rules. */
#ifndef RF_RULE_SHOW_H
#define RF_RULE_SHOW_H

#include <stdint.h>

struct rf_nl;

int rf_rules_show(struct rf_nl *nl, uint32_t ifindex, const char *netdev);

#endif
