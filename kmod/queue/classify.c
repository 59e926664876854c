// SPDX-License-Identifier: GPL-2.0
/*
 * The priority of a packet, from its headers. skb->priority can't be used,
 * because rxe leaves it at 0 and a veth clears it.
 *
 * MAC control frames and CNPs go before all priorities, because they end a
 * congestion. No pause stops them. IEEE 802.1Qbb requires this for MAC control
 * frames, and switches are usually configured so for CNPs.
 */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "classify.h"

#define BTH_OPCODE_CNP	0x81

static bool classify_is_cnp(const struct sk_buff *skb, int offset)
{
	struct {
		struct udphdr udp;
		u8 opcode;
	} __packed copy __uninitialized;
	const typeof(copy) *roce;

	roce = skb_header_pointer(skb, offset, sizeof(copy), &copy);
	return roce && roce->udp.dest == htons(RF_ROCE_PORT) &&
	       roce->opcode == BTH_OPCODE_CNP;
}

/*
 * Return: the traffic class, or 0. @udp is set to the offset of the UDP header, or
 * to 0 if there is none.
 */
static u8 classify_tos(const struct sk_buff *skb, const struct rf_class *class,
		       int *udp)
{
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} copy __uninitialized;
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;

	*udp = 0;
	if (class->protocol == htons(ETH_P_IP)) {
		ip = skb_header_pointer(skb, class->ip, sizeof(*ip), &copy);
		if (!ip)
			return 0;
		if (ip->protocol == IPPROTO_UDP &&
		    !(ip->frag_off & htons(IP_OFFSET)))
			*udp = class->ip + ip->ihl * 4;
		return ip->tos;
	}
	if (class->protocol == htons(ETH_P_IPV6)) {
		ip6 = skb_header_pointer(skb, class->ip, sizeof(*ip6), &copy);
		if (!ip6)
			return 0;
		if (ip6->nexthdr == IPPROTO_UDP)
			*udp = class->ip + sizeof(*ip6);
		return ipv6_get_dsfield(ip6);
	}
	return 0;
}

static noinline void classify_any(const struct sk_buff *skb,
				  const struct rf_conf *conf,
				  struct rf_class *class)
{
	const struct ethhdr *eth;
	struct ethhdr copy;
	int udp;
	u8 tos;

	*class = (struct rf_class){ .ip = ETH_HLEN, .pcp = -1 };
	eth = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	if (!eth)
		return;
	class->protocol = eth->h_proto;
	if (!rf_vlan_skip(skb, &class->ip, &class->protocol, &class->pcp)) {
		class->protocol = 0;
		return;
	}
	tos = classify_tos(skb, class, &udp);
	class->ecn = tos & INET_ECN_MASK;
	class->dscp = tos >> 2;
	class->band = rf_priority(conf->dscp_prio, class->pcp, class->dscp);
	if (class->protocol == htons(ETH_P_PAUSE) ||
	    (udp && classify_is_cnp(skb, udp)))
		class->band = RF_CONTROL;
}

/* Where the UDP header of a frame begins if it has neither a tag nor IP options */
#define PLAIN_V4_UDP	(ETH_HLEN + sizeof(struct iphdr))
#define PLAIN_V6_UDP	(ETH_HLEN + sizeof(struct ipv6hdr))

/*
 * Classify a frame whose headers are linear up to the opcode, without a VLAN tag
 * in the data and without IP options. Return: false if it isn't such a frame.
 */
static bool classify_plain(const struct sk_buff *skb,
			   const struct rf_conf *conf, struct rf_class *class)
{
	const struct ethhdr *eth = (const void *)skb->data;
	const struct ipv6hdr *ip6 = (const void *)(skb->data + ETH_HLEN);
	const struct iphdr *ip = (const void *)(skb->data + ETH_HLEN);
	u32 len = skb_headlen(skb), udp = 0;
	const struct udphdr *uh;
	u8 tos;

	if (len > PLAIN_V4_UDP + sizeof(struct udphdr) &&
	    eth->h_proto == htons(ETH_P_IP) && ip->ihl == 5) {
		tos = ip->tos;
		if (ip->protocol == IPPROTO_UDP &&
		    !(ip->frag_off & htons(IP_OFFSET)))
			udp = PLAIN_V4_UDP;
	} else if (len > PLAIN_V6_UDP + sizeof(struct udphdr) &&
		   eth->h_proto == htons(ETH_P_IPV6)) {
		tos = ipv6_get_dsfield(ip6);
		if (ip6->nexthdr == IPPROTO_UDP)
			udp = PLAIN_V6_UDP;
	} else {
		return false;
	}
	class->ip = ETH_HLEN;
	class->protocol = eth->h_proto;
	class->pcp = skb_vlan_tag_present(skb) ? skb_vlan_tag_get_prio(skb) : -1;
	class->dscp = tos >> 2;
	class->ecn = tos & INET_ECN_MASK;
	class->band = rf_priority(conf->dscp_prio, class->pcp, class->dscp);
	uh = (const void *)(skb->data + udp);
	if (udp && uh->dest == htons(RF_ROCE_PORT) &&
	    *(const u8 *)(uh + 1) == BTH_OPCODE_CNP)
		class->band = RF_CONTROL;
	return true;
}

/*
 * A switch can change the tag and the DSCP of a packet, so a port stores the priority
 * with which a packet arrived in skb->inner_protocol, as an EtherType that is not
 * assigned. Bridges, VLAN netdevs and IP forwarding keep this member, as do clones and
 * copies. The stack and drivers read it only in packets of tunnels, which have
 * skb->encapsulation set, and in GSO packets to which tc or Open vSwitch adds an MPLS
 * label. tc's own skb->tc_index is not free: a classifier of a later netdev clears it.
 */
#define ARRIVED_PRIO_MASK	0x7
#define ARRIVED			(0xffff & ~ARRIVED_PRIO_MASK)

/**
 * rf_class_arrive - store the priority of a packet that arrives
 * @skb: the packet, with its VLAN tag beside the data
 * @conf: configuration of the port by which it arrives
 */
void rf_class_arrive(struct sk_buff *skb, const struct rf_conf *conf)
{
	struct rf_class class = {
		.ip = skb_network_offset(skb), .protocol = skb->protocol,
	};
	u8 tos = 0;
	int udp;

	if (skb->encapsulation)
		return;
	if (rf_vlan_skip(skb, &class.ip, &class.protocol, &class.pcp))
		tos = classify_tos(skb, &class, &udp);
	skb->inner_protocol = htons(ARRIVED |
				    rf_priority(conf->dscp_prio, class.pcp, tos >> 2));
}

/**
 * rf_class_arrived - get the priority of a packet at the port by which it arrived
 * @skb: the packet
 * @conf: configuration of that port
 * @class: the present class, used if rf_class_arrive() has not stored the priority
 *
 * The last port with a buffer stores the priority, so it is that of an earlier port only
 * if tc has redirected the packet before the ingress hook of the last port.
 *
 * Return: 0 to 7.
 */
u32 rf_class_arrived(const struct sk_buff *skb, const struct rf_conf *conf,
		     const struct rf_class *class)
{
	u32 arrived = ntohs(skb->inner_protocol);

	if (!skb->encapsulation && (arrived & ARRIVED) == ARRIVED)
		return arrived & ARRIVED_PRIO_MASK;
	return rf_priority(conf->dscp_prio, class->pcp, class->dscp);
}

/**
 * rf_classify - classify a packet
 * @skb: the packet, with its Ethernet header at skb->data
 * @conf: configuration with the priorities of DSCPs
 * @class: set to the class; a packet that can't be parsed has priority 0
 */
void rf_classify(const struct sk_buff *skb, const struct rf_conf *conf,
		 struct rf_class *class)
{
	if (unlikely(!classify_plain(skb, conf, class)))
		classify_any(skb, conf, class);
}
