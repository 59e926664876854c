/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_EXPIRY_H
#define RF_EXPIRY_H

#include <linux/types.h>

struct rf_port;
struct rf_rule;

void rf_expiry_init(struct rf_port *port);
void rf_expiry_update(struct rf_port *port);
void rf_expiry_end(struct rf_port *port);
u64 rf_expiry_left(const struct rf_rule *rule, u64 now);

#endif
