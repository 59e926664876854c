// SPDX-License-Identifier: GPL-2.0
/*
 * Does what the actions have asked for outside of the packet, when all rules
 * have been asked and the lock of the direction is free: the packet goes into
 * the hold, its copies behind it, an answer goes back to its sender.
 *
 * Copies go through the hold even if they shall follow at once: the hook that
 * has brought the packet sends it on after this, and then looks into the hold.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>

#include "fault/nak.h"
#include "fault/skb_cb.h"
#include "rocev2/packet.h"
#include "port.h"
#include "trace.h"

static struct rf_label label_of(const struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_label){
		.seq = ctx->seq,
		.rule = ctx->holder,
		.qp = desc->qp,
		.psn = desc->psn,
		.opcode = desc->opcode,
		.attempt = desc->attempt,
		.len = desc->len,
	};
}

static struct rf_parking parking_of(const struct rf_ctx *ctx)
{
	u64 cap = READ_ONCE(ctx->dir->port->max_hold);
	struct rf_parking parking = {
		.skb = ctx->skb,
		.label = label_of(ctx),
		.flow = ctx->pkt->desc.flow_id,
		/* A rule may have been made since */
		.came = ctx->came ?: ktime_get_ns(),
		.delay = min(ctx->delay, cap),
		.keep_order = ctx->keep_order,
		.wait = ctx->wait,
	};

	parking.wait.within = min(parking.wait.within, cap);
	return parking;
}

static enum rf_verdict no_room(struct rf_ctx *ctx, int err)
{
	if (err == -ENOBUFS) {
		rf_stats_inc(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		return RF_DROP;
	}
	rf_stats_inc(ctx->dir->stats, RF_STAT_UNCHANGED);
	return RF_PASS;
}

static enum rf_verdict delay(struct rf_ctx *ctx)
{
	struct rf_parking parking = parking_of(ctx);
	int err = rf_delayq_enqueue(&ctx->dir->delayq, &parking);

	if (err)
		return no_room(ctx, err);
	trace_rf_hold(ctx->dir, &parking.label, parking.delay);
	if (ctx->wait.asked)
		rf_stats_inc(ctx->dir->stats, RF_STAT_REORDERED);
	else
		rf_stats_inc(ctx->dir->stats, RF_STAT_DELAYED);
	return RF_DELAYED;
}

/* Each carries in its cb how long after the packet's coming it follows. */
static void hold_copies(struct rf_ctx *ctx)
{
	struct rf_parking parking = parking_of(ctx);
	u64 cap = READ_ONCE(ctx->dir->port->max_hold);
	struct sk_buff *copy;

	parking.is_copy = true;
	parking.wait.asked = false;
	while ((copy = ctx->copies)) {
		ctx->copies = copy->next;
		skb_mark_not_on_list(copy);
		parking.skb = copy;
		parking.delay = min(*rf_copy_delay(copy), cap);
		if (!rf_delayq_enqueue(&ctx->dir->delayq, &parking)) {
			rf_stats_inc(ctx->dir->stats, RF_STAT_DUPLICATED);
			continue;
		}
		rf_stats_inc(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		kfree_skb(copy);
	}
}

/**
 * rf_settle - do what the actions of all rules have asked for
 * @ctx: the packet
 * @verdict: what became of it in the rules, RF_PASS or RF_DROP
 *
 * Context: softirq or BH off, no lock of ours held.
 * Return: what becomes of it; after RF_DELAYED its skb is not ours any more.
 */
enum rf_verdict rf_settle(struct rf_ctx *ctx, enum rf_verdict verdict)
{
	struct rf_delayq *parked = &ctx->dir->delayq;

	if (verdict == RF_PASS && ctx->delayed)
		verdict = delay(ctx);
	if (verdict == RF_PASS && rf_delayq_is_waited(parked))
		rf_delayq_passed(parked, ctx->pkt->desc.flow_id,
			       ctx->pkt->desc.psn, ctx->came ?: U64_MAX);
	if (ctx->copies)
		hold_copies(ctx);
	if (ctx->answer)
		rf_answer_send(ctx);
	return verdict;
}
