// SPDX-License-Identifier: GPL-2.0
/*
 * Change a packet. Its data may be shared (with a capture, or by a bridge that
 * floods), so rf_edit_begin() first makes a private, linear copy.
 *
 * RoCEv2 packets rarely have a UDP checksum. If there is one, a receiver that checks
 * it before the ICRC would drop a changed packet. So it is removed.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/ip.h>

#include "../compat/qdisc.h"
#include "mangle.h"
#include "icrc.h"
#include "packet.h"
#include "../port.h"
#include "../rule/ruleset.h"

/**
 * rf_edit_not - count a packet that an action could not change
 * @ctx: the packet
 *
 * Context: softirq or BH off.
 */
void rf_edit_not(struct rf_ctx *ctx)
{
	rf_stats_inc(ctx->dir->stats, RF_STAT_UNCHANGED);
	ctx->rule->tally.unchanged++;
}

/**
 * rf_edit_begin - make the data of a packet writable and linear
 * @ctx: the packet
 *
 * Context: softirq or BH off.
 * Return: the data, to which all offsets of the packet refer; NULL if there is no
 * memory, which is counted.
 */
u8 *rf_edit_begin(struct rf_ctx *ctx)
{
	struct sk_buff *skb = ctx->skb;
	struct udphdr *udp;

	if (skb_ensure_writable(skb, ctx->end)) {
		rf_edit_not(ctx);
		return NULL;
	}
	udp = (struct udphdr *)(skb->data + ctx->pkt->udp);
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
 * rf_edit_icrc - compute the ICRC again
 * @ctx: the packet, after rf_edit_begin()
 *
 * Context: softirq or BH off.
 */
void rf_edit_icrc(struct rf_ctx *ctx)
{
	const struct rf_pkt *pkt = ctx->pkt;
	u8 *ip = ctx->skb->data + pkt->ip;
	u32 len = ctx->end - RF_ICRC_LEN - pkt->ip;

	u32 icrc = rf_icrc(ip, pkt->udp - pkt->ip, len);
	int i;

	for (i = 0; i < RF_ICRC_LEN; i++)
		ip[len + i] = icrc >> 8 * i;
}

/**
 * rf_edit_put - write a number in network byte order
 * @to: destination
 * @value: the number
 * @bytes: size of the number
 *
 * Context: any.
 */
void rf_edit_put(u8 *to, u32 value, int bytes)
{
	for (; bytes; value >>= 8)
		to[--bytes] = value;
}

/**
 * rf_edit_ip_check - compute the checksum of an IPv4 header again
 * @ip: the header
 * @len: bytes of the header with its options
 *
 * The length in the header is not used: a sender can change the pages that it sends
 * (packet(7), PACKET_TX_RING) after the length was checked.
 *
 * Context: any.
 */
void rf_edit_ip_check(struct iphdr *ip, u32 len)
{
	ip->check = 0;
	ip->check = ip_fast_csum(ip, len / 4);
}

static void set_lengths(struct rf_ctx *ctx, u8 *data)
{
	const struct rf_pkt *pkt = ctx->pkt;
	struct udphdr *udp = (struct udphdr *)(data + pkt->udp);
	struct ipv6hdr *ip6 = (struct ipv6hdr *)(data + pkt->ip);
	struct iphdr *ip = (struct iphdr *)(data + pkt->ip);

	udp->len = htons(ctx->end - pkt->udp);
	if (pkt->desc.addr_len == 4) {
		ip->tot_len = htons(ctx->end - pkt->ip);
		rf_edit_ip_check(ip, pkt->udp - pkt->ip);
	} else {
		ip6->payload_len = htons(ctx->end - pkt->udp);
	}
}

/**
 * rf_edit_cut - truncate the payload
 * @ctx: the packet
 * @payload: new length of the payload, not longer than it is
 *
 * The new payload is padded to a multiple of four bytes. The packet ends with the old
 * ICRC. The lengths in the IP and UDP headers are changed.
 *
 * A sender may have padded wrongly. A packet that would become longer with the right
 * padding stays unchanged, and is counted.
 *
 * Context: softirq or BH off.
 * Return: as rf_edit_begin().
 */
u8 *rf_edit_cut(struct rf_ctx *ctx, u32 payload)
{
	const struct rf_pkt *pkt = ctx->pkt;
	u32 icrc_at = pkt->bth + pkt->desc.headers + round_up(payload, 4);
	u32 old_at = ctx->end - RF_ICRC_LEN;
	u32 pad = -payload & 3;
	u8 *data;

	if (icrc_at > old_at) {
		rf_edit_not(ctx);
		return NULL;
	}
	data = rf_edit_begin(ctx);
	if (!data)
		return NULL;
	memmove(data + icrc_at, data + old_at, RF_ICRC_LEN);
	memset(data + icrc_at - pad, 0, pad);
	ctx->end = icrc_at + RF_ICRC_LEN;
	data[pkt->bth + 1] = (data[pkt->bth + 1] & ~0x30) | pad << 4;
	set_lengths(ctx, data);
	/* If this fails, receivers take the rest for the padding of a short frame. */
	if (!pskb_trim(ctx->skb, ctx->end) && ctx->dir->direction == RF_TX)
		rf_qdisc_frame_cut(ctx->skb, old_at - icrc_at);
	return data;
}
