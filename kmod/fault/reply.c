// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that are sent to the sender of a packet, without a change of that packet: NAKs,
 * RNR NAKs and CNPs. A reply has the headers of the packet with the addresses exchanged, a
 * BTH to the sender's QP, and the ICRC.
 *
 * The reply to a packet that leaves arrives at its netdev, and the reply to a packet that
 * arrives leaves from its netdev. In both cases it passes the hooks of the port like any
 * other packet.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "../rocev2/rocev2.h"
#include "fault.h"

#define HOPS		64
#define REPLY_LEN(reply)	(RF_BTH_LEN + (reply)->len + RF_ICRC_LEN)

static void reply_set_mac(u8 *mac)
{
	u8 from[ETH_ALEN];

	memcpy(from, mac + ETH_ALEN, ETH_ALEN);
	memcpy(mac + ETH_ALEN, mac, ETH_ALEN);
	memcpy(mac, from, ETH_ALEN);
}

/* The header can differ from the one that was parsed: see rf_mangle_ip_check(). */
static void reply_set_ip(u8 *ip, const struct rf_pkt *pkt, const struct rf_reply *reply, u32 len)
{
	struct ipv6hdr *ip6 = (struct ipv6hdr *)ip;
	struct iphdr *ip4 = (struct iphdr *)ip;

	if (pkt->desc.addr_len == 4) {
		swap(ip4->saddr, ip4->daddr);
		ip4->tot_len = htons(len);
		ip4->ttl = HOPS;
		if (reply->dscp >= 0)
			ip4->tos = reply->dscp << 2;
		rf_mangle_ip_check(ip4, pkt->udp - pkt->ip);
	} else {
		swap(ip6->saddr, ip6->daddr);
		ip6->payload_len = htons(len - sizeof(*ip6));
		ip6->hop_limit = HOPS;
		if (reply->dscp >= 0)
			ipv6_change_dsfield(ip6, 0, reply->dscp << 2);
	}
}

/* The P_Key stays that of the packet. */
static void reply_set_bth(u8 *bth, const struct rf_reply *reply)
{
	bth[0] = reply->opcode;
	bth[1] = 0;
	rf_mangle_put(bth + 4, reply->becn ? RF_BTH_BECN | reply->qp : reply->qp, 4);
	rf_mangle_put(bth + 8, reply->psn, 4);
	memcpy(bth + RF_BTH_LEN, reply->headers, reply->len);
}

/* A tag has the priority of the reply. */
static void reply_set_tag(struct sk_buff *skb, const struct rf_ctx *ctx,
			  const struct rf_reply *reply)
{
	const u8 *dscp_prio = rcu_dereference_bh(ctx->dir->dscp_prio);
	u16 tci = skb_vlan_tag_get(ctx->skb);

	if (reply->dscp >= 0)
		tci = (tci & ~VLAN_PRIO_MASK) | dscp_prio[reply->dscp] << VLAN_PRIO_SHIFT;
	__vlan_hwaccel_put_tag(skb, ctx->skb->vlan_proto, tci);
}

/* Copy the headers of the packet up to the BTH, into an skb with room for the rest. */
static struct sk_buff *reply_alloc(const struct rf_ctx *ctx, const struct rf_reply *reply,
				   u32 mac_len)
{
	const struct rf_pkt *pkt = ctx->pkt;
	u32 headers = mac_len + pkt->bth - pkt->ip + RF_BTH_LEN;
	u32 len = headers - RF_BTH_LEN + REPLY_LEN(reply);
	struct sk_buff *skb;

	skb = alloc_skb(LL_MAX_HEADER + len, GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb_reserve(skb, LL_MAX_HEADER);
	skb_put_zero(skb, len);
	if (skb_copy_bits(ctx->skb, (int)pkt->ip - (int)mac_len, skb->data, headers)) {
		kfree_skb(skb);
		return NULL;
	}
	if (skb_vlan_tag_present(ctx->skb))
		reply_set_tag(skb, ctx, reply);
	return skb;
}

/**
 * rf_reply_make - make a packet for the sender of a packet
 * @ctx: the packet, which has no reply yet
 * @reply: the reply
 *
 * Context: softirq or BH off.
 * Return: true if @ctx has the reply now, false if there is no memory.
 */
bool rf_reply_make(struct rf_ctx *ctx, const struct rf_reply *reply)
{
	const struct rf_pkt *pkt = ctx->pkt;
	int mac_len = (int)pkt->ip - skb_mac_offset(ctx->skb);
	struct sk_buff *skb = reply_alloc(ctx, reply, mac_len);
	u32 headers = pkt->udp - pkt->ip, len;
	struct udphdr *udp;
	u8 *ip, *bth, *icrc;
	u32 crc;

	if (!skb)
		return false;
	ip = skb->data + mac_len;
	udp = (struct udphdr *)(ip + headers);
	bth = ip + pkt->bth - pkt->ip;
	icrc = bth + RF_BTH_LEN + reply->len;
	len = icrc - ip;

	reply_set_mac(skb->data);
	reply_set_ip(ip, pkt, reply, len + RF_ICRC_LEN);
	udp->len = htons(sizeof(*udp) + REPLY_LEN(reply));
	udp->check = 0;
	reply_set_bth(bth, reply);
	crc = rf_icrc(ip, headers, len);
	rf_mangle_put(icrc, swab32(crc), RF_ICRC_LEN);

	skb_reset_mac_header(skb);
	skb_set_network_header(skb, mac_len);
	skb->dev = ctx->dir->dev;
	ctx->reply = skb;
	return true;
}

/**
 * rf_reply_send - send the reply to a packet
 * @ctx: the packet
 *
 * Context: softirq or BH off; no lock of the module held.
 */
void rf_reply_send(struct rf_ctx *ctx)
{
	struct net_device *dev = ctx->dir->dev;
	struct sk_buff *skb = ctx->reply;

	ctx->reply = NULL;
	rf_trace_sent(skb, dev, ctx->dir->other->direction, 0);
	if (ctx->dir->direction == RF_TX) {
		skb->protocol = eth_type_trans(skb, dev);
		netif_rx(skb);
	} else {
		skb->protocol = eth_hdr(skb)->h_proto;
		dev_queue_xmit(skb);
	}
}
