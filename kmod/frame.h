/* SPDX-License-Identifier: GPL-2.0 */
/* Frames as they are on the wire: from the MAC header on, with a VLAN tag that was taken off */
#ifndef RF_FRAME_H
#define RF_FRAME_H

#include <linux/if_vlan.h>
#include <linux/skbuff.h>

/* Bytes of the VLAN tag that is not in the data */
static inline u32 rf_frame_tag(const struct sk_buff *skb)
{
	return skb_vlan_tag_present(skb) ? VLAN_HLEN : 0;
}

/**
 * rf_frame_wire_len - get the length of a frame on the wire
 * @skb: the packet, with its MAC header set
 *
 * Return: bytes.
 */
static inline u32 rf_frame_wire_len(const struct sk_buff *skb)
{
	return skb->len - skb_mac_offset(skb) + rf_frame_tag(skb);
}

/* frame.c */
int rf_frame_copy(const struct sk_buff *skb, u8 *to, u32 len);

#endif
