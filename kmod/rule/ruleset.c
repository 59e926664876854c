// SPDX-License-Identifier: GPL-2.0
/*
 * The rule set of a direction of a port.
 *
 * To add rules, a new rule set is built and replaces the old one under the lock of the
 * direction, under which packets are evaluated. So no packet sees half of a change.
 * Removing rules allocates nothing, so it can't fail.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "../dir.h"
#include "../flow/flow.h"
#include "../rand.h"
#include "../trace.h"
#include "rule.h"

static struct rf_ruleset *ruleset_alloc(u32 count)
{
	struct rf_ruleset *rules;

	return kvzalloc(struct_size(rules, rule, count), GFP_KERNEL_ACCOUNT);
}

/* The rules of @old, or none if it is NULL, followed by the new rules */
static struct rf_ruleset *ruleset_join(const struct rf_ruleset *old,
				       struct rf_rule **rules, u32 count)
{
	u32 before = old ? old->count : 0;
	struct rf_ruleset *joined = ruleset_alloc(before + count);
	u32 i;

	if (!joined)
		return NULL;
	if (before)
		memcpy(joined->rule, old->rule, before * sizeof(*old->rule));
	memcpy(joined->rule + before, rules, count * sizeof(*rules));
	joined->count = before + count;
	for (i = 0; i < joined->count; i++)
		joined->ordinals |= rf_rule_asks_ordinals(joined->rule[i]);
	return joined;
}

static struct rf_index *index_alloc(u32 rules)
{
	u32 bits = rf_index_bits(rules);
	struct rf_index *index;

	index = kvzalloc(rf_index_size(bits), GFP_KERNEL_ACCOUNT);
	if (index)
		index->bits = bits;
	return index;
}

static struct rf_index_node *rule_node(struct rf_rule *rule, u32 i)
{
	return i ? &rule->more_nodes[i - 1] : &rule->node;
}

static int rule_alloc_nodes(struct rf_rule *rule)
{
	u32 more = rf_index_nodes(&rule->match) - 1;

	if (!more)
		return 0;
	rule->more_nodes = kcalloc(more, sizeof(rule->node), GFP_KERNEL_ACCOUNT);
	return rule->more_nodes ? 0 : -ENOMEM;
}

static void index_rule(struct rf_index *index, struct rf_rule *rule)
{
	u32 i;

	for (i = 0; i < rf_index_nodes(&rule->match); i++) {
		rule_node(rule, i)->order = rule->id;
		rule_node(rule, i)->rule = rule;
		rf_index_add(index, &rule->match, i, rule_node(rule, i));
	}
}

static void index_del_rule(struct rf_rule *rule)
{
	u32 i;

	for (i = 0; i < rf_index_nodes(&rule->match); i++)
		rf_index_del(rule_node(rule, i));
}

static void index_add_rules(struct rf_index *index, struct rf_rule **rules,
			    u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		index_rule(index, rules[i]);
}

static u32 ruleset_count_qps(const struct rf_ruleset *rules)
{
	u32 i, qps = 0;

	for (i = 0; i < rules->count; i++)
		qps += rules->rule[i]->match.qps;
	return qps;
}

static struct rf_qp_filter *ruleset_make_filter(const struct rf_ruleset *rules)
{
	u32 i, bits = rf_qp_filter_bits(ruleset_count_qps(rules));
	struct rf_qp_filter *filter;

	filter = kvzalloc(rf_qp_filter_size(bits), GFP_KERNEL_ACCOUNT);
	if (!filter)
		return NULL;
	rf_qp_filter_init(filter, bits);
	for (i = 0; i < rules->count; i++)
		rf_qp_filter_add(filter, rules->rule[i]->match.qp,
				 rules->rule[i]->match.qps,
				 rf_rule_numbers_flows(rules->rule[i]));
	return filter;
}

/**
 * rf_dir_has_keys - check that new rules without a key can get one
 * @dir: the direction
 * @rules: the new rules
 * @count: number of new rules
 * @replace: the new rules replace all rules of the direction
 *
 * Context: process, rf_ports_lock held.
 * Return: false if a rule would get the key of another rule.
 */
bool rf_dir_has_keys(const struct rf_dir *dir, struct rf_rule **rules,
		     u32 count, bool replace)
{
	const struct rf_ruleset *old = replace ? NULL : rf_dir_rules(dir);
	u32 i, next[2] = { };
	bool acts;

	if (old)
		memcpy(next, old->next_key, sizeof(next));
	for (i = 0; i < count; i++) {
		acts = rf_rule_acts(rules[i]);
		if (rules[i]->key_given)
			next[acts] = max(next[acts], rules[i]->key + 1);
		else if (next[acts]++ == U32_MAX)
			return false;
	}
	return true;
}

/* A rule without a key gets a key above the highest one. */
static void ruleset_set_keys(struct rf_ruleset *joined, const struct rf_ruleset *old,
			     const struct rf_dir *dir)
{
	struct rf_rule *rule;
	u32 i, *next;

	if (old)
		memcpy(joined->next_key, old->next_key, sizeof(old->next_key));
	for (i = old ? old->count : 0; i < joined->count; i++) {
		rule = joined->rule[i];
		rule->born = ktime_get_ns();
		next = &joined->next_key[rf_rule_acts(rule)];
		if (!rule->key_given)
			rule->key = *next;
		rule->draw_base = rf_draw_base(dir->draw_port, rule->seed, rule->key,
					       dir->direction);
		*next = max(*next, rule->key + 1);
	}
}

/**
 * struct change - all that a new rule set needs, allocated before it is published
 * @joined: the rule set
 * @index: a new index, or NULL if the index of the old rule set has room
 * @flows: a new table of flows, or NULL if the direction has one
 */
struct change {
	struct rf_ruleset *joined;
	struct rf_index *index;
	struct rf_flows *flows;
};

static void change_undo(struct change *change)
{
	if (change->joined)
		kvfree(change->joined->filter);
	kvfree(change->joined);
	kvfree(change->index);
	rf_flows_free(change->flows);
}

/* @old: the rules that stay, or NULL. */
static int change_prepare(struct change *change, const struct rf_dir *dir,
			  const struct rf_ruleset *old, struct rf_rule **rules,
			  u32 count)
{
	u32 i, total = count + (old ? old->count : 0);
	bool grows = !old || rf_index_bits(total) > old->index->bits;

	for (i = 0; i < count; i++)
		if (rule_alloc_nodes(rules[i]))
			return -ENOMEM;
	change->joined = ruleset_join(old, rules, count);
	if (grows)
		change->index = index_alloc(total);
	if (!dir->flows)
		change->flows = rf_flows_alloc();
	if (change->joined)
		change->joined->filter = ruleset_make_filter(change->joined);
	if (!change->joined || !change->joined->filter ||
	    (grows && !change->index) ||
	    (!dir->flows && !change->flows)) {
		change_undo(change);
		return -ENOMEM;
	}
	ruleset_set_keys(change->joined, old, dir);
	/* Rules that stay are in the old index until the lock is taken. */
	if (!old)
		index_add_rules(change->index, rules, count);
	return 0;
}

/**
 * rf_dir_count - count the rules of a direction
 * @dir: the direction
 *
 * Context: under rf_ports_lock or the lock of the direction.
 * Return: the number of rules.
 */
u32 rf_dir_count(const struct rf_dir *dir)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);

	return rules ? rules->count : 0;
}

/* Hooks can still be reading the filter, and nothing else of it. */
static void ruleset_free(struct rf_ruleset *rules)
{
	kvfree_rcu(rules->filter, rcu);
	kvfree_rcu(rules, rcu);
}

/* Under the lock of the direction */
static void dir_need_all(struct rf_dir *dir)
{
	if (!test_and_set_bit(RF_NEEDS_ALL, &dir->needs) && dir->flows)
		rf_flows_need_all(dir->flows);
}

/* @old: the rules that stay, or NULL. */
static void change_publish(struct change *change, struct rf_dir *dir,
			   const struct rf_ruleset *old, u32 count)
{
	struct rf_ruleset *joined = change->joined;

	joined->index = change->index ?: old->index;
	spin_lock_bh(&dir->lock);
	if (old && change->index)
		index_add_rules(joined->index, joined->rule, joined->count);
	else if (old)
		index_add_rules(joined->index, joined->rule + old->count, count);
	if (change->flows)
		WRITE_ONCE(dir->flows, change->flows);
	/* The hook asks the filter only for the QPs that rules name. */
	if (joined->filter->any)
		dir_need_all(dir);
	rcu_assign_pointer(dir->rules, joined);
	spin_unlock_bh(&dir->lock);
}

static bool action_needs_peer(const struct rf_action *action)
{
	return (action->type == RDMAFAULT_ACTION_NAK ||
		action->type == RDMAFAULT_ACTION_RNR) &&
	       !RF_ACTION_HAS(action, PEER_QP);
}

static bool action_is_both(const struct rf_action *action)
{
	return action->type == RDMAFAULT_ACTION_BLACKHOLE &&
	       action->flags & RDMAFAULT_ACTION_FLAG_BOTH;
}

/**
 * rf_rules_need_both - test whether rules need the packets of both directions
 * @rules: the rules
 * @count: number of rules
 *
 * A blackhole can be one of both directions. A forged response needs the QP of the
 * peer, which is known from the responses of the other direction.
 *
 * Return: true if a rule needs them.
 */
bool rf_rules_need_both(struct rf_rule *const *rules, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (rf_rule_has(rules[i], action_needs_peer) ||
		    rf_rule_has(rules[i], action_is_both))
			return true;
	return false;
}

/*
 * A response is assigned to a flow only by its PSN. So the responses of this direction
 * are assigned to flows of the other one only if all flows of both are tracked.
 */
static void dir_choose_tracking(struct rf_dir *dir)
{
	unsigned long needs = READ_ONCE(dir->needs);
	unsigned long other = READ_ONCE(dir->other->needs);
	const struct rf_ruleset *rules;
	bool all;

	spin_lock_bh(&dir->lock);
	rules = rf_dir_rules(dir);
	if (rules)
		all = (needs | other) & (BIT(RF_NEEDS_FLOWS) | BIT(RF_NEEDS_PEER));
	else
		all = needs & BIT(RF_NEEDS_PEER);
	all |= needs & BIT(RF_NEEDS_DCQCN);
	if (!rules || !rf_trace_enabled())
		clear_bit(RF_NEEDS_WATCH, &dir->needs);
	if (all) {
		dir_need_all(dir);
	} else {
		if (rules)
			rf_flows_untrack(dir->flows, rules->filter,
					 test_bit(RF_NEEDS_WATCH, &dir->needs));
		clear_bit(RF_NEEDS_ALL, &dir->needs);
	}
	spin_unlock_bh(&dir->lock);
}

/* The rules have changed. They can need packets of the other direction, too. */
static void dir_update_needs(struct rf_dir *dir)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	struct rf_dir *other = dir->other;
	bool time = false, peer = false;
	u32 i;

	for (i = 0; rules && i < rules->count; i++) {
		time |= rf_rule_delays(rules->rule[i]);
		peer |= rf_rule_has(rules->rule[i], action_needs_peer);
	}
	assign_bit(RF_NEEDS_TIME, &dir->needs, time);
	assign_bit(RF_NEEDS_PEER, &other->needs, peer);
	assign_bit(RF_NEEDS_FLOWS, &dir->needs, rules && rules->filter->any);
	assign_bit(RF_NEEDS_RULES, &dir->needs, rules);
	dir_choose_tracking(dir);
	dir_choose_tracking(other);
}

/**
 * rf_dir_add - publish rules
 * @dir: the direction
 * @rules: the rules, which the direction owns on success
 * @count: number of rules, at least 1
 * @replace: remove all earlier rules
 *
 * Context: process, rf_ports_lock held.
 * Return: 0, or a negative errno; then nothing has changed.
 */
int rf_dir_add(struct rf_dir *dir, struct rf_rule **rules, u32 count,
	       bool replace)
{
	struct rf_ruleset *old = rf_dir_rules(dir);
	struct rf_ruleset *stays = replace ? NULL : old;
	struct change change = { };
	int err;
	u32 i;

	err = change_prepare(&change, dir, stays, rules, count);
	if (err)
		return err;
	change_publish(&change, dir, stays, count);

	dir_update_needs(dir);
	for (i = 0; replace && old && i < old->count; i++)
		rf_rule_free(old->rule[i]);
	if (old && old->index != change.joined->index)
		kvfree(old->index);
	if (old)
		ruleset_free(old);
	return 0;
}

static void ruleset_take_removed(struct rf_ruleset *rules, struct list_head *dead)
{
	struct rf_rule *rule;
	u32 i, kept = 0, *next;

	memset(rules->next_key, 0, sizeof(rules->next_key));
	for (i = 0; i < rules->count; i++) {
		rule = rules->rule[i];
		if (rule->removed) {
			index_del_rule(rule);
			rf_qp_filter_del(rules->filter, rule->match.qp,
					 rule->match.qps,
					 rf_rule_numbers_flows(rule));
			list_add_tail(&rule->dead, dead);
			continue;
		}
		rules->rule[kept++] = rule;
		next = &rules->next_key[rf_rule_acts(rule)];
		*next = max(*next, rule->key + 1);
	}
	rules->count = kept;
}

static u32 ruleset_free_dead(struct list_head *dead)
{
	struct rf_rule *rule, *next;
	u32 count = 0;

	list_for_each_entry_safe(rule, next, dead, dead) {
		rf_rule_free(rule);
		count++;
	}
	return count;
}

/*
 * Take the flows that neither rules nor DCQCN need any more. Under the lock of the direction.
 * Return: the flows, or NULL.
 */
static struct rf_flows *dir_take_flows(struct rf_dir *dir)
{
	struct rf_flows *flows = dir->flows;

	if (rf_dir_rules(dir) || test_bit(RF_NEEDS_DCQCN, &dir->needs))
		return NULL;
	WRITE_ONCE(dir->flows, NULL);
	return flows;
}

/**
 * rf_dir_begin_dcqcn - track all flows for DCQCN
 * @dir: a direction
 *
 * CNPs name only a QP, so all flows of both directions must be tracked, as for rules that
 * need the QP of the peer. The caller does this for both directions. Flows whose responses
 * were not seen until now can have sent the same PSNs as a new flow, so responses are
 * not assigned to them.
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -ENOMEM.
 */
int rf_dir_begin_dcqcn(struct rf_dir *dir)
{
	struct rf_flows *flows = dir->flows ? NULL : rf_flows_alloc();

	if (!dir->flows && !flows)
		return -ENOMEM;
	spin_lock_bh(&dir->lock);
	if (flows)
		WRITE_ONCE(dir->flows, flows);
	else
		rf_flows_need_all(dir->flows);
	set_bit(RF_NEEDS_DCQCN, &dir->needs);
	spin_unlock_bh(&dir->lock);
	dir_choose_tracking(dir);
	return 0;
}

/**
 * rf_dir_end_dcqcn - undo rf_dir_begin_dcqcn()
 * @dir: a direction
 *
 * Context: process, rf_ports_lock held.
 */
void rf_dir_end_dcqcn(struct rf_dir *dir)
{
	struct rf_flows *flows;

	spin_lock_bh(&dir->lock);
	clear_bit(RF_NEEDS_DCQCN, &dir->needs);
	flows = dir_take_flows(dir);
	spin_unlock_bh(&dir->lock);
	dir_choose_tracking(dir);
	rf_flows_free(flows);
}

/**
 * rf_dir_reap - remove the rules with @removed set
 * @dir: the direction
 *
 * Context: process, rf_ports_lock held.
 * Return: the number of removed rules.
 */
u32 rf_dir_reap(struct rf_dir *dir)
{
	struct rf_ruleset *rules = rf_dir_rules(dir);
	struct rf_flows *flows = NULL;
	LIST_HEAD(dead);
	bool empty;

	if (!rules)
		return 0;
	spin_lock_bh(&dir->lock);
	ruleset_take_removed(rules, &dead);
	empty = !rules->count;
	if (empty) {
		RCU_INIT_POINTER(dir->rules, NULL);
		flows = dir_take_flows(dir);
	}
	spin_unlock_bh(&dir->lock);

	if (list_empty(&dead))
		return 0;
	dir_update_needs(dir);
	if (empty) {
		rf_flows_free(flows);
		kvfree(rules->index);
		ruleset_free(rules);
	}
	return ruleset_free_dead(&dead);
}

/**
 * rf_dir_find - find a rule by its number
 * @dir: the direction
 * @id: the number
 *
 * Context: process, rf_ports_lock held.
 * Return: the rule, or NULL.
 */
struct rf_rule *rf_dir_find(const struct rf_dir *dir, u32 id)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	u32 low = 0, high = rf_dir_count(dir), middle;

	/* The numbers are in ascending order. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (rules->rule[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == rf_dir_count(dir) || rules->rule[low]->id != id)
		return NULL;
	return rules->rule[low];
}
