/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_CLASSIFY_H
#define RF_QUEUE_CLASSIFY_H

#include <linux/if_vlan.h>
#include <linux/skbuff.h>

#include "sched.h"

/**
 * struct rf_class - what a packet is to the queues
 * @band: its priority, or RF_CONTROL
 * @ip: offset of the header that @protocol names from skb->data
 * @protocol: EtherType behind the VLAN tags
 * @pcp: priority of the outermost VLAN tag, negative if there is none
 * @dscp: 0 if it isn't IP
 * @ecn: the ECN field, 0 if it isn't IP
 */
struct rf_class {
	u32 band;
	int ip;
	__be16 protocol;
	int pcp;
	u8 dscp;
	u8 ecn;
};

bool rf_vlan_step(const struct sk_buff *skb, int *offset, __be16 *protocol,
		  int *pcp);
struct rf_class rf_classify(const struct sk_buff *skb,
			    const struct rf_conf *conf);

/**
 * rf_vlan_skip - step over the VLAN tags in the data
 * @skb: the packet
 * @offset: from skb->data to the header that @protocol names; moved
 * @protocol: its EtherType; replaced
 * @pcp: gets the priority of the outermost tag, that beside the data included,
 * or a negative number
 *
 * Context: any.
 * Return: false if the tags are cut short.
 */
static inline bool rf_vlan_skip(const struct sk_buff *skb, int *offset,
				__be16 *protocol, int *pcp)
{
	*pcp = skb_vlan_tag_present(skb) ? skb_vlan_tag_get_prio(skb) : -1;
	return !eth_type_vlan(*protocol) ||
	       rf_vlan_step(skb, offset, protocol, pcp);
}

/**
 * rf_priority - the priority of a packet
 * @dscp_prio: by DSCP
 * @pcp: priority of its outermost VLAN tag, negative if it has none
 * @dscp: its DSCP, 0 if it isn't IP
 *
 * Return: 0 to 7.
 */
static inline u32 rf_priority(const u8 *dscp_prio, int pcp, u32 dscp)
{
	return pcp < 0 ? dscp_prio[dscp] : pcp;
}

#endif
