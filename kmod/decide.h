/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DECIDE_H
#define RF_DECIDE_H

#include "fault/fault.h"

struct rf_headers;

/* Softirq or BH off */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      const struct rf_headers *headers, u64 came);

#endif
