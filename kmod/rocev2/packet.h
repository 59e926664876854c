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
 * struct rf_plain - a plain packet, see rf_plain_find()
 * @op: properties of its opcode
 * @addrs: source address at the end of the IP header, which the destination address
 *	follows
 * @ip: offset of the IP header from skb->data
 * @bth: offset of the BTH
 * @len: bytes from the IP header to the ICRC
 * @qp: destination QP
 * @psn: PSN
 * @key: see rf_plain_key()
 */
struct rf_plain {
	const struct rf_opcode *op;
	const u8 *addrs;
	u32 ip;
	u32 bth;
	u32 len;
	u32 qp;
	u32 psn;
	u32 key;
};

/* In the key of plain packets: the addresses are of IPv6. */
#define RF_PLAIN_IPV6	0x2000000u

/**
 * rf_plain_key - the key of the plain packets of a flow, without their addresses
 * @qp: destination QP
 * @response: they are responses
 * @ipv6: the addresses are of IPv6
 *
 * Return: the key.
 */
static inline u32 rf_plain_key(u32 qp, bool response, bool ipv6)
{
	return qp | response << 24 | (ipv6 ? RF_PLAIN_IPV6 : 0);
}

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

/* The headers of a plain packet have at least this many bytes. */
#define RF_PLAIN_MIN	(sizeof(struct iphdr) + sizeof(struct udphdr) + RF_BTH_SPAN)

/**
 * rf_plain_find - find the BTH of a plain RoCEv2 packet
 * @skb: the packet
 * @ip: offset from skb->data to the header that @protocol names
 * @protocol: EtherType of the header at @ip
 * @bth: set to the BTH
 * @len: set to the bytes from the IP header to the ICRC
 * @op: set to the entry of the opcode
 *
 * A plain packet has no VLAN tag in its data and no IP options, its headers are linear,
 * and it is no NAK. rf_packet_read() finds the same values in it.
 *
 * Return: false if the packet is not plain; it can still be a RoCEv2 packet.
 */
static __always_inline bool rf_plain_find(const struct sk_buff *skb, u32 ip,
					  __be16 protocol, const u8 **bth, u32 *len,
					  const struct rf_opcode **op)
{
	const void *header = skb->data + ip;
	const struct ipv6hdr *ip6 = header;
	const struct iphdr *ip4 = header;
	u32 before, bytes;
	const u8 *at;

	if (likely(protocol == htons(ETH_P_IP))) {
		before = sizeof(struct iphdr) + sizeof(struct udphdr);
		if (unlikely(skb_headlen(skb) < ip + before + RF_BTH_SPAN) ||
		    *(const u8 *)header != 0x45 || ip_is_fragment(ip4) ||
		    ip4->protocol != IPPROTO_UDP)
			return false;
		*len = ntohs(ip4->tot_len);
	} else if (protocol == htons(ETH_P_IPV6)) {
		before = sizeof(struct ipv6hdr) + sizeof(struct udphdr);
		if (unlikely(skb_headlen(skb) < ip + before + RF_BTH_SPAN) ||
		    ip6->version != 6 || ip6->nexthdr != IPPROTO_UDP)
			return false;
		*len = sizeof(*ip6) + ntohs(ip6->payload_len);
	} else {
		return false;
	}
	at = header + before;
	if (((const struct udphdr *)at)[-1].dest != htons(RF_ROCE_PORT) ||
	    rf_bth_version(at))
		return false;
	*bth = at;
	*op = &rf_opcodes[at[0]];
	if (unlikely(!(*op)->hdrlen || rf_bth_is_nak(*op, at) || skb_is_gso(skb)))
		return false;
	bytes = before + (*op)->hdrlen + rf_bth_pad(at) + RF_ICRC_LEN;
	return likely(*len >= bytes && ip + *len <= skb->len);
}

/**
 * rf_plain_protocol - get the EtherType of a plain packet
 * @ip: offset of its IP header
 * @bth: offset of its BTH
 *
 * Return: that of IPv4 or of IPv6.
 */
static inline __be16 rf_plain_protocol(u32 ip, u32 bth)
{
	return bth - ip == sizeof(struct iphdr) + sizeof(struct udphdr) ?
	       htons(ETH_P_IP) : htons(ETH_P_IPV6);
}

/**
 * rf_plain_read - read a plain packet
 * @p: filled in
 * @skb: the packet
 * @ip: offset of its IP header
 * @at: its BTH, from rf_plain_find()
 * @len: bytes from the IP header to the ICRC
 * @op: the entry of its opcode
 */
static __always_inline void rf_plain_read(struct rf_plain *p,
					  const struct sk_buff *skb, u32 ip,
					  const u8 *at, u32 len,
					  const struct rf_opcode *op)
{
	p->op = op;
	p->ip = ip;
	p->bth = at - skb->data;
	p->len = len;
	p->qp = rf_bth_qp(at);
	p->psn = rf_bth_psn(at);
	p->addrs = at - sizeof(struct udphdr) - 2 * sizeof(struct in_addr);
	p->key = rf_plain_key(p->qp, op->response, false);
	if (unlikely(rf_plain_protocol(ip, p->bth) != htons(ETH_P_IP))) {
		p->addrs = at - sizeof(struct udphdr) - 2 * sizeof(struct in6_addr);
		p->key |= RF_PLAIN_IPV6;
	}
}

#endif
