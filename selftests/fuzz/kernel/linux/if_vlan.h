/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/if_vlan.h> in user space: VLAN tags. */
#ifndef RF_FUZZ_IF_VLAN_H
#define RF_FUZZ_IF_VLAN_H

#include <linux/if_ether.h>
#include <linux/skbuff.h>

#define VLAN_HLEN	4
#define VLAN_PRIO_SHIFT	13

struct vlan_hdr {
	__be16 h_vlan_TCI;
	__be16 h_vlan_encapsulated_proto;
};

static inline bool eth_type_vlan(__be16 type)
{
	return type == htons(ETH_P_8021Q) || type == htons(ETH_P_8021AD);
}

static inline bool skb_vlan_tag_present(const struct sk_buff *skb)
{
	return skb->vlan_prio >= 0;
}

static inline int skb_vlan_tag_get_prio(const struct sk_buff *skb)
{
	return skb->vlan_prio;
}

#endif
