// SPDX-License-Identifier: GPL-2.0
/*
 * The priority of a packet, from its headers. skb->priority can't be used,
 * because rxe leaves it at 0 and a veth clears it.
 *
 * MAC control frames and CNPs go before all priorities, because they end a
 * congestion. No pause stops them. IEEE 802.1Qbb requires this for MAC control
 * frames, and switches are usually configured so for CNPs. With cnp-queue dscp, CNPs have
 * the priority of their DSCP instead.
 *
 * rf_packet_find() is another parser, because it finds RoCEv2 only, and checks it up to
 * the ICRC. Here, every frame has a class, which each queued packet pays for.
 */
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../rocev2/rocev2.h"
#include "sched.h"

#define BTH_OPCODE_CNP	0x81

/* The most bytes from an IPv4 header with options to the opcode of RoCEv2 */
#define HEADERS_MAX	(60 + sizeof(struct udphdr) + 1)

/* Return: the traffic class. @udp is set to the offset of the UDP header, if there is one. */
static __always_inline u8 classify_ip(const u8 *data, u32 len, __be16 protocol,
				      u32 *udp)
{
	const struct ipv6hdr *ip6 = (const void *)data;
	const struct iphdr *ip = (const void *)data;

	if (protocol == htons(ETH_P_IP) && len >= sizeof(*ip)) {
		if (ip->protocol == IPPROTO_UDP &&
		    !(ip->frag_off & htons(IP_OFFSET)))
			*udp = ip->ihl * 4;
		return ip->tos;
	}
	if (protocol == htons(ETH_P_IPV6) && len >= sizeof(*ip6)) {
		if (ip6->nexthdr == IPPROTO_UDP)
			*udp = sizeof(*ip6);
		return ipv6_get_dsfield(ip6);
	}
	return 0;
}

/*
 * Read the headers after the Ethernet header. @class has the offset of the first one, its
 * EtherType, and 0 for what is not found. Return: is the packet a CNP?
 */
static __always_inline bool classify_headers(const struct sk_buff *skb,
					     struct rf_class *class)
{
	u8 copy[HEADERS_MAX] __uninitialized;
	const struct udphdr *uh;
	u32 len, udp = 0;
	const u8 *data;
	u8 tos;

	if (!rf_vlan_skip(skb, &class->ip, &class->protocol, &class->pcp))
		return false;
	len = skb->len - class->ip;
	if (len > sizeof(copy))
		len = sizeof(copy);
	data = skb_header_pointer(skb, class->ip, len, copy);
	if (!data)
		return false;
	tos = classify_ip(data, len, class->protocol, &udp);
	class->dscp = tos >> 2;
	class->ecn = tos & INET_ECN_MASK;
	uh = (const void *)(data + udp);
	return udp && len > udp + sizeof(*uh) && uh->dest == htons(RF_ROCE_PORT) &&
	       *(const u8 *)(uh + 1) == BTH_OPCODE_CNP;
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

	if (skb->encapsulation)
		return;
	classify_headers(skb, &class);
	skb->inner_protocol = htons(ARRIVED | rf_priority(conf->dscp_prio, class.pcp,
							  class.dscp));
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
 * @class: set to the class; a packet that can't be parsed has the priority of DSCP 0
 */
void rf_classify(const struct sk_buff *skb, const struct rf_conf *conf,
		 struct rf_class *class)
{
	const struct ethhdr *eth;
	struct ethhdr copy __uninitialized;
	bool cnp = false;

	*class = (struct rf_class){ .ip = ETH_HLEN, .pcp = -1 };
	eth = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	if (likely(eth)) {
		class->protocol = eth->h_proto;
		cnp = classify_headers(skb, class);
	}
	class->band = rf_priority(conf->dscp_prio, class->pcp, class->dscp);
	if (unlikely((cnp && conf->dcqcn.cnp_queue == RDMAFAULT_CNP_QUEUE_CONTROL) ||
		     class->protocol == htons(ETH_P_PAUSE)))
		class->band = RF_CONTROL;
}
