/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_PEER_H
#define RF_FLOW_PEER_H

#include "../fault/fault.h"

/* Process context, under rf_ports_lock */
void rf_pair_choose(struct rf_side *side);

/* Under the lock of the direction */
void rf_pair_follow_all(struct rf_side *side);

/* Softirq or BH off, no lock of a direction held */
void rf_pair_see(struct rf_side *side, const struct rf_desc *desc);

#endif
