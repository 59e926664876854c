/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_CLASSIFY_H
#define RF_QUEUE_CLASSIFY_H

#include <linux/if_vlan.h>
#include <linux/skbuff.h>

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

bool rf_vlan_step(const struct sk_buff *skb, int *offset, __be16 *protocol,
		  int *pcp);
void rf_classify(const struct sk_buff *skb, const struct rf_conf *conf,
		 struct rf_class *class);

/**
 * rf_vlan_skip - skip the VLAN tags in the data of a packet
 * @skb: the packet
 * @offset: offset of a header from skb->data; moved to the header after the tags
 * @protocol: EtherType of this header; updated
 * @pcp: set to the priority of the outermost tag in the metadata or in the data of
 *	the packet, or to a negative number if there is no tag
 *
 * Return: false if the packet ends within the tags.
 */
static inline bool rf_vlan_skip(const struct sk_buff *skb, int *offset,
				__be16 *protocol, int *pcp)
{
	*pcp = skb_vlan_tag_present(skb) ? skb_vlan_tag_get_prio(skb) : -1;
	return !eth_type_vlan(*protocol) ||
	       rf_vlan_step(skb, offset, protocol, pcp);
}

/**
 * rf_priority - get the priority of a packet
 * @dscp_prio: priority by DSCP
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
