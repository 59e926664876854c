// SPDX-License-Identifier: GPL-2.0
/*
 * An ACK in the responder's stead (IBTA vol. 1, 9.7.5): the headers of
 * the request with the addresses exchanged, a BTH to the requester's QP with
 * the PSN of the request, an AETH.
 *
 * The answer to a packet that leaves arrives at its netdev; that to a packet
 * that arrives leaves from there. In both cases it comes through the hooks of
 * the port like any other packet.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/ip.h>

#include "nak.h"
#include "../rocev2/mangle.h"
#include "../rocev2/icrc.h"
#include "../rocev2/packet.h"

#define RC_ACKNOWLEDGE	0x11
#define HOPS		64

/* From the BTH to the ICRC. */
#define ANSWER_LEN	(RF_BTH_LEN + RF_AETH_LEN + RF_ICRC_LEN)

static void turn_mac(u8 *mac)
{
	u8 from[ETH_ALEN];

	memcpy(from, mac + ETH_ALEN, ETH_ALEN);
	memcpy(mac + ETH_ALEN, mac, ETH_ALEN);
	memcpy(mac, from, ETH_ALEN);
}

/* The bytes may differ from those that were read: see rf_mangle_ip_check(). */
static void turn_ip(u8 *ip, const struct rf_pkt *pkt, u32 len)
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

static void turn_udp(u8 *header)
{
	struct udphdr *udp = (struct udphdr *)header;

	udp->len = htons(sizeof(*udp) + ANSWER_LEN);
	udp->check = 0;
}

/* The P_Key stays as the request has it. */
static void turn_bth(u8 *bth, const struct rf_desc *request, u32 qp,
		     u8 syndrome)
{
	/* Messages that were done with before this one. */
	u32 msn = request->message ? request->message - 1 : 0;

	bth[0] = RC_ACKNOWLEDGE;
	bth[1] = 0;
	rf_mangle_put(bth + 4, qp, 4);
	rf_mangle_put(bth + 8, request->psn, 4);
	bth[RF_BTH_LEN] = syndrome;
	rf_mangle_put(bth + RF_BTH_LEN + 1, msn, 3);
}

/* The request's headers, BTH included, into an skb with room for the rest. */
static struct sk_buff *copy_headers(const struct rf_ctx *ctx, u32 mac_len)
{
	const struct rf_pkt *pkt = ctx->pkt;
	u32 headers = mac_len + pkt->bth - pkt->ip + RF_BTH_LEN;
	u32 len = headers - RF_BTH_LEN + ANSWER_LEN;
	struct sk_buff *skb = ctx->skb, *answer;

	answer = alloc_skb(LL_MAX_HEADER + len, GFP_ATOMIC | __GFP_NOWARN);
	if (!answer)
		return NULL;
	skb_reserve(answer, LL_MAX_HEADER);
	skb_put_zero(answer, len);
	if (skb_copy_bits(skb, (int)pkt->ip - (int)mac_len, answer->data,
			  headers)) {
		kfree_skb(answer);
		return NULL;
	}
	if (skb_vlan_tag_present(skb))
		__vlan_hwaccel_put_tag(answer, skb->vlan_proto,
				       skb_vlan_tag_get(skb));
	return answer;
}

/**
 * rf_answer_make - an answer to a request
 * @ctx: the request
 * @qp: the QP that has sent it
 * @syndrome: of the AETH
 *
 * Context: softirq or BH off.
 * Return: the answer, from the MAC header on; NULL for want of memory.
 */
struct sk_buff *rf_answer_make(const struct rf_ctx *ctx, u32 qp, u8 syndrome)
{
	const struct rf_pkt *pkt = ctx->pkt;
	int mac_len = (int)pkt->ip - skb_mac_offset(ctx->skb);
	struct sk_buff *answer = copy_headers(ctx, mac_len);
	u32 headers = pkt->udp - pkt->ip, len;
	u8 *ip, *bth, *icrc;
	u32 crc;

	if (!answer)
		return NULL;
	ip = answer->data + mac_len;
	bth = ip + pkt->bth - pkt->ip;
	icrc = bth + ANSWER_LEN - RF_ICRC_LEN;
	len = icrc - ip;

	turn_mac(answer->data);
	turn_ip(ip, pkt, len + RF_ICRC_LEN);
	turn_udp(ip + headers);
	turn_bth(bth, &pkt->desc, qp, syndrome);
	crc = rf_icrc(ip, headers, len);
	rf_mangle_put(icrc, swab32(crc), RF_ICRC_LEN);

	skb_reset_mac_header(answer);
	skb_set_network_header(answer, mac_len);
	answer->dev = ctx->dir->dev;
	return answer;
}

/**
 * rf_answer_send - send a job's answer
 * @ctx: the request
 *
 * Context: softirq or BH off; no lock of ours held but, for a packet that
 * leaves, that of the qdisc.
 */
void rf_answer_send(struct rf_ctx *ctx)
{
	struct net_device *dev = ctx->dir->dev;
	struct sk_buff *answer = ctx->answer;

	ctx->answer = NULL;
	rf_stats_inc(ctx->dir->stats, RF_STAT_ANSWERED);
	if (ctx->dir->direction == RF_TX) {
		answer->protocol = eth_type_trans(answer, dev);
		netif_rx(answer);
	} else {
		answer->protocol = eth_hdr(answer)->h_proto;
		dev_queue_xmit(answer);
	}
}
