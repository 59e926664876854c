/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_SCH_RDMAFAULT_H
#define RF_SCH_RDMAFAULT_H

struct net_device;
struct rf_port;

int rf_sch_register(void);
void rf_sch_unregister(void);

/* Softirq or BH off */
struct rf_port *rf_sch_port_of(const struct net_device *dev);

#endif
