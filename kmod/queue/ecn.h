/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_ECN_H
#define RF_QUEUE_ECN_H

#include <linux/skbuff.h>

#include "classify.h"

struct rf_port;

bool rf_ecn_set(struct sk_buff *skb, int offset, __be16 protocol, u32 ecn);
bool rf_ecn_pass(struct rf_port *port, struct sk_buff *skb,
		 const struct rf_class *class, u64 now);

#endif
