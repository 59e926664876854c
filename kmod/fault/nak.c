// SPDX-License-Identifier: GPL-2.0
/*
 * nak and rnr: the request is dropped, and its sender gets a NAK or an RNR NAK that is
 * forged on behalf of the responder (IBTA vol. 1, 9.7.5): the headers of the request
 * with the addresses exchanged, a BTH to the requester's QP with the PSN of the request,
 * and an AETH.
 *
 * A request does not contain the QP of its sender. The rule can name it; otherwise it is
 * known from earlier responses (flow/flow.c). Until it is known, requests pass.
 *
 * The NAK for a packet that leaves arrives at its netdev, and the NAK for a packet that
 * arrives leaves from its netdev. In both cases it passes the hooks of the port like any
 * other packet.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/ip.h>

#include "../flow/flow.h"
#include "../rocev2/rocev2.h"
#include "../rule/rule.h"
#include "fault.h"

/* Upper bits of the AETH syndrome (IBTA vol. 1, table 49) */
#define SYNDROME_RNR	0x20
#define SYNDROME_NAK	0x60

/* 0.64 ms (IBTA vol. 1, table 51) */
#define RNR_TIMER	12

#define RC_ACKNOWLEDGE	0x11
#define RC_OPCODES	0x20
#define HOPS		64

/* From the BTH to the ICRC */
#define NAK_LEN		(RF_BTH_LEN + RF_AETH_LEN + RF_ICRC_LEN)

static u8 nak_syndrome(const struct rf_action *action)
{
	if (action->type == RDMAFAULT_ACTION_NAK)
		return SYNDROME_NAK | action->code;
	return SYNDROME_RNR | (RF_ACTION_HAS(action, CODE) ? action->code : RNR_TIMER);
}

/* Only the responder of an RC service sends ACKs and NAKs. */
static bool nak_find_requester(const struct rf_ctx *ctx, const struct rf_action *action,
			       u32 *qp)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	if (desc->opcode >= RC_OPCODES || desc->response || desc->qp == RF_QP_GSI)
		return false;
	*qp = action->peer_qp;
	return RF_ACTION_HAS(action, PEER_QP) || rf_flow_peer(ctx->dir->flows, desc, qp);
}

static void nak_set_mac(u8 *mac)
{
	u8 from[ETH_ALEN];

	memcpy(from, mac + ETH_ALEN, ETH_ALEN);
	memcpy(mac + ETH_ALEN, mac, ETH_ALEN);
	memcpy(mac, from, ETH_ALEN);
}

/* The header can differ from the one that was parsed: see rf_mangle_ip_check(). */
static void nak_set_ip(u8 *ip, const struct rf_pkt *pkt, u32 len)
{
	struct ipv6hdr *ip6 = (struct ipv6hdr *)ip;
	struct iphdr *ip4 = (struct iphdr *)ip;

	if (pkt->desc.addr_len == 4) {
		swap(ip4->saddr, ip4->daddr);
		ip4->tot_len = htons(len);
		ip4->ttl = HOPS;
		rf_mangle_ip_check(ip4, pkt->udp - pkt->ip);
	} else {
		swap(ip6->saddr, ip6->daddr);
		ip6->payload_len = htons(len - sizeof(*ip6));
		ip6->hop_limit = HOPS;
	}
}

/* The P_Key stays that of the request. */
static void nak_set_bth(u8 *bth, const struct rf_desc *request, u32 qp, u8 syndrome)
{
	/* Number of messages that were completed before this one */
	u32 msn = request->message ? request->message - 1 : 0;

	bth[0] = RC_ACKNOWLEDGE;
	bth[1] = 0;
	rf_mangle_put(bth + 4, qp, 4);
	rf_mangle_put(bth + 8, request->psn, 4);
	bth[RF_BTH_LEN] = syndrome;
	rf_mangle_put(bth + RF_BTH_LEN + 1, msn, 3);
}

/* Copy the headers of the request up to the BTH, into an skb with room for the rest. */
static struct sk_buff *nak_alloc(const struct rf_ctx *ctx, u32 mac_len)
{
	const struct rf_pkt *pkt = ctx->pkt;
	u32 headers = mac_len + pkt->bth - pkt->ip + RF_BTH_LEN;
	u32 len = headers - RF_BTH_LEN + NAK_LEN;
	struct sk_buff *skb = ctx->skb, *nak;

	nak = alloc_skb(LL_MAX_HEADER + len, GFP_ATOMIC | __GFP_NOWARN);
	if (!nak)
		return NULL;
	skb_reserve(nak, LL_MAX_HEADER);
	skb_put_zero(nak, len);
	if (skb_copy_bits(skb, (int)pkt->ip - (int)mac_len, nak->data,
			  headers)) {
		kfree_skb(nak);
		return NULL;
	}
	if (skb_vlan_tag_present(skb))
		__vlan_hwaccel_put_tag(nak, skb->vlan_proto,
				       skb_vlan_tag_get(skb));
	return nak;
}

/* Return: the NAK, from the MAC header on, or NULL if there is no memory. */
static struct sk_buff *nak_make(const struct rf_ctx *ctx, u32 qp, u8 syndrome)
{
	const struct rf_pkt *pkt = ctx->pkt;
	int mac_len = (int)pkt->ip - skb_mac_offset(ctx->skb);
	struct sk_buff *nak = nak_alloc(ctx, mac_len);
	u32 headers = pkt->udp - pkt->ip, len;
	struct udphdr *udp;
	u8 *ip, *bth, *icrc;
	u32 crc;

	if (!nak)
		return NULL;
	ip = nak->data + mac_len;
	udp = (struct udphdr *)(ip + headers);
	bth = ip + pkt->bth - pkt->ip;
	icrc = bth + NAK_LEN - RF_ICRC_LEN;
	len = icrc - ip;

	nak_set_mac(nak->data);
	nak_set_ip(ip, pkt, len + RF_ICRC_LEN);
	udp->len = htons(sizeof(*udp) + NAK_LEN);
	udp->check = 0;
	nak_set_bth(bth, &pkt->desc, qp, syndrome);
	crc = rf_icrc(ip, headers, len);
	rf_mangle_put(icrc, swab32(crc), RF_ICRC_LEN);

	skb_reset_mac_header(nak);
	skb_set_network_header(nak, mac_len);
	nak->dev = ctx->dir->dev;
	return nak;
}

/**
 * rf_fault_nak - forge a NAK or an RNR NAK for a request
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: RF_DROP, or RF_PASS if the requester's QP is unknown or if there is no memory.
 */
enum rf_verdict rf_fault_nak(struct rf_ctx *ctx, const struct rf_action *action)
{
	u32 qp;

	if (!nak_find_requester(ctx, action, &qp)) {
		rf_stats_inc(ctx->dir->stats, RF_STAT_UNANSWERED);
		ctx->rule->counters.unanswered++;
		return RF_PASS;
	}
	ctx->nak = nak_make(ctx, qp, nak_syndrome(action));
	if (ctx->nak)
		return RF_DROP;
	rf_fault_unchanged(ctx);
	return RF_PASS;
}

/**
 * rf_nak_send - send the NAK of a packet
 * @ctx: the packet
 *
 * Context: softirq or BH off; no lock of the module held.
 */
void rf_nak_send(struct rf_ctx *ctx)
{
	struct net_device *dev = ctx->dir->dev;
	struct sk_buff *nak = ctx->nak;

	ctx->nak = NULL;
	rf_stats_inc(ctx->dir->stats, RF_STAT_ANSWERED);
	rf_trace_sent(nak, dev, ctx->dir->other->direction, 0);
	if (ctx->dir->direction == RF_TX) {
		nak->protocol = eth_type_trans(nak, dev);
		netif_rx(nak);
	} else {
		nak->protocol = eth_hdr(nak)->h_proto;
		dev_queue_xmit(nak);
	}
}
