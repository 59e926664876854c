/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DECIDE_H
#define RF_DECIDE_H

#include "fault/fault.h"

struct rf_plain;

/* Softirq or BH off */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      struct rf_pkt *pkt, u64 came);
bool rf_dir_decide_plain(struct rf_dir *dir, struct sk_buff *skb,
			 const struct rf_plain *p, u64 came,
			 enum rf_verdict *verdict);

#endif
