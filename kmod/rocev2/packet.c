// SPDX-License-Identifier: GPL-2.0
/*
 * Finds RoCEv2 in an skb: Ethernet, up to two VLAN tags that stand in the
 * data, IPv4 or IPv6, UDP to port 4791, BTH. Nothing is pulled, written or
 * trusted; every header is read through skb_header_pointer().
 *
 * Not a goal: IPv6 extension headers (a RoCEv2 packet has none, IBTA annex
 * A17.3.1) and RoCEv1.
 */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "../queue/classify.h"
#include "opcode.h"
#include "packet.h"
#include "../flow/qp_filter.h"

/* Where the UDP header is and how many bytes there are from it on. */
struct udp_span {
	int offset;
	int len;
	bool fragment;
};

/* Room for an IP header that doesn't stand in one piece. */
union ip_copy {
	struct iphdr v4;
	struct ipv6hdr v6;
};

static void tos_tell(u8 tos, struct rf_desc *desc)
{
	desc->dscp = tos >> 2;
	desc->ecn = tos & 3;
}

static void ipv4_tell(const struct iphdr *ip, struct rf_desc *desc)
{
	desc->addr_len = sizeof(ip->saddr);
	memcpy(desc->saddr, &ip->saddr, sizeof(ip->saddr));
	memcpy(desc->daddr, &ip->daddr, sizeof(ip->daddr));
	desc->len = ntohs(ip->tot_len);
	tos_tell(ip->tos, desc);
}

static void ipv6_tell(const struct ipv6hdr *ip6, struct rf_desc *desc)
{
	desc->addr_len = sizeof(ip6->saddr);
	memcpy(desc->saddr, &ip6->saddr, sizeof(ip6->saddr));
	memcpy(desc->daddr, &ip6->daddr, sizeof(ip6->daddr));
	desc->len = ntohs(ip6->payload_len) + sizeof(*ip6);
	tos_tell(ipv6_get_dsfield(ip6), desc);
}

/* What the IP header tells, when the BTH has decided that it is RoCEv2. */
static void ip_tell(const void *ip, __be16 protocol, struct rf_desc *desc)
{
	if (protocol == htons(ETH_P_IP))
		ipv4_tell(ip, desc);
	else
		ipv6_tell(ip, desc);
}

static const void *ipv4_read(const struct sk_buff *skb, int offset,
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

static const void *ipv6_read(const struct sk_buff *skb, int offset,
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

static const void *ip_read(const struct sk_buff *skb, int offset,
			   __be16 protocol, union ip_copy *copy,
			   struct udp_span *udp)
{
	if (protocol == htons(ETH_P_IP))
		return ipv4_read(skb, offset, copy, udp);
	if (protocol == htons(ETH_P_IPV6))
		return ipv6_read(skb, offset, copy, udp);
	return NULL;
}

/* A response is never untracked: it tells of requests that go the other way. */
static bool is_untracked(const u8 *bth, const struct rf_qp_filter *named)
{
	return named && !rf_opcodes[bth[0]].response &&
	       !rf_qp_filter_has(named, rf_bth_qp(bth));
}

static enum rf_seen bth_read(const struct sk_buff *skb, int offset, int len,
			     const struct rf_qp_filter *named, struct rf_desc *desc)
{
	u8 copy[RF_BTH_SPAN] __uninitialized;
	const u8 *bth;

	bth = skb_header_pointer(skb, offset, sizeof(copy), copy);
	if (!bth)
		return RF_SEEN_MALFORMED;
	if (is_untracked(bth, named))
		return rf_bth_opcode(bth, len) ? RF_SEEN_UNTRACKED :
						 RF_SEEN_MALFORMED;
	return rf_bth_decode(bth, len, desc) ? RF_SEEN_MALFORMED : RF_SEEN_ROCE;
}

static enum rf_seen roce_read(const struct sk_buff *skb,
			      const struct udp_span *udp,
			      const struct rf_qp_filter *named, struct rf_pkt *pkt)
{
	int offset = udp->offset + sizeof(struct udphdr);
	int len = udp->len - (int)sizeof(struct udphdr);

	/* Of datagrams in one skb no change of one could be told to the rest. */
	if (udp->fragment || skb_is_gso(skb) || len < RF_BTH_SPAN ||
	    udp->offset + udp->len > (int)skb->len)
		return RF_SEEN_MALFORMED;
	pkt->udp = udp->offset;
	pkt->bth = offset;
	pkt->end = offset + len;
	return bth_read(skb, offset, len, named, &pkt->desc);
}

/**
 * rf_packet_read - describe a RoCEv2 packet
 * @skb: the packet; neither changed nor linearised
 * @offset: from skb->data to the header that @protocol names
 * @protocol: EtherType of what stands at @offset
 * @dscp_prio: the priority of a packet without a VLAN tag, by its DSCP
 * @named: the QPs that somebody asks for, or NULL if that is all of them
 * @pkt: filled in if the packet is RoCEv2
 *
 * Context: any; in practice softirq or BH off.
 * Return: see enum rf_seen.
 */
enum rf_seen rf_packet_read(const struct sk_buff *skb, int offset,
			    __be16 protocol, const u8 *dscp_prio,
			    const struct rf_qp_filter *named, struct rf_pkt *pkt)
{
	union ip_copy ip_copy __uninitialized;
	struct udphdr copy __uninitialized;
	struct udp_span udp __uninitialized;
	const struct udphdr *uh;
	enum rf_seen seen;
	const void *ip;
	int pcp;

	if (!rf_vlan_skip(skb, &offset, &protocol, &pcp))
		return RF_SEEN_OTHER;
	ip = ip_read(skb, offset, protocol, &ip_copy, &udp);
	if (!ip)
		return RF_SEEN_OTHER;
	uh = skb_header_pointer(skb, udp.offset, sizeof(copy), &copy);
	if (!uh || uh->dest != htons(RF_ROCE_PORT))
		return RF_SEEN_OTHER;
	pkt->ip = offset;
	seen = roce_read(skb, &udp, named, pkt);
	if (seen != RF_SEEN_ROCE)
		return seen;
	ip_tell(ip, protocol, &pkt->desc);
	pkt->desc.sport = ntohs(uh->source);
	pkt->desc.priority = rf_priority(dscp_prio, pcp, pkt->desc.dscp);
	return RF_SEEN_ROCE;
}
