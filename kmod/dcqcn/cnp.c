// SPDX-License-Identifier: GPL-2.0
/*
 * CNPs, congestion notification packets (RoCEv2 annex A17): the receiver of a packet with CE
 * sends one to the sender of the packet, whose NIC reduces the rate of the flow. A CNP has
 * the opcode 0x81, BECN, and 16 reserved bytes of 0. There is no ACK for it.
 *
 * A packet does not contain the QP of its sender, which is known from responses
 * (flow/flow.c). Until it is known, and always for UC, which has no responses, no CNP can be
 * sent, and the packet is counted.
 */
#include <linux/if_ether.h>
#include <linux/ktime.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>

#include "../fault/fault.h"
#include "../flow/flow.h"
#include "../rocev2/rocev2.h"
#include "cnp.h"

#define OPCODE_CNP	0x81
/* Reserved bytes after the BTH */
#define CNP_RESERVED	16
/* The opcodes of RC and UC are below */
#define OPCODE_RD	0x40

/* As it is after the rules, which can have marked the packet */
static bool cnp_has_ce(const struct rf_ctx *ctx)
{
	__be16 protocol = htons(ctx->pkt->desc.addr_len == 4 ? ETH_P_IP : ETH_P_IPV6);

	return rf_ecn_get(ctx->skb, ctx->pkt->ip, protocol) == INET_ECN_CE;
}

/* Return: false if the CNP cannot be sent. */
static bool cnp_make(struct rf_ctx *ctx, u32 qp)
{
	static const u8 reserved[CNP_RESERVED];
	const struct rf_reply reply = {
		.opcode = OPCODE_CNP,
		.qp = qp,
		.becn = true,
		.headers = reserved,
		.len = sizeof(reserved),
		.dscp = ctx->dir->np->dscp,
	};

	return rf_reply_make(ctx, &reply);
}

static enum rf_stat cnp_answer(struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	struct rf_cnp_point *np = ctx->dir->np;
	u64 key = rf_np_key(np->scope, desc->saddr, desc->daddr, desc->qp, rf_hash_key);
	u32 qp;

	if (!rf_flow_peer(ctx->dir->flows, desc, &qp))
		return RF_STAT_CNPS_UNSENT;
	switch (rf_np_mark(&np->np, key, np->interval, ktime_get_ns())) {
	case RF_NP_TOO_SOON:
		return RF_STAT_CNPS_SUPPRESSED;
	case RF_NP_FULL:
		return RF_STAT_CNPS_UNSENT;
	case RF_NP_SEND:
		break;
	}
	return cnp_make(ctx, qp) ? RF_STAT_CNPS_SENT : RF_STAT_CNPS_UNSENT;
}

/* @qp: the destination QP of the flow that the CNP is about */
static void cnp_trace(const struct rf_dir *dir, bool received, const struct rf_desc *desc, u32 qp)
{
	const struct rf_trace_cnp cnp = {
		.received = received,
		.addr_len = desc->addr_len,
		.saddr = received ? desc->daddr : desc->saddr,
		.daddr = received ? desc->saddr : desc->daddr,
		.qp = qp,
	};

	trace_rf_cnp(dir->dev, &cnp);
}

/**
 * rf_cnp_notify - make a CNP if a packet that has passed the rules needs one
 * @ctx: the packet, of a direction with a notification point
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_cnp_notify(struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	enum rf_stat result;

	if (!desc->position || desc->opcode >= OPCODE_RD || desc->qp == RF_QP_GSI ||
	    !cnp_has_ce(ctx))
		return;
	rf_stats_inc(ctx->dir->stats, RF_STAT_CE);
	result = cnp_answer(ctx);
	rf_stats_inc(ctx->dir->stats, result);
	if (result == RF_STAT_CNPS_SENT)
		cnp_trace(ctx->dir, false, desc, desc->qp);
}

/* From the IP header of a CNP to the end of its ICRC */
#define CNP_LEN_MAX	(60 + sizeof(struct udphdr) + RF_BTH_LEN + CNP_RESERVED + RF_ICRC_LEN)

/* A NIC drops a CNP that was damaged, which a rule can do, too. */
static bool cnp_is_intact(const struct sk_buff *skb, const struct rf_pkt *pkt)
{
	u32 len = pkt->end - pkt->ip;
	u8 copy[CNP_LEN_MAX];

	if (len > sizeof(copy) || skb_copy_bits(skb, pkt->ip, copy, len))
		return false;
	len -= RF_ICRC_LEN;
	return rf_icrc(copy, pkt->udp - pkt->ip, len) == get_unaligned_le32(copy + len);
}

/*
 * Find the destination QP of the flow that a CNP is about. The CNP has only the QP that sends
 * this flow: requests, or responses to requests that arrive.
 */
static bool cnp_find_qp(struct rf_dir *dir, const struct rf_desc *cnp, u32 *qp)
{
	struct rf_dir *tx = dir->other;
	bool found;

	spin_lock(&tx->lock);
	found = rf_flow_of_sender(tx->flows, cnp, qp);
	spin_unlock(&tx->lock);
	if (found)
		return true;
	spin_lock(&dir->lock);
	found = rf_flow_requester(dir->flows, cnp, qp);
	spin_unlock(&dir->lock);
	return found;
}

/**
 * rf_cnp_receive - let the flow of a CNP react
 * @dir: the rx direction
 * @tap: gets the CNP
 * @skb: a packet that the rules have passed
 *
 * The port of a bridge also tracks flows that other ports send. It leaves their CNPs to them.
 *
 * Return: false if the packet is no CNP for this port, or if CNPs are not obeyed.
 */
bool rf_cnp_receive(struct rf_dir *dir, struct rf_tap *tap, const struct sk_buff *skb)
{
	struct rf_headers headers __uninitialized;
	bool (*react)(struct rf_tap *tap, const struct rf_desc *cnp, u32 qp);
	struct rf_pkt pkt __uninitialized;
	u32 qp;

	react = READ_ONCE(tap->cnp);
	if (!react || skb->pkt_type != PACKET_HOST ||
	    rf_packet_find(skb, skb_network_offset(skb), skb->protocol, &headers) !=
		    RF_SEEN_ROCE ||
	    !(headers.op->classes & RDMAFAULT_CLASS_CNP))
		return false;
	rf_packet_read(skb, &headers, rcu_dereference_bh(dir->dscp_prio), &pkt);
	if (cnp_is_intact(skb, &pkt) && cnp_find_qp(dir, &pkt.desc, &qp) &&
	    react(tap, &pkt.desc, qp)) {
		rf_stats_inc(dir->stats, RF_STAT_CNPS_RECEIVED);
		cnp_trace(dir, true, &pkt.desc, qp);
	} else {
		rf_stats_inc(dir->stats, RF_STAT_CNPS_REFUSED);
	}
	return true;
}
