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
#include "tell.h"
#include "trace.h"

static struct rf_draw_key draw_key(const struct rf_side *side,
				   const struct rf_rule *rule,
				   const struct rf_desc *desc)
{
	return (struct rf_draw_key){
		.seed = rule->seed,
		.rule = rule->key,
		.direction = side->dir,
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

static bool rule_hits(struct rf_job *job, struct rf_rule *rule)
{
	const struct rf_desc *desc = &job->pkt->desc;
	struct rf_occasion occasion = { .desc = desc, .draw = &job->draw };

	if (!rf_match_true(&rule->match, desc))
		return false;
	if (has_expired(rule, &occasion.age)) {
		rule->tally.matched++;
		rule->tally.missed[RF_MISS_WINDOW]++;
		return false;
	}
	job->draw = draw_key(job->side, rule, desc);
	if (!rf_trigger_fires(&rule->trigger, &rule->tally, &rule->memo,
			      &occasion))
		return false;
	rule->tally.bytes += desc->len;
	return true;
}

static enum rf_verdict rule_apply(struct rf_job *job, struct rf_rule *rule)
{
	enum rf_verdict verdict;

	job->rule = rule;
	memset(job->values, 0, sizeof(job->values));
	verdict = rf_fault_apply(job);
	trace_rf_hit(job);
	if (!job->first_rule)
		job->first_rule = rule->id;
	return verdict;
}

static enum rf_verdict rules_apply(struct rf_job *job)
{
	struct rf_side *side = job->side;
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_cursor cursor;
	struct rf_index_node *node;

	rf_index_begin(side->rules->index, &job->pkt->desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		if (rule_hits(job, node->rule))
			verdict = rule_apply(job, node->rule);
	if (job->first_rule)
		rf_stats_inc(side->stats, RF_STAT_HITS);
	if (verdict == RF_DROP)
		rf_stats_inc(side->stats, RF_STAT_DROPPED);
	return verdict;
}

/* The QPs whose flows are followed; NULL: those of all are. */
static const struct rf_qps *followed(const struct rf_side *side)
{
	if (!side->selective || READ_ONCE(side->blackhole_until))
		return NULL;
	return rf_side_qps(side);
}

static void follow(struct rf_side *side, const struct sk_buff *skb,
		   struct rf_pkt *pkt)
{
	static const struct rf_progress none;
	const struct rf_progress *progress;
	struct rf_desc *desc = &pkt->desc;

	progress = rcu_dereference_bh(side->port->progress) ?: &none;
	desc->step = progress->step;
	desc->messages = progress->messages;
	desc->messages_total = progress->messages_total;
	if (!rf_flow_see(side->flows, followed(side), skb, pkt))
		rf_stats_inc(side->stats, RF_STAT_FLOWS_LOST);
}

/* What no action has touched yet; the rest is set when a rule hits. */
static void job_begin(struct rf_job *job, struct rf_side *side,
		      struct sk_buff *skb, struct rf_pkt *pkt, u64 came)
{
	job->side = side;
	job->skb = skb;
	job->pkt = pkt;
	job->end = pkt->end;
	job->came = came;
	job->delay = 0;
	job->hold = false;
	job->keep_order = false;
	job->wait = (struct rf_wait){ };
	job->holder = 0;
	job->copies = NULL;
	job->ncopies = 0;
	job->answer = NULL;
	job->first_rule = 0;
	job->seq = 0;
	job->bytes = NULL;
	job->bytes_len = 0;
}

/* Is there anything that rf_settle() has to do? */
static bool settles(const struct rf_job *job)
{
	return job->hold || job->copies || job->answer ||
	       rf_hold_is_waited(&job->side->hold);
}

/**
 * rf_side_decide - ask the rules about a packet
 * @side: the direction it takes
 * @skb: the packet, which actions may change in place
 * @pkt: the packet; what its flow tells is filled in
 * @came: when it came, in ktime_get_ns(), or 0 for now
 *
 * Context: softirq or BH off.
 * Return: what becomes of it.
 */
enum rf_verdict rf_side_decide(struct rf_side *side, struct sk_buff *skb,
			       struct rf_pkt *pkt, u64 came)
{
	enum rf_verdict verdict = RF_PASS;
	struct rf_job job __uninitialized;

	rf_stats_add2(side->stats, RF_STAT_ROCE, 1, pkt->desc.len);
	job_begin(&job, side, skb, pkt, came);
	rf_tell_came(&job);
	spin_lock(&side->lock);
	if (side->rules) {
		follow(side, skb, pkt);
		rf_tell_seen(&job);
	}
	if (rf_blackhole_swallows(side))
		verdict = RF_DROP;
	else if (side->rules)
		verdict = rules_apply(&job);
	spin_unlock(&side->lock);
	if (settles(&job))
		verdict = rf_settle(&job, verdict);
	if (pkt->desc.response && verdict != RF_DROP)
		rf_pair_see(side, &pkt->desc);
	if (unlikely(job.bytes_len))
		rf_tell_went(&job, verdict);
	return verdict;
}
