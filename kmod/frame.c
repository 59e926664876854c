// SPDX-License-Identifier: GPL-2.0
/* Copy frames as they are on the wire. */
#include <linux/if_ether.h>

#include "frame.h"

/* The tag is between the addresses and the EtherType. */
static int frame_copy_tagged(const struct sk_buff *skb, u8 *to, u32 len)
{
	const u32 addrs = 2 * ETH_ALEN;
	struct vlan_hdr *vlan = (struct vlan_hdr *)(to + addrs);
	int mac = skb_mac_offset(skb), err;

	if (len < addrs + VLAN_HLEN)
		return skb_copy_bits(skb, mac, to, min(len, addrs));
	err = skb_copy_bits(skb, mac, to, addrs);
	/* In the frame, the TPID comes first and then the TCI. */
	put_unaligned(skb->vlan_proto, (__be16 *)vlan);
	put_unaligned_be16(skb_vlan_tag_get(skb), (__be16 *)vlan + 1);
	return err ?: skb_copy_bits(skb, mac + addrs, to + addrs + VLAN_HLEN,
				    len - addrs - VLAN_HLEN);
}

/**
 * rf_frame_copy - copy the first bytes of a frame
 * @skb: the packet, with its MAC header set
 * @to: room for @len bytes; all bytes are written on success, except of a tag that @len
 *	ends in
 * @len: at most rf_frame_wire_len() bytes
 *
 * Return: 0 or -EFAULT.
 */
int rf_frame_copy(const struct sk_buff *skb, u8 *to, u32 len)
{
	if (unlikely(rf_frame_tag(skb)))
		return frame_copy_tagged(skb, to, len);
	return skb_copy_bits(skb, skb_mac_offset(skb), to, len);
}
