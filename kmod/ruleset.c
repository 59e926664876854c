// SPDX-License-Identifier: GPL-2.0
/*
 * The table of rules of a port and direction.
 *
 * Every packet is decided on under one lock with one table, so it sees all of
 * a change or nothing of it. A new table is built beside the old one and put
 * in its place; taking rules out never allocates, so it can't fail.
 *
 * Rules are asked in the order of their making. Each that matches counts; the
 * first that makes the packet vanish ends the round, for those behind it there
 * is no packet any more.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "flow.h"
#include "packet.h"
#include "pair.h"
#include "port.h"
#include "ruleset.h"
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
	struct rf_ruleset *rules = side->rules;
	enum rf_verdict verdict = RF_PASS;
	u32 i;

	for (i = 0; i < rules->count && verdict == RF_PASS; i++) {
		if (!rule_hits(job, rules->rule[i]))
			continue;
		verdict = rule_apply(job, rules->rule[i]);
	}
	if (job->first_rule)
		rf_stats_inc(side->stats, RF_STAT_HITS);
	if (verdict == RF_DROP)
		rf_stats_inc(side->stats, RF_STAT_DROPPED);
	return verdict;
}

static void follow(struct rf_side *side, struct rf_pkt *pkt)
{
	struct rf_desc *desc = &pkt->desc;

	desc->step = READ_ONCE(side->port->step);
	desc->messages = READ_ONCE(side->port->messages);
	desc->messages_total = READ_ONCE(side->port->messages_total);
	if (!rf_flow_see(side->flows, pkt))
		rf_stats_inc(side->stats, RF_STAT_FLOWS_LOST);
}

/**
 * rf_side_decide - ask the rules about a packet
 * @side: the direction it takes
 * @skb: the packet, which actions may change in place
 * @pkt: the packet; what its flow tells is filled in
 *
 * Context: softirq or BH off.
 * Return: what becomes of it.
 */
enum rf_verdict rf_side_decide(struct rf_side *side, struct sk_buff *skb,
			       struct rf_pkt *pkt)
{
	struct rf_job job = {
		.side = side, .skb = skb, .pkt = pkt, .end = pkt->end,
	};
	enum rf_verdict verdict = RF_PASS;

	rf_stats_add2(side->stats, RF_STAT_ROCE, pkt->desc.len);
	rf_tell_came(&job);
	spin_lock(&side->lock);
	if (side->rules) {
		follow(side, pkt);
		rf_tell_seen(&job);
	}
	if (rf_blackhole_swallows(side))
		verdict = RF_DROP;
	else if (side->rules)
		verdict = rules_apply(&job);
	spin_unlock(&side->lock);
	verdict = rf_settle(&job, verdict);
	if (verdict != RF_DROP)
		rf_pair_see(side, &pkt->desc);
	rf_tell_went(&job, verdict);
	return verdict;
}

static struct rf_ruleset *ruleset_alloc(u32 count)
{
	struct rf_ruleset *rules;

	return kvzalloc(struct_size(rules, rule, count), GFP_KERNEL);
}

/* The old rules, unless they are to be replaced, with the new ones behind. */
static struct rf_ruleset *ruleset_join(const struct rf_ruleset *old,
				       struct rf_rule **rules, u32 count)
{
	u32 before = old ? old->count : 0;
	struct rf_ruleset *joined = ruleset_alloc(before + count);

	if (!joined)
		return NULL;
	if (before)
		memcpy(joined->rule, old->rule, before * sizeof(*old->rule));
	memcpy(joined->rule + before, rules, count * sizeof(*rules));
	joined->count = before + count;
	return joined;
}

/* A rule without a key gets one above the highest there is. */
static void give_keys(const struct rf_ruleset *old, struct rf_rule **rules,
		      u32 count)
{
	u32 next = 0, i;

	for (i = 0; old && i < old->count; i++)
		next = max(next, old->rule[i]->key + 1);
	for (i = 0; i < count; i++) {
		if (!rules[i]->key_given)
			rules[i]->key = next;
		next = max(next, rules[i]->key + 1);
	}
}

/* Rules of one direction may concern the other: blackhole, nak and rnr. */
static void side_arm(void)
{
	static_branch_inc(&rf_armed[RF_TX]);
	static_branch_inc(&rf_armed[RF_RX]);
}

static void side_disarm(struct rf_side *side)
{
	rf_blackhole_orphan(side);
	static_branch_dec(&rf_armed[RF_TX]);
	static_branch_dec(&rf_armed[RF_RX]);
}

/**
 * rf_side_add - publish rules
 * @side: where
 * @rules: the rules; the side owns them if it takes them
 * @count: how many; at least 1
 * @replace: take out all that were there before
 *
 * Return: 0, or -ENOMEM with nothing changed.
 */
int rf_side_add(struct rf_side *side, struct rf_rule **rules, u32 count,
		bool replace)
{
	struct rf_ruleset *old = side->rules, *joined;
	struct rf_flows *flows = NULL;
	u32 i;

	joined = ruleset_join(replace ? NULL : old, rules, count);
	if (!joined)
		return -ENOMEM;
	if (!side->flows) {
		flows = rf_flows_alloc();
		if (!flows) {
			kvfree(joined);
			return -ENOMEM;
		}
	}

	give_keys(replace ? NULL : old, rules, count);
	for (i = 0; i < count; i++)
		rules[i]->born = ktime_get_ns();

	spin_lock_bh(&side->lock);
	if (flows)
		side->flows = flows;
	WRITE_ONCE(side->rules, joined);
	spin_unlock_bh(&side->lock);

	if (!old)
		side_arm();
	rf_pair_watch(side);
	for (i = 0; replace && old && i < old->count; i++)
		rf_rule_free(old->rule[i]);
	kvfree(old);
	return 0;
}

static void move_doomed(struct rf_ruleset *rules, struct list_head *leaving)
{
	u32 i, kept = 0;

	for (i = 0; i < rules->count; i++)
		if (rules->rule[i]->doomed)
			list_add_tail(&rules->rule[i]->leaving, leaving);
		else
			rules->rule[kept++] = rules->rule[i];
	rules->count = kept;
}

static u32 free_leaving(struct list_head *leaving)
{
	struct rf_rule *rule, *next;
	u32 count = 0;

	list_for_each_entry_safe(rule, next, leaving, leaving) {
		rf_rule_free(rule);
		count++;
	}
	return count;
}

/**
 * rf_side_remove_doomed - take out the rules that are marked for it
 * @side: where
 *
 * Return: how many there were.
 */
u32 rf_side_remove_doomed(struct rf_side *side)
{
	struct rf_ruleset *rules = side->rules;
	struct rf_flows *flows = side->flows;
	LIST_HEAD(leaving);
	bool empty;

	if (!rules)
		return 0;
	spin_lock_bh(&side->lock);
	move_doomed(rules, &leaving);
	empty = !rules->count;
	if (empty) {
		WRITE_ONCE(side->rules, NULL);
		side->flows = NULL;
	}
	spin_unlock_bh(&side->lock);

	rf_pair_watch(side);
	if (empty) {
		side_disarm(side);
		rf_flows_free(flows);
		kvfree(rules);
	}
	return free_leaving(&leaving);
}
