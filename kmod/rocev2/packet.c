// SPDX-License-Identifier: GPL-2.0
/*
 * Find RoCEv2 in an skb: Ethernet, up to two VLAN tags in the data, IPv4 or IPv6, UDP
 * to port 4791, BTH. The skb is neither changed nor linearised: all headers are read
 * through skb_header_pointer().
 *
 * Not a goal: IPv6 extension headers (RoCEv2 has none, IBTA annex A17.3.1) and RoCEv1.
 */
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "packet.h"

#define VLAN_TAGS_MAX	2

/* The offset of the UDP header, and the bytes from there to the end of the packet */
struct udp_span {
	int offset;
	int len;
	bool fragment;
};

/* Room for an IP header that is not linear */
union ip_copy {
	struct iphdr v4;
	struct ipv6hdr v6;
};

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

static void packet_set_tos(struct rf_desc *desc, u8 tos)
{
	desc->dscp = tos >> 2;
	desc->ecn = tos & 3;
}

static void packet_describe_ip(struct rf_desc *desc, const void *header, __be16 protocol)
{
	const struct ipv6hdr *ip6 = header;
	const struct iphdr *ip = header;

	if (protocol == htons(ETH_P_IP)) {
		desc->addr_len = sizeof(ip->saddr);
		memcpy(desc->saddr, &ip->saddr, sizeof(ip->saddr));
		memcpy(desc->daddr, &ip->daddr, sizeof(ip->daddr));
		desc->len = ntohs(ip->tot_len);
		packet_set_tos(desc, ip->tos);
	} else {
		desc->addr_len = sizeof(ip6->saddr);
		memcpy(desc->saddr, &ip6->saddr, sizeof(ip6->saddr));
		memcpy(desc->daddr, &ip6->daddr, sizeof(ip6->daddr));
		desc->len = ntohs(ip6->payload_len) + sizeof(*ip6);
		packet_set_tos(desc, ipv6_get_dsfield(ip6));
	}
}

static const void *packet_read_ipv4(const struct sk_buff *skb, int offset,
				    union ip_copy *copy, struct udp_span *udp)
{
	const struct iphdr *ip;

	ip = skb_header_pointer(skb, offset, sizeof(*ip), &copy->v4);
	if (!ip || ip->version != 4 || ip->ihl < 5 ||
	    ip->protocol != IPPROTO_UDP)
		return NULL;

	udp->offset = offset + ip->ihl * 4;
	udp->len = ntohs(ip->tot_len) - ip->ihl * 4;
	udp->fragment = ip_is_fragment(ip);
	/* Only a first fragment has a UDP header. */
	return ip->frag_off & htons(IP_OFFSET) ? NULL : ip;
}

static const void *packet_read_ipv6(const struct sk_buff *skb, int offset,
				    union ip_copy *copy, struct udp_span *udp)
{
	const struct ipv6hdr *ip6;

	ip6 = skb_header_pointer(skb, offset, sizeof(*ip6), &copy->v6);
	if (!ip6 || ip6->version != 6 || ip6->nexthdr != IPPROTO_UDP)
		return NULL;

	udp->offset = offset + sizeof(*ip6);
	udp->len = ntohs(ip6->payload_len);
	udp->fragment = false;
	return ip6;
}

static const void *packet_read_ip(const struct sk_buff *skb, int offset,
				  __be16 protocol, union ip_copy *copy,
				  struct udp_span *udp)
{
	if (protocol == htons(ETH_P_IP))
		return packet_read_ipv4(skb, offset, copy, udp);
	if (protocol == htons(ETH_P_IPV6))
		return packet_read_ipv6(skb, offset, copy, udp);
	return NULL;
}

static bool packet_read_bth(const struct sk_buff *skb, const struct udp_span *udp,
			    struct rf_pkt *pkt)
{
	int offset = udp->offset + sizeof(struct udphdr);
	int len = udp->len - (int)sizeof(struct udphdr);
	u8 copy[RF_BTH_SPAN] __uninitialized;
	const u8 *bth;

	/* A GSO packet is several datagrams, which a rule could not hit one by one. */
	if (udp->fragment || skb_is_gso(skb) || len < RF_BTH_SPAN ||
	    udp->offset + udp->len > (int)skb->len)
		return false;
	pkt->udp = udp->offset;
	pkt->bth = offset;
	pkt->end = offset + len;
	bth = skb_header_pointer(skb, offset, sizeof(copy), copy);
	return bth && !rf_bth_decode(bth, len, &pkt->desc);
}

/**
 * rf_packet_read - describe a RoCEv2 packet
 * @skb: the packet
 * @offset: from skb->data to the header that @protocol names
 * @protocol: EtherType of the header at @offset
 * @dscp_prio: priority by DSCP, for a packet without a VLAN tag
 * @pkt: filled in if the packet is RoCEv2
 *
 * Context: softirq or BH off.
 * Return: see enum rf_seen.
 */
enum rf_seen rf_packet_read(const struct sk_buff *skb, int offset,
			    __be16 protocol, const u8 *dscp_prio,
			    struct rf_pkt *pkt)
{
	union ip_copy ip_copy __uninitialized;
	struct udphdr copy __uninitialized;
	struct udp_span udp __uninitialized;
	const struct udphdr *uh;
	const void *ip;
	int pcp;

	if (!rf_vlan_skip(skb, &offset, &protocol, &pcp))
		return RF_SEEN_OTHER;
	ip = packet_read_ip(skb, offset, protocol, &ip_copy, &udp);
	if (!ip)
		return RF_SEEN_OTHER;
	uh = skb_header_pointer(skb, udp.offset, sizeof(copy), &copy);
	if (!uh || uh->dest != htons(RF_ROCE_PORT))
		return RF_SEEN_OTHER;
	pkt->ip = offset;
	if (!packet_read_bth(skb, &udp, pkt))
		return RF_SEEN_MALFORMED;
	packet_describe_ip(&pkt->desc, ip, protocol);
	pkt->desc.sport = ntohs(uh->source);
	pkt->desc.priority = rf_priority(dscp_prio, pcp, pkt->desc.dscp);
	return RF_SEEN_ROCE;
}
