// SPDX-License-Identifier: GPL-2.0
/*
 * What actions do outside of the packet, after all rules and without the lock of
 * the direction: delay the packet, enqueue its copies, send a NAK to its sender.
 *
 * Copies go through the delay queue even if they follow the packet at once: the
 * hook sends the packet after this, and then the packets that are due.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>

#include "fault/fault.h"
#include "rule/rule.h"
#include "rocev2/packet.h"
#include "trace.h"

static u64 ctx_came(const struct rf_ctx *ctx)
{
	/* A rule may have been added since the packet arrived. */
	return ctx->came ?: ktime_get_ns();
}

/* @delay: nanoseconds from the packet's arrival until its release */
static struct rf_skb_cb ctx_cb(const struct rf_ctx *ctx, u64 came, u64 delay)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_skb_cb){
		.release = came + delay,
		.came = came,
		.flow = desc->flow_id,
		.seq = ctx->frame.seq,
		.len = desc->len,
		.keep_order = ctx->keep_order,
		.rule = ctx->holder,
		.psn = desc->psn,
		.attempt = desc->attempt,
		.qp = desc->qp,
		.opcode = desc->opcode,
	};
}

/**
 * rf_delay - put a packet into the delay queue, and count it
 * @dir: the direction
 * @skb: the packet
 * @cb: its release time, its flow and what the tracepoints need
 * @wait: what else it waits for, or NULL
 *
 * Context: softirq or BH off, no lock of the module held.
 * Return: RF_DELAYED; RF_DROP if the queue is full; RF_PASS if the packet can't be
 * delayed, and goes on unchanged.
 */
enum rf_verdict rf_delay(struct rf_dir *dir, struct sk_buff *skb,
			 const struct rf_skb_cb *cb, const struct rf_wait *wait)
{
	switch (rf_delayq_enqueue(&dir->delayq, skb, cb, wait)) {
	case 0:
		rf_stats_inc(dir->stats, wait ? RF_STAT_REORDERED :
						RF_STAT_DELAYED);
		return RF_DELAYED;
	case -ENOBUFS:
		rf_stats_inc(dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		return RF_DROP;
	default:
		rf_stats_inc(dir->stats, RF_STAT_UNCHANGED);
		return RF_PASS;
	}
}

static enum rf_verdict ctx_delay(struct rf_ctx *ctx)
{
	u64 max_hold = READ_ONCE(ctx->dir->max_hold);
	u64 delay = min(ctx->delay, max_hold);
	const struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), delay);
	enum rf_verdict verdict;
	struct rf_label label;

	ctx->wait.within = min(ctx->wait.within, max_hold);
	verdict = rf_delay(ctx->dir, ctx->skb, &cb,
			   ctx->wait.asked ? &ctx->wait : NULL);
	if (verdict == RF_DELAYED && trace_rf_hold_enabled()) {
		label = rf_skb_cb_label(&cb);
		trace_rf_hold(ctx->dir->dev, ctx->dir->direction, &label,
			      delay);
	}
	return verdict;
}

/* The cb of each copy holds its delay from the packet's arrival on. */
static void ctx_enqueue_copies(struct rf_ctx *ctx)
{
	u64 max_hold = READ_ONCE(ctx->dir->max_hold);
	struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), 0);
	struct sk_buff *copy;

	/* Copies release no waiting packets. */
	cb.flow = 0;
	while ((copy = ctx->copies)) {
		ctx->copies = copy->next;
		skb_mark_not_on_list(copy);
		cb.release = cb.came + min(rf_skb_cb(copy)->release, max_hold);
		if (!rf_delayq_enqueue(&ctx->dir->delayq, copy, &cb, NULL)) {
			rf_stats_inc(ctx->dir->stats, RF_STAT_DUPLICATED);
			continue;
		}
		rf_stats_inc(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		kfree_skb(copy);
	}
}

/**
 * rf_settle - do what the actions of all rules do outside of the packet
 * @ctx: the packet
 * @verdict: the verdict of the rules, RF_PASS or RF_DROP
 *
 * Context: softirq or BH off, no lock of the module held.
 * Return: the verdict; after RF_DELAYED the delay queue owns the packet.
 */
enum rf_verdict rf_settle(struct rf_ctx *ctx, enum rf_verdict verdict)
{
	struct rf_delayq *delayq = &ctx->dir->delayq;

	if (verdict == RF_PASS && ctx->delayed)
		verdict = ctx_delay(ctx);
	if (verdict == RF_PASS && rf_delayq_is_waited(delayq))
		rf_delayq_passed(delayq, ctx->pkt->desc.flow_id,
				 ctx->pkt->desc.psn, ctx->came ?: U64_MAX);
	if (ctx->copies)
		ctx_enqueue_copies(ctx);
	if (ctx->nak)
		rf_nak_send(ctx);
	return verdict;
}
