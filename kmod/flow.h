/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_H
#define RF_FLOW_H

#include <linux/types.h>

struct rf_flows;
struct rf_pkt;

struct rf_flows *rf_flows_alloc(void);
void rf_flows_free(struct rf_flows *flows);
bool rf_flow_see(struct rf_flows *flows, struct rf_pkt *pkt);
u32 rf_flows_count(const struct rf_flows *flows);

#endif
