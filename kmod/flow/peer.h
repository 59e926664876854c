/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_PEER_H
#define RF_FLOW_PEER_H

struct rf_desc;
struct rf_dir;

/* Softirq or BH off, no lock of a direction held */
void rf_peer_see(struct rf_dir *dir, const struct rf_desc *desc);

#endif
