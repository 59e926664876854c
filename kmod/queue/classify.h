/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_CLASSIFY_H
#define RF_QUEUE_CLASSIFY_H

#include <linux/skbuff.h>

#include "../rocev2/rocev2.h"
#include "sched.h"

/**
 * struct rf_class - class of a packet
 * @band: its priority, or RF_CONTROL
 * @ip: offset of the header after the VLAN tags from skb->data
 * @protocol: EtherType of this header
 * @pcp: priority of the outermost VLAN tag, negative if there is none
 * @dscp: DSCP, 0 if the packet isn't IP
 * @ecn: ECN field, 0 if the packet isn't IP
 */
struct rf_class {
	u32 band;
	int ip;
	__be16 protocol;
	int pcp;
	u8 dscp;
	u8 ecn;
};

void rf_classify(const struct sk_buff *skb, const struct rf_conf *conf,
		 struct rf_class *class);
void rf_class_arrive(struct sk_buff *skb, const struct rf_conf *conf);
u32 rf_class_arrived(const struct sk_buff *skb, const struct rf_conf *conf,
		     const struct rf_class *class);

#endif
