/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DECIDE_H
#define RF_DECIDE_H

#include "fault/fault.h"

struct rf_opcode;

/* Softirq or BH off */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      struct rf_pkt *pkt, u64 came);
enum rf_verdict rf_dir_decide_plain(struct rf_dir *dir, struct sk_buff *skb,
				    u32 ip, u32 bth, u32 len,
				    const struct rf_opcode *op, u64 came);

#endif
