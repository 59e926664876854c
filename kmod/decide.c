// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a packet.
 *
 * Every packet is decided on under the lock of its direction, with one table
 * of rules, so it sees all of a change of rules or nothing of it. Rules are
 * asked in the order of their making. Each that matches counts; the first that
 * makes the packet vanish ends the round, for those behind it there is no
 * packet any more.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "flow/flow.h"
#include "rocev2/packet.h"
#include "flow/peer.h"
#include "port.h"
#include "rule/ruleset.h"
#include "trace.h"

static struct rf_draw_key draw_key(const struct rf_dir *dir,
				   const struct rf_rule *rule,
				   const struct rf_desc *desc)
{
	return (struct rf_draw_key){
		.seed = rule->seed,
		.rule = rule->key,
		.direction = dir->direction,
		.flow = desc->key64,
		.serial = desc->serial,
		.turn = desc->turn,
	};
}

/* Has the rule's life come to its end, or else how old is it? */
static bool has_expired(const struct rf_rule *rule, u64 *age)
{
	if (!rule->expires && !rf_trigger_has_window(&rule->trigger))
		return false;
	*age = ktime_get_ns() - rule->born;
	return rule->expires && *age >= rule->expires;
}

static bool rule_hits(struct rf_ctx *ctx, struct rf_rule *rule)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	struct rf_occasion occasion = { .desc = desc, .draw = &ctx->draw };

	if (!rf_match_true(&rule->match, desc))
		return false;
	if (has_expired(rule, &occasion.age)) {
		rule->tally.matched++;
		rule->tally.missed[RF_MISS_WINDOW]++;
		return false;
	}
	ctx->draw = draw_key(ctx->dir, rule, desc);
	if (!rf_trigger_fires(&rule->trigger, &rule->tally, &rule->memo,
			      &occasion))
		return false;
	rule->tally.bytes += desc->len;
	return true;
}

static enum rf_verdict rule_apply(struct rf_ctx *ctx, struct rf_rule *rule)
{
	enum rf_verdict verdict;

	ctx->rule = rule;
	memset(ctx->values, 0, sizeof(ctx->values));
	verdict = rf_fault_apply(ctx);
	trace_rf_hit(ctx);
	if (!ctx->first_rule)
		ctx->first_rule = rule->id;
	return verdict;
}

static enum rf_verdict rules_apply(struct rf_ctx *ctx,
				   const struct rf_ruleset *rules)
{
	struct rf_dir *dir = ctx->dir;
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_cursor cursor;
	struct rf_index_node *node;

	rf_index_begin(rules->index, &ctx->pkt->desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		if (rule_hits(ctx, node->rule))
			verdict = rule_apply(ctx, node->rule);
	if (ctx->first_rule)
		rf_stats_inc(dir->stats, RF_STAT_HITS);
	if (verdict == RF_DROP)
		rf_stats_inc(dir->stats, RF_STAT_DROPPED);
	return verdict;
}

/* The QPs whose flows are tracked; NULL if all flows are. */
static const struct rf_qps *tracked_qps(const struct rf_dir *dir,
					const struct rf_ruleset *rules)
{
	if (READ_ONCE(dir->needs) & (BIT(RF_NEEDS_ALL) | BIT(RF_NEEDS_BLACKHOLE)))
		return NULL;
	return rules->qps;
}

static void track(struct rf_dir *dir, const struct rf_ruleset *rules,
		  const struct sk_buff *skb, struct rf_pkt *pkt)
{
	static const struct rf_progress none;
	const struct rf_progress *progress;
	struct rf_desc *desc = &pkt->desc;

	progress = rcu_dereference_bh(dir->port->progress) ?: &none;
	desc->step = progress->step;
	desc->messages = progress->messages;
	desc->messages_total = progress->messages_total;
	if (!rf_flow_see(dir->flows, tracked_qps(dir, rules), skb, pkt))
		rf_stats_inc(dir->stats, RF_STAT_FLOWS_LOST);
}

static void count_seen(const struct rf_ctx *ctx)
{
	struct rf_stats __percpu *stats = ctx->dir->stats;
	const struct rf_desc *desc = &ctx->pkt->desc;

	if (desc->attempt > 1) {
		rf_stats_inc(stats, RF_STAT_RETRANSMITTED);
		rf_stats_add(stats, RF_STAT_RETRANSMITTED_BYTES, desc->len);
		trace_rf_retransmit(ctx);
	}
	if (desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)) {
		rf_stats_inc(stats, desc->classes & RDMAFAULT_CLASS_NAK ?
			     RF_STAT_NAKS : RF_STAT_RNRS);
		trace_rf_nak(ctx);
	}
}

/* What no action has touched yet; the rest is set when a rule hits. */
static void job_begin(struct rf_ctx *ctx, struct rf_dir *dir,
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
	ctx->wait = (struct rf_wait){ };
	ctx->holder = 0;
	ctx->copies = NULL;
	ctx->ncopies = 0;
	ctx->answer = NULL;
	ctx->first_rule = 0;
	ctx->seq = 0;
	ctx->bytes = NULL;
	ctx->bytes_len = 0;
}

/* Is there anything that rf_settle() has to do? */
static bool settles(const struct rf_ctx *ctx)
{
	return ctx->delayed || ctx->copies || ctx->answer ||
	       rf_delayq_is_waited(&ctx->dir->delayq);
}

/**
 * rf_dir_decide - ask the rules about a packet
 * @dir: the direction it takes
 * @skb: the packet, which actions may change in place
 * @pkt: the packet; what its flow tells is filled in
 * @came: when it came, in ktime_get_ns(), or 0 for now
 *
 * Context: softirq or BH off.
 * Return: what becomes of it.
 */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			       struct rf_pkt *pkt, u64 came)
{
	enum rf_verdict verdict = RF_PASS;
	const struct rf_ruleset *rules;
	struct rf_ctx ctx __uninitialized;

	rf_stats_add2(dir->stats, RF_STAT_ROCE, 1, pkt->desc.len);
	job_begin(&ctx, dir, skb, pkt, came);
	if (rf_trace_enabled())
		rf_trace_begin(&ctx);
	spin_lock(&dir->lock);
	rules = rf_dir_rules(dir);
	if (rules) {
		track(dir, rules, skb, pkt);
		count_seen(&ctx);
	}
	if (rf_blackhole_swallows(dir))
		verdict = RF_DROP;
	else if (rules)
		verdict = rules_apply(&ctx, rules);
	spin_unlock(&dir->lock);
	if (settles(&ctx))
		verdict = rf_settle(&ctx, verdict);
	if (pkt->desc.response && verdict != RF_DROP)
		rf_peer_see(dir, &pkt->desc);
	if (unlikely(ctx.bytes_len))
		rf_trace_packet(&ctx, verdict);
	return verdict;
}
