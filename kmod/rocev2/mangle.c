// SPDX-License-Identifier: GPL-2.0
/*
 * Change a packet. Its data may be shared (with a capture, or by a bridge that
 * floods), so rf_mangle_begin() first makes a private, linear copy.
 *
 * RoCEv2 packets rarely have a UDP checksum. If there is one, a receiver that checks
 * it before the ICRC would drop a changed packet. So it is removed.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "rocev2.h"

/**
 * rf_mangle_begin - make the data of a packet writable and linear
 * @skb: the packet
 * @pkt: its description
 * @end: offset of the end of the ICRC
 *
 * Context: softirq or BH off.
 * Return: the data, to which all offsets of the packet refer; NULL if there is no
 * memory.
 */
u8 *rf_mangle_begin(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end)
{
	struct udphdr *udp;

	if (skb_ensure_writable(skb, end))
		return NULL;
	udp = (struct udphdr *)(skb->data + pkt->udp);
	if (udp->check) {
		udp->check = 0;
		skb->ip_summed = CHECKSUM_NONE;
	}
	/* The NIC has computed the sum before the change. */
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	return skb->data;
}

/**
 * rf_mangle_icrc - compute the ICRC again
 * @skb: the packet, after rf_mangle_begin()
 * @pkt: its description
 * @end: offset of the end of the ICRC
 *
 * Context: softirq or BH off.
 */
void rf_mangle_icrc(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end)
{
	u8 *ip = skb->data + pkt->ip;
	u32 len = end - RF_ICRC_LEN - pkt->ip;
	u32 icrc = rf_icrc(ip, pkt->udp - pkt->ip, len);
	int i;

	for (i = 0; i < RF_ICRC_LEN; i++)
		ip[len + i] = icrc >> 8 * i;
}

/**
 * rf_mangle_put - write a number in network byte order
 * @to: destination
 * @value: the number
 * @bytes: size of the number
 */
void rf_mangle_put(u8 *to, u32 value, int bytes)
{
	for (; bytes; value >>= 8)
		to[--bytes] = value;
}

/**
 * rf_mangle_ip_check - compute the checksum of an IPv4 header again
 * @ip: the header
 * @len: bytes of the header with its options
 *
 * The length in the header is not used: a sender can change the pages that it sends
 * (packet(7), PACKET_TX_RING) after the length was checked.
 */
void rf_mangle_ip_check(struct iphdr *ip, u32 len)
{
	ip->check = 0;
	ip->check = ip_fast_csum(ip, len / 4);
}

static void mangle_set_lengths(u8 *data, const struct rf_pkt *pkt, u32 end)
{
	struct udphdr *udp = (struct udphdr *)(data + pkt->udp);
	struct ipv6hdr *ip6 = (struct ipv6hdr *)(data + pkt->ip);
	struct iphdr *ip = (struct iphdr *)(data + pkt->ip);

	udp->len = htons(end - pkt->udp);
	if (pkt->desc.addr_len == 4) {
		ip->tot_len = htons(end - pkt->ip);
		rf_mangle_ip_check(ip, pkt->udp - pkt->ip);
	} else {
		ip6->payload_len = htons(end - pkt->udp);
	}
}

/**
 * rf_mangle_truncate - truncate the payload
 * @skb: the packet
 * @pkt: its description
 * @end: offset of the end of the ICRC
 * @payload: new length of the payload, not longer than it is
 *
 * The new payload is padded to a multiple of four bytes. The packet ends with the old
 * ICRC. The lengths in the IP and UDP headers are changed.
 *
 * Context: softirq or BH off.
 * Return: new offset of the end of the ICRC. 0 if the packet is unchanged: there is no
 * memory, or the sender has padded wrongly, so that the packet would become longer with
 * the right padding.
 */
u32 rf_mangle_truncate(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end,
		       u32 payload)
{
	u32 icrc_at = pkt->bth + pkt->desc.headers + round_up(payload, 4);
	u32 old_at = end - RF_ICRC_LEN;
	u32 pad = -payload & 3;
	u8 *data;

	if (icrc_at > old_at)
		return 0;
	data = rf_mangle_begin(skb, pkt, end);
	if (!data)
		return 0;
	memmove(data + icrc_at, data + old_at, RF_ICRC_LEN);
	memset(data + icrc_at - pad, 0, pad);
	end = icrc_at + RF_ICRC_LEN;
	data[pkt->bth + 1] = (data[pkt->bth + 1] & ~0x30) | pad << 4;
	mangle_set_lengths(data, pkt, end);
	return end;
}

/**
 * rf_mangle_dscp - set the DSCP, and leave the ECN field as it is
 * @skb: the packet, after rf_mangle_begin()
 * @pkt: its description
 * @dscp: the value, 0 to 63
 *
 * The checksum of an IPv4 header is corrected. The ICRC does not cover the DSCP.
 *
 * Context: softirq or BH off.
 */
void rf_mangle_dscp(struct sk_buff *skb, const struct rf_pkt *pkt, u32 dscp)
{
	u8 *ip = skb->data + pkt->ip;

	if (pkt->desc.addr_len == 4)
		ipv4_change_dsfield((struct iphdr *)ip, INET_ECN_MASK, dscp << 2);
	else
		ipv6_change_dsfield((struct ipv6hdr *)ip, INET_ECN_MASK, dscp << 2);
}

/**
 * rf_ecn_get - get the ECN field
 * @skb: the packet
 * @offset: offset of its IP header from skb->data
 * @protocol: EtherType of this header, IPv4 or IPv6
 *
 * Return: the value, 0 to 3.
 */
u32 rf_ecn_get(const struct sk_buff *skb, int offset, __be16 protocol)
{
	u8 copy[2];
	const u8 *ip = skb_header_pointer(skb, offset, sizeof(copy), copy);

	if (!ip)
		return INET_ECN_NOT_ECT;
	return (protocol == htons(ETH_P_IP) ? ip[1] : ip[1] >> 4) & INET_ECN_MASK;
}

/**
 * rf_ecn_set - set the ECN field
 * @skb: the packet
 * @offset: offset of its IP header from skb->data
 * @protocol: EtherType of this header, IPv4 or IPv6
 * @ecn: the value, 0 to 3
 *
 * Context: softirq or BH off.
 * Return: false if there is no memory to make the header writable. In that case the
 * packet isn't changed.
 */
bool rf_ecn_set(struct sk_buff *skb, int offset, __be16 protocol, u32 ecn)
{
	bool v4 = protocol == htons(ETH_P_IP);
	int len = v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	u8 keep = (u8)~INET_ECN_MASK;
	u8 *ip;

	if ((skb_headlen(skb) < offset + len || skb_cloned(skb)) &&
	    skb_ensure_writable(skb, offset + len))
		return false;
	ip = skb->data + offset;
	if (v4) {
		ipv4_change_dsfield((struct iphdr *)ip, keep, ecn);
		return true;
	}
	/* The IPv4 header has a checksum, which makes up for the change. */
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	ipv6_change_dsfield((struct ipv6hdr *)ip, keep, ecn);
	return true;
}
