// SPDX-License-Identifier: GPL-2.0
/*
 * The evaluation of rules for a packet. All packets take the same way, whatever the
 * rules are and whether a tracepoint is enabled:
 *
 *   describe the packet; track its flow; for each rule, oldest first: match, trigger,
 *   actions; then what the actions do outside of the packet
 *
 * A packet is evaluated under the lock of its direction, with one rule set, so it
 * sees all of a change of rules or nothing of it. Each rule that matches counts the
 * packet. A rule that drops the packet ends the evaluation.
 *
 * Rules match the packet as it arrived: the description doesn't change. Actions change
 * the packet as earlier actions have left it.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>

#include "dcqcn/cnp.h"
#include "fault/fault.h"
#include "flow/flow.h"
#include "rocev2/rocev2.h"
#include "rule/rule.h"
#include "trace.h"

static struct rf_draw_key rule_draw_key(const struct rf_rule *rule,
					const struct rf_desc *desc)
{
	return (struct rf_draw_key){
		.base = rule->draw_base,
		.flow = desc->key64,
		.serial = desc->serial,
		.attempt = desc->draw_attempt,
	};
}

/* Sets the age of the rule if it depends on time. */
static bool rule_has_expired(const struct rf_rule *rule, u64 *age)
{
	if (!rule->expires && !rf_trigger_has_window(&rule->trigger))
		return false;
	*age = ktime_get_ns() - rule->born;
	return rule->expires && *age >= rule->expires;
}

static bool rule_hits(struct rf_rule *rule, const struct rf_desc *desc,
		      struct rf_draw_key *draw)
{
	struct rf_trigger_ctx trigger = { .desc = desc, .draw = draw };

	if (!rf_match_true(&rule->match, desc))
		return false;
	if (rule_has_expired(rule, &trigger.age)) {
		rule->counters.matched++;
		rule->counters.missed[RF_MISS_WINDOW]++;
		return false;
	}
	*draw = rule_draw_key(rule, desc);
	if (!rf_trigger_fires(&rule->trigger, &rule->counters, &rule->states,
			      &trigger))
		return false;
	rule->counters.bytes += desc->len;
	return true;
}

static struct rf_trace_packet ctx_trace_packet(const struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_trace_packet){
		.seq = ctx->frame.seq,
		.dev = ctx->dir->dev,
		.dir = ctx->dir->direction,
		.addr_len = desc->addr_len,
		.saddr = desc->saddr,
		.daddr = desc->daddr,
		.qp = desc->qp,
		.psn = desc->psn,
		.psn_rel = desc->psn_rel,
		.opcode = desc->opcode,
		.syndrome = desc->syndrome,
		.classes = desc->classes,
		.position = desc->position,
		.attempt = desc->attempt,
		.flow = desc->flow,
		.message = desc->message,
		.step_message = desc->step_message,
		.packet = desc->packet,
		.step = desc->step,
		.len = desc->len,
	};
}

static noinline void ctx_trace_hit(const struct rf_ctx *ctx)
{
	const struct rf_trace_packet packet = ctx_trace_packet(ctx);
	const struct rf_rule *rule = ctx->rule;
	struct rf_trace_hit hit = {
		.rule = rule->id,
		.count = rule->actions,
		.unchanged = ctx->unchanged,
	};
	u32 i;

	for (i = 0; i < rule->actions; i++) {
		hit.types[i] = rule->action[i].type;
		/* An action that consumes the packet is the last one that was applied. */
		if (i <= ctx->at)
			hit.values[i] = ctx->values[i];
	}
	trace_rf_hit(&packet, &hit);
}

static enum rf_verdict rule_apply(struct rf_ctx *ctx, struct rf_rule *rule)
{
	enum rf_verdict verdict;

	ctx->rule = rule;
	ctx->unchanged = 0;
	verdict = rf_fault_apply(ctx);
	if (trace_rf_hit_enabled())
		ctx_trace_hit(ctx);
	if (!ctx->first_rule)
		ctx->first_rule = rule->id;
	return verdict;
}

static enum rf_verdict rules_apply(struct rf_ctx *ctx,
				   const struct rf_ruleset *rules)
{
	struct rf_dir *dir = ctx->dir;
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_cursor cursor __uninitialized;
	struct rf_index_node *node;

	rf_index_begin(rules->index, &ctx->pkt->desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		if (rule_hits(node->rule, &ctx->pkt->desc, &ctx->draw))
			verdict = rule_apply(ctx, node->rule);
	if (ctx->first_rule)
		rf_stats_inc(dir->stats, RF_STAT_HITS);
	if (verdict == RF_DROP)
		rf_stats_inc(dir->stats, RF_STAT_DROPPED);
	return verdict;
}

/*
 * What listeners and blackholes need must not change what rules do, so the flows that
 * rules need are kept apart. See flow.c.
 */
static enum rf_track decide_why(struct rf_dir *dir, const struct rf_ruleset *rules, u32 qp)
{
	/* Without rules, DCQCN needs all flows. */
	if (!rules || test_bit(RF_NEEDS_ALL, &dir->needs) || rf_qp_filter_has(rules->filter, qp))
		return RF_NEEDED;
	if (rf_trace_enabled())
		set_bit(RF_NEEDS_WATCH, &dir->needs);
	return rf_dir_watches(dir) ? RF_WATCHED : RF_UNTRACKED;
}

static void decide_track(struct rf_dir *dir, const struct rf_ruleset *rules,
			 const struct sk_buff *skb, struct rf_pkt *pkt)
{
	const struct rf_progress *progress = rcu_dereference_bh(dir->progress);
	struct rf_desc *desc = &pkt->desc;
	enum rf_track why = decide_why(dir, rules, desc->qp);
	struct rf_flow *flow;

	if (progress) {
		desc->step = progress->step;
		desc->messages = progress->messages;
		desc->messages_total = progress->messages_total;
	}
	flow = rf_flow_see(dir->flows, why, skb, pkt);
	if (flow && ((rules && rules->ordinals) || rf_trace_enabled()))
		rf_flow_set_ordinals(flow, desc);
	else if (!flow && why != RF_UNTRACKED)
		rf_stats_inc(dir->stats, RF_STAT_FLOWS_LOST);
}

static noinline void ctx_trace_retransmit(const struct rf_ctx *ctx)
{
	const struct rf_trace_packet packet = ctx_trace_packet(ctx);

	trace_rf_retransmit(&packet);
}

static noinline void ctx_trace_nak(const struct rf_ctx *ctx)
{
	const struct rf_trace_packet packet = ctx_trace_packet(ctx);

	trace_rf_nak(&packet);
}

static void ctx_count(const struct rf_ctx *ctx)
{
	struct rf_stats __percpu *stats = ctx->dir->stats;
	const struct rf_desc *desc = &ctx->pkt->desc;

	if (desc->attempt > 1) {
		rf_stats_inc(stats, RF_STAT_RETRANSMITTED);
		rf_stats_add(stats, RF_STAT_RETRANSMITTED_BYTES, desc->len);
		if (trace_rf_retransmit_enabled())
			ctx_trace_retransmit(ctx);
	}
	if (desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)) {
		rf_stats_inc(stats, desc->classes & RDMAFAULT_CLASS_NAK ?
			     RF_STAT_NAKS : RF_STAT_RNRS);
		if (trace_rf_nak_enabled())
			ctx_trace_nak(ctx);
	}
}

/*
 * The other members are written when they are needed: @rule, @draw, @at, @values and
 * @unchanged when a rule hits, those of @wait and @frame that say more, and @last_copy
 * with the first copy.
 */
static void ctx_begin(struct rf_ctx *ctx, struct rf_dir *dir,
		      struct sk_buff *skb, struct rf_pkt *pkt, u64 came)
{
	ctx->dir = dir;
	ctx->skb = skb;
	ctx->pkt = pkt;
	ctx->end = pkt->end;
	ctx->came = came;
	ctx->delay = 0;
	ctx->delayed = false;
	ctx->keep_order = false;
	ctx->wait.active = false;
	ctx->holder = 0;
	ctx->copies = NULL;
	ctx->ncopies = 0;
	ctx->reply = NULL;
	ctx->first_rule = 0;
	ctx->frame.seq = 0;
	ctx->frame.len = 0;
}

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

static noinline void ctx_trace_hold(const struct rf_ctx *ctx,
				    const struct rf_skb_cb *cb, u64 delay)
{
	const struct rf_label label = rf_skb_cb_label(cb);

	trace_rf_hold(ctx->dir->dev, ctx->dir->direction, &label, delay);
}

/*
 * Put the packet into the delay queue. Return: RF_DELAYED; RF_DROP if the queue is
 * full; RF_PASS if the packet can't be delayed, and goes on unchanged.
 */
static enum rf_verdict ctx_delay(struct rf_ctx *ctx)
{
	struct rf_wait *wait = ctx->wait.active ? &ctx->wait : NULL;
	u64 max_hold = READ_ONCE(ctx->dir->max_hold);
	u64 delay = min(ctx->delay, max_hold);
	const struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), delay);
	struct rf_dir *dir = ctx->dir;

	if (wait)
		wait->within = min(wait->within, max_hold);
	switch (rf_delayq_enqueue(&dir->delayq, ctx->skb, &cb, wait)) {
	case 0:
		break;
	case -ENOBUFS:
		rf_stats_inc(dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		return RF_DROP;
	default:
		rf_stats_inc(dir->stats, RF_STAT_UNCHANGED);
		return RF_PASS;
	}
	rf_stats_inc(dir->stats, wait ? RF_STAT_REORDERED : RF_STAT_DELAYED);
	if (trace_rf_hold_enabled())
		ctx_trace_hold(ctx, &cb, delay);
	return RF_DELAYED;
}

/*
 * Let a packet that no rule delays follow the packets that are due. Return: false if
 * it can't, and goes on at once.
 */
static bool ctx_follow(struct rf_ctx *ctx)
{
	struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), 0);

	cb.keep_order = false;
	cb.follows = true;
	return !rf_delayq_enqueue(&ctx->dir->delayq, ctx->skb, &cb, NULL);
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

static bool ctx_needs_finish(const struct rf_ctx *ctx)
{
	return ctx->delayed || ctx->copies || ctx->reply ||
	       rf_delayq_next(&ctx->dir->delayq) != U64_MAX;
}

/*
 * What actions do outside of the packet, after all rules: delay the packet, enqueue its
 * copies, send a reply to its sender. Copies go through the delay queue even if they
 * follow the packet at once: the hook sends the packet after this, and then the packets
 * that are due. A packet that finds such packets follows them: on rx they leave after
 * the batch of the NAPI. No lock of the module is held.
 *
 * @follows: set if the packet passes, but is in the delay queue. Return: the verdict.
 */
static noinline enum rf_verdict ctx_finish(struct rf_ctx *ctx, enum rf_verdict verdict,
					   bool *follows)
{
	struct rf_delayq *delayq = &ctx->dir->delayq;

	if (verdict == RF_PASS && ctx->delayed)
		verdict = ctx_delay(ctx);
	if (verdict == RF_PASS && rf_delayq_is_due(delayq, ctx->came))
		*follows = ctx_follow(ctx);
	if (verdict == RF_PASS && !*follows && rf_delayq_is_waited(delayq))
		rf_delayq_passed(delayq, ctx->pkt->desc.flow_id,
				 ctx->pkt->desc.psn, ctx->came ?: U64_MAX);
	if (ctx->copies)
		ctx_enqueue_copies(ctx);
	if (ctx->reply)
		rf_reply_send(ctx);
	return verdict;
}

/*
 * A response updates the flow of its requests in the other direction: the peer's QP,
 * NAKs and timeouts. The locks of both directions are never held at once.
 */
static void decide_see_response(struct rf_dir *dir, const struct rf_desc *desc)
{
	struct rf_dir *requests = dir->other;
	bool known;
	u32 qp;

	if (!rf_dir_knows_requests(requests))
		return;
	spin_lock(&requests->lock);
	known = rf_flow_see_response(requests->flows, desc, &qp);
	spin_unlock(&requests->lock);
	if (!known || !READ_ONCE(dir->flows))
		return;
	spin_lock(&dir->lock);
	rf_flow_set_peer(dir->flows, desc, qp);
	spin_unlock(&dir->lock);
}

/**
 * rf_dir_decide - evaluate the rules for a packet
 * @dir: the direction
 * @skb: the packet, which actions can change in place
 * @headers: its headers
 * @came: when it arrived, in ktime_get_ns(), or 0 for now
 *
 * Context: softirq or BH off.
 * Return: the verdict; after RF_DELAYED the delay queue owns @skb.
 */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      const struct rf_headers *headers, u64 came)
{
	enum rf_verdict verdict = RF_PASS;
	struct rf_ctx ctx __uninitialized;
	struct rf_pkt pkt __uninitialized;
	const struct rf_ruleset *rules;
	bool follows = false;

	rf_packet_read(skb, headers, rcu_dereference_bh(dir->dscp_prio), &pkt);
	ctx_begin(&ctx, dir, skb, &pkt, came);
	if (rf_trace_enabled())
		rf_trace_begin(&ctx.frame, skb);
	spin_lock(&dir->lock);
	rules = rf_dir_rules(dir);
	if (dir->flows) {
		decide_track(dir, rules, skb, &pkt);
		ctx_count(&ctx);
	}
	if (rf_blackhole_drops(dir))
		verdict = RF_DROP;
	else if (rules)
		verdict = rules_apply(&ctx, rules);
	if (unlikely(dir->np) && verdict == RF_PASS)
		rf_cnp_notify(&ctx);
	spin_unlock(&dir->lock);
	if (ctx_needs_finish(&ctx))
		verdict = ctx_finish(&ctx, verdict, &follows);
	if (pkt.desc.response && verdict != RF_DROP)
		decide_see_response(dir, &pkt.desc);
	if (unlikely(ctx.frame.len))
		rf_trace_record(&ctx.frame, dir->dev, dir->direction,
				ctx.first_rule, verdict);
	if (verdict == RF_PASS && !follows)
		rf_trace_sent(skb, dir->dev, dir->direction, ctx.frame.seq);
	return follows ? RF_DELAYED : verdict;
}
