// SPDX-License-Identifier: GPL-2.0
/*
 * Tells what happens to a packet: to the counters of its direction, and to
 * those who have switched a tracepoint on.
 *
 * A packet is told of as it came. So its bytes are copied before any action
 * may change them, and the records are made when it is known what has become
 * of it. Nothing is copied while nobody listens.
 */
#include <linux/atomic.h>
#include <linux/if_vlan.h>
#include <linux/slab.h>

#include "tell.h"
#include "trace.h"

/* Of all ports and directions: a packet that crosses two has two numbers. */
static atomic64_t last_seq;

/**
 * rf_tell_is_heard - does anybody listen?
 *
 * Context: any; a moment later it may be otherwise.
 * Return: true if one of the tracepoints about packets is on.
 */
bool rf_tell_is_heard(void)
{
	return trace_rf_hit_enabled() || trace_rf_retransmit_enabled() ||
	       trace_rf_nak_enabled() || trace_rf_hold_enabled() ||
	       trace_rf_release_enabled() || trace_rf_packet_enabled();
}

/*
 * The frame as it was on the wire: a tag that was taken off stands again
 * between the addresses and the EtherType.
 */
static int copy_frame(const struct sk_buff *skb, int mac, u8 *to, u32 tag)
{
	const u32 addrs = 2 * ETH_ALEN;
	struct vlan_hdr *vlan = (struct vlan_hdr *)(to + addrs);
	int err;

	err = skb_copy_bits(skb, mac, to, addrs);
	if (tag) {
		/* In the frame, the TPID comes first and then the TCI. */
		put_unaligned(skb->vlan_proto, (__be16 *)vlan);
		put_unaligned_be16(skb_vlan_tag_get(skb), (__be16 *)vlan + 1);
	}
	return err ?: skb_copy_bits(skb, mac + addrs, to + addrs + tag,
				    skb->len - mac - addrs);
}

/* Without memory the packet is told of with its length and no bytes. */
static void keep_bytes(struct rf_ctx *ctx)
{
	const struct sk_buff *skb = ctx->skb;
	u32 tag = skb_vlan_tag_present(skb) ? VLAN_HLEN : 0;
	int mac = skb_mac_offset(skb);

	ctx->bytes_len = skb->len - mac + tag;
	ctx->bytes = kmalloc(ctx->bytes_len, GFP_ATOMIC | __GFP_NOWARN);
	if (ctx->bytes && copy_frame(skb, mac, ctx->bytes, tag)) {
		kfree(ctx->bytes);
		ctx->bytes = NULL;
	}
}

/**
 * rf_tell_came - a packet has come; before anything is done to it
 * @ctx: gets the packet's number and, if they will be told, its bytes
 *
 * Context: softirq or BH off.
 */
void rf_tell_came(struct rf_ctx *ctx)
{
	if (!rf_tell_is_heard())
		return;
	ctx->seq = atomic64_inc_return(&last_seq);
	if (trace_rf_packet_enabled())
		keep_bytes(ctx);
}

static void tell_retransmit(const struct rf_ctx *ctx)
{
	struct rf_stats __percpu *stats = ctx->dir->stats;

	rf_stats_inc(stats, RF_STAT_RETRANSMITTED);
	rf_stats_add(stats, RF_STAT_RETRANSMITTED_BYTES, ctx->pkt->desc.len);
	trace_rf_retransmit(ctx);
}

static void tell_nak(const struct rf_ctx *ctx, enum rf_stat stat)
{
	rf_stats_inc(ctx->dir->stats, stat);
	trace_rf_nak(ctx);
}

/**
 * rf_tell_seen - what a packet is, is known now; it is counted
 * @ctx: the packet, with what its flow tells
 *
 * Context: softirq or BH off.
 */
void rf_tell_seen(const struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	if (desc->attempt > 1)
		tell_retransmit(ctx);
	if (desc->classes & RDMAFAULT_CLASS_NAK)
		tell_nak(ctx, RF_STAT_NAKS);
	else if (desc->classes & RDMAFAULT_CLASS_RNR)
		tell_nak(ctx, RF_STAT_RNRS);
}

/**
 * rf_tell_went - a packet has been decided on
 * @ctx: the packet; its skb may be gone
 * @verdict: what became of it
 *
 * Context: softirq or BH off.
 */
void rf_tell_went(struct rf_ctx *ctx, enum rf_verdict verdict)
{
	u32 len = ctx->bytes ? ctx->bytes_len : 0;
	u32 offset = 0, chunk;

	if (!ctx->bytes_len)
		return;
	do {
		chunk = min(len - offset,
			    offset ? RF_TELL_CHUNK : RF_TELL_HEAD);
		trace_rf_packet(ctx, verdict, offset, chunk);
		offset += chunk;
	} while (offset < len);
	kfree(ctx->bytes);
}
