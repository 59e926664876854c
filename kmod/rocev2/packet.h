/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_PACKET_H
#define RF_ROCEV2_PACKET_H

#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "bth.h"
#include "opcode.h"

/**
 * struct rf_pkt - a RoCEv2 packet in an skb
 * @ip: offset of the IP header from skb->data
 * @udp: offset of the UDP header
 * @bth: offset of the BTH
 * @end: offset of the end of the ICRC; a frame can have padding after it
 * @desc: the fields of its headers, and its flow
 */
struct rf_pkt {
	u16 ip;
	u16 udp;
	u16 bth;
	u32 end;
	struct rf_desc desc;
};

/**
 * enum rf_seen - the result of rf_packet_read()
 * @RF_SEEN_OTHER: not RoCEv2
 * @RF_SEEN_ROCE: RoCEv2
 * @RF_SEEN_MALFORMED: a packet to the UDP port of RoCEv2 that is not valid RoCEv2
 */
enum rf_seen {
	RF_SEEN_OTHER,
	RF_SEEN_ROCE,
	RF_SEEN_MALFORMED,
};

/**
 * struct rf_plain - a plain packet: IP without options, all headers linear, no NAK
 * @op: properties of its opcode
 * @addrs: source address in the IP header, which the destination address follows
 * @ip: offset of the IP header from skb->data
 * @bth: offset of the BTH
 * @len: bytes from the IP header to the ICRC
 * @frame: bytes of the frame, as the counters of the direction count them
 * @qp: destination QP
 * @psn: PSN
 * @tos: TOS or traffic class on arrival
 * @addr_len: bytes of its addresses, 4 or 16
 */
struct rf_plain {
	const struct rf_opcode *op;
	const u8 *addrs;
	u32 ip;
	u32 bth;
	u32 len;
	u32 frame;
	u32 qp;
	u32 psn;
	u8 tos;
	u8 addr_len;
};

enum rf_seen rf_packet_read(const struct sk_buff *skb, int offset,
			    __be16 protocol, const u8 *dscp_prio,
			    struct rf_pkt *pkt);
bool rf_vlan_step(const struct sk_buff *skb, int *offset, __be16 *protocol,
		  int *pcp);

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

static __always_inline bool rf_plain_ipv4(const struct iphdr *ip,
					  struct rf_plain *p)
{
	p->len = ntohs(ip->tot_len);
	p->addrs = (const u8 *)&ip->saddr;
	p->addr_len = 4;
	p->tos = ip->tos;
	return *(const u8 *)ip == 0x45 && !ip_is_fragment(ip) &&
	       ip->protocol == IPPROTO_UDP;
}

static __always_inline bool rf_plain_ipv6(const struct ipv6hdr *ip6,
					  struct rf_plain *p)
{
	p->len = sizeof(*ip6) + ntohs(ip6->payload_len);
	p->addrs = (const u8 *)&ip6->saddr;
	p->addr_len = 16;
	p->tos = ipv6_get_dsfield(ip6);
	return ip6->version == 6 && ip6->nexthdr == IPPROTO_UDP;
}

/**
 * rf_plain_read - read a plain RoCEv2 packet
 * @skb: the packet
 * @offset: from skb->data to the header that @protocol names
 * @protocol: EtherType of the header at @offset
 * @p: filled in, except @frame
 *
 * rf_packet_read() finds the same values in such a packet.
 *
 * Return: false if the packet is not a plain RoCEv2 packet; it can still be a RoCEv2
 * packet.
 */
static __always_inline bool rf_plain_read(const struct sk_buff *skb, u32 offset,
					  __be16 protocol, struct rf_plain *p)
{
	const void *ip = skb->data + offset;
	u32 room = skb_headlen(skb), bytes;
	const u8 *bth;

	p->ip = offset;
	if (protocol == htons(ETH_P_IP)) {
		p->bth = offset + sizeof(struct iphdr) + sizeof(struct udphdr);
		if (room < p->bth + RF_BTH_SPAN || !rf_plain_ipv4(ip, p))
			return false;
	} else if (protocol == htons(ETH_P_IPV6)) {
		p->bth = offset + sizeof(struct ipv6hdr) + sizeof(struct udphdr);
		if (room < p->bth + RF_BTH_SPAN || !rf_plain_ipv6(ip, p))
			return false;
	} else {
		return false;
	}
	bth = skb->data + p->bth;
	if (((const struct udphdr *)bth)[-1].dest != htons(RF_ROCE_PORT) ||
	    rf_bth_version(bth))
		return false;
	p->op = &rf_opcodes[bth[0]];
	p->qp = rf_bth_qp(bth);
	p->psn = rf_bth_psn(bth);
	bytes = p->bth - offset + p->op->hdrlen + rf_bth_pad(bth) + RF_ICRC_LEN;
	return p->op->hdrlen && !rf_bth_is_nak(p->op, bth) && p->len >= bytes &&
	       offset + p->len <= skb->len && !skb_is_gso(skb);
}

#endif
