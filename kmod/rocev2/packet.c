// SPDX-License-Identifier: GPL-2.0
/*
 * Find RoCEv2 in an skb: Ethernet, up to two VLAN tags in the data, IPv4 or IPv6, UDP
 * to port 4791, BTH. The skb is neither changed nor linearised: headers that are not
 * linear are copied. rf_packet_find() checks them, and reads only what the hook needs for
 * a packet of an untracked flow; rf_packet_read() reads the rest.
 *
 * Not a goal: IPv6 extension headers (RoCEv2 has none, IBTA annex A17.3.1) and RoCEv1.
 */
#include <linux/compiler.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/minmax.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "rocev2.h"

#define VLAN_TAGS_MAX	2

/* The header of a management datagram (IBTA vol. 1, 13.4.3): lengths and offsets in bytes */
#define MAD_LEN		24
#define MAD_CLASS	1
#define MAD_ATTRIBUTE	16
#define MAD_CLASS_CM	0x07
#define MAD_CM_REQ	0x0010	/* first and last attribute ID of the class CM (12.6) */
#define MAD_CM_APR	0x001a

/**
 * rf_vlan_step - skip at least one VLAN tag
 * @skb: the packet
 * @offset: offset of the first tag from skb->data; moved to the header after the
 *	tags
 * @protocol: EtherType of the first tag; set to that of the header after the tags
 * @pcp: set to the priority of the first tag if it is negative
 *
 * Return: false if the packet ends within the tags.
 */
bool rf_vlan_step(const struct sk_buff *skb, int *offset, __be16 *protocol,
		  int *pcp)
{
	const struct vlan_hdr *vlan;
	struct vlan_hdr copy;
	int tags;

	for (tags = 0; tags < VLAN_TAGS_MAX && eth_type_vlan(*protocol); tags++) {
		vlan = skb_header_pointer(skb, *offset, sizeof(copy), &copy);
		if (!vlan)
			return false;
		if (*pcp < 0)
			*pcp = ntohs(vlan->h_vlan_TCI) >> VLAN_PRIO_SHIFT;
		*protocol = vlan->h_vlan_encapsulated_proto;
		*offset += VLAN_HLEN;
	}
	return true;
}

static bool packet_find_ipv4(const u8 *span, u32 room, struct rf_headers *h)
{
	const struct iphdr *ip = (const void *)span;

	/* Version 4, and 5 to 15 words. Only a first fragment has a UDP header. */
	if (room < sizeof(*ip) || span[0] < 0x45 || span[0] > 0x4f ||
	    ip->protocol != IPPROTO_UDP || ip->frag_off & htons(IP_OFFSET))
		return false;
	h->udp = (span[0] - 0x40) * 4;
	h->len = ip->frag_off & htons(IP_MF) ? 0 : ntohs(ip->tot_len);
	return true;
}

static bool packet_find_ipv6(const u8 *span, u32 room, struct rf_headers *h)
{
	const struct ipv6hdr *ip6 = (const void *)span;

	if (room < sizeof(*ip6) || ip6->version != 6 || ip6->nexthdr != IPPROTO_UDP)
		return false;
	h->udp = sizeof(*ip6);
	h->len = ntohs(ip6->payload_len) + sizeof(*ip6);
	return true;
}

/**
 * rf_packet_find - find the headers of a RoCEv2 packet
 * @skb: the packet
 * @offset: from skb->data to the header that @protocol names
 * @protocol: EtherType of the header at @offset
 * @h: filled in if the packet is RoCEv2
 *
 * Context: softirq or BH off.
 * Return: see enum rf_seen.
 */
enum rf_seen rf_packet_find(const struct sk_buff *skb, int offset,
			    __be16 protocol, struct rf_headers *h)
{
	const struct udphdr *udp;
	u32 room, bth;

	if (!rf_vlan_skip(skb, &offset, &protocol, &h->pcp) || (u32)offset > skb->len)
		return RF_SEEN_OTHER;
	room = min(skb->len - offset, (u32)sizeof(h->copy));
	h->span = skb_header_pointer(skb, offset, room, h->copy);
	h->offset = offset;
	if (!h->span ||
	    (likely(protocol == htons(ETH_P_IP)) ? !packet_find_ipv4(h->span, room, h) :
	     protocol != htons(ETH_P_IPV6) || !packet_find_ipv6(h->span, room, h)))
		return RF_SEEN_OTHER;
	udp = (const void *)(h->span + h->udp);
	bth = h->udp + sizeof(*udp);
	if (room < bth || udp->dest != htons(RF_ROCE_PORT))
		return RF_SEEN_OTHER;
	/* A GSO packet is several datagrams, which a rule could not hit one by one. */
	if (h->len < bth + RF_BTH_SPAN || offset + h->len > skb->len || skb_is_gso(skb))
		return RF_SEEN_MALFORMED;
	h->bth = h->span + bth;
	h->op = rf_bth_opcode(h->bth, h->len - bth);
	return h->op ? RF_SEEN_ROCE : RF_SEEN_MALFORMED;
}

static u8 packet_read_ip(const struct rf_headers *h, struct rf_desc *desc)
{
	const struct ipv6hdr *ip6 = (const void *)h->span;
	const struct iphdr *ip = (const void *)h->span;

	if (ip->version == 6) {
		desc->addr_len = sizeof(ip6->saddr);
		memcpy(desc->saddr, &ip6->saddr, sizeof(ip6->saddr));
		memcpy(desc->daddr, &ip6->daddr, sizeof(ip6->daddr));
		return ipv6_get_dsfield(ip6);
	}
	desc->addr_len = sizeof(ip->saddr);
	memcpy(desc->saddr, &ip->saddr, sizeof(ip->saddr));
	memcpy(desc->daddr, &ip->daddr, sizeof(ip->daddr));
	return ip->tos;
}

/* @offset: of the BTH from skb->data. Return: RDMAFAULT_CM_*, one bit, or 0. */
static noinline u32 packet_read_cm(const struct sk_buff *skb, u32 offset,
				   const struct rf_desc *desc)
{
	u32 attribute;
	const u8 *mad;
	u8 copy[MAD_LEN];

	if (!rf_opcode_is_ud(desc->opcode) || desc->payload < MAD_LEN)
		return 0;
	mad = skb_header_pointer(skb, offset + desc->headers, MAD_LEN, copy);
	if (!mad || mad[MAD_CLASS] != MAD_CLASS_CM)
		return 0;
	attribute = mad[MAD_ATTRIBUTE] << 8 | mad[MAD_ATTRIBUTE + 1];
	if (attribute < MAD_CM_REQ || attribute > MAD_CM_APR)
		return 0;
	return RDMAFAULT_CM_REQ << (attribute - MAD_CM_REQ);
}

/**
 * rf_packet_read - describe a RoCEv2 packet
 * @skb: the packet
 * @h: its headers, from rf_packet_find()
 * @dscp_prio: priority by DSCP, for a packet without a VLAN tag
 * @pkt: filled in, except for the flow
 *
 * Context: softirq or BH off.
 */
void rf_packet_read(const struct sk_buff *skb, const struct rf_headers *h,
		    const u8 *dscp_prio, struct rf_pkt *pkt)
{
	u32 udp = h->udp, len = h->len, bth = udp + sizeof(struct udphdr);
	struct rf_desc *desc = &pkt->desc;
	u8 tos;

	pkt->ip = h->offset;
	pkt->udp = pkt->ip + udp;
	pkt->bth = pkt->ip + bth;
	pkt->end = pkt->ip + len;
	rf_bth_read(h->span + bth, h->op, len - bth, desc);
	if (unlikely(desc->qp == RF_QP_GSI))
		desc->cm = packet_read_cm(skb, pkt->bth, desc);
	tos = packet_read_ip(h, desc);
	desc->len = len;
	desc->dscp = tos >> 2;
	desc->ecn = tos & INET_ECN_MASK;
	desc->sport = ntohs(((const struct udphdr *)(h->span + udp))->source);
	desc->priority = rf_priority(dscp_prio, h->pcp, desc->dscp);
}
