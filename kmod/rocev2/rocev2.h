/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_ROCEV2_H
#define RF_ROCEV2_ROCEV2_H

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
 * enum rf_seen - the result of rf_packet_find()
 * @RF_SEEN_OTHER: not RoCEv2
 * @RF_SEEN_ROCE: RoCEv2
 * @RF_SEEN_MALFORMED: a packet to the UDP port of RoCEv2 that is not valid RoCEv2
 */
enum rf_seen {
	RF_SEEN_OTHER,
	RF_SEEN_ROCE,
	RF_SEEN_MALFORMED,
};

/* The longest headers: an IPv4 header with options, UDP, and what follows it */
#define RF_HEADERS_MAX	(60 + sizeof(struct udphdr) + RF_BTH_SPAN)

/**
 * struct rf_headers - the headers of a packet, for rf_packet_read()
 * @span: the headers from the IP header on
 * @bth: RF_BTH_SPAN bytes
 * @op: properties of its opcode
 * @offset: offset of the IP header from skb->data
 * @udp: offset of the UDP header from the IP header
 * @len: bytes from the IP header to the ICRC
 * @pcp: priority of the outermost VLAN tag, negative if there is none
 * @copy: room for headers that are not linear
 */
struct rf_headers {
	const u8 *span;
	const u8 *bth;
	const struct rf_opcode *op;
	u32 offset;
	u32 udp;
	u32 len;
	int pcp;
	u8 copy[RF_HEADERS_MAX];
};

/* packet.c: softirq or BH off */
enum rf_seen rf_packet_find(const struct sk_buff *skb, int offset,
			    __be16 protocol, struct rf_headers *h);
void rf_packet_read(const struct sk_buff *skb, const struct rf_headers *h,
		    const u8 *dscp_prio, struct rf_pkt *pkt);
bool rf_vlan_step(const struct sk_buff *skb, int *offset, __be16 *protocol,
		  int *pcp);

/* mangle.c: softirq or BH off */
u8 *rf_mangle_begin(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_mangle_icrc(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_mangle_put(u8 *to, u32 value, int bytes);
u32 rf_mangle_truncate(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end,
		       u32 payload);
void rf_mangle_ip_check(struct iphdr *ip, u32 len);
void rf_mangle_dscp(struct sk_buff *skb, const struct rf_pkt *pkt, u32 dscp);
u32 rf_ecn_get(const struct sk_buff *skb, int offset, __be16 protocol);
bool rf_ecn_set(struct sk_buff *skb, int offset, __be16 protocol, u32 ecn);

/**
 * rf_headers_are_nak - test whether a packet is a NAK or an RNR NAK
 * @h: its headers
 *
 * Return: true if it is.
 */
static inline bool rf_headers_are_nak(const struct rf_headers *h)
{
	return h->op->classes & RDMAFAULT_CLASS_NAK && rf_aeth_kind(h->bth[h->op->aeth]);
}

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
