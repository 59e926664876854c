/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_RULESET_H
#define RF_RULE_RULESET_H

#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "../dir.h"
#include "rule.h"

struct rf_qp_filter;

/**
 * struct rf_ruleset - the rules of one direction, oldest first
 * @rcu: frees the rule set when no hook can be using @filter any more
 * @filter: the QPs that the rules name
 * @index: finds the rules that can match a packet
 * @count: number of rules
 * @ordinals: a rule needs ordinals of messages, or of packets in them
 * @next_key: one above the highest key of the rules that only observe, and of the
 *	others, so that no observing rule changes the keys of the others
 * @rule: the rules
 *
 * Hooks read @filter without a lock. All other members are read and changed under
 * the lock of the direction.
 */
struct rf_ruleset {
	struct rcu_head rcu;
	struct rf_qp_filter *filter;
	struct rf_index *index;
	u32 count;
	bool ordinals;
	u32 next_key[2];
	struct rf_rule *rule[];
};

/* Process context, under rf_ports_lock. */
bool rf_dir_has_keys(const struct rf_dir *dir, struct rf_rule **rules,
		     u32 count, bool replace);
bool rf_rules_need_both(struct rf_rule *const *rules, u32 count);
int rf_dir_add(struct rf_dir *dir, struct rf_rule **rules, u32 count,
	       bool replace);
u32 rf_dir_reap(struct rf_dir *dir);
struct rf_rule *rf_dir_find(const struct rf_dir *dir, u32 id);

/* Under rf_ports_lock or the lock of the direction */
u32 rf_dir_count(const struct rf_dir *dir);

/**
 * rf_dir_rules - get the rule set of a direction
 * @dir: the direction
 *
 * Context: under rf_ports_lock or the lock of the direction.
 * Return: the rule set, or NULL without rules.
 */
static inline struct rf_ruleset *rf_dir_rules(const struct rf_dir *dir)
{
	return rcu_dereference_protected(dir->rules,
					 lockdep_is_held(dir->conf_lock) ||
					 lockdep_is_held(&dir->lock));
}

/**
 * rf_dir_watches - test whether flows are tracked that no rule needs
 * @dir: the direction
 *
 * Return: true if they are; without a lock, it may be outdated.
 */
static inline bool rf_dir_watches(const struct rf_dir *dir)
{
	return READ_ONCE(dir->needs) & (BIT(RF_NEEDS_WATCH) | BIT(RF_NEEDS_BLACKHOLE));
}

/**
 * rf_dir_sees_all - test whether all packets are evaluated
 * @dir: the direction
 *
 * Return: true if they are; false if only packets to the QPs that rules name, and NAKs,
 * are evaluated. Without a lock, it may be outdated.
 */
static inline bool rf_dir_sees_all(const struct rf_dir *dir)
{
	return READ_ONCE(dir->needs) & (BIT(RF_NEEDS_ALL) | BIT(RF_NEEDS_WATCH) |
					BIT(RF_NEEDS_BLACKHOLE));
}

/**
 * rf_dir_knows_requests - test whether the request flows of responses are known
 * @requests: the direction of the requests
 *
 * A response doesn't name its flow, so all flows of requests must be tracked.
 *
 * Context: softirq or BH off.
 * Return: true if they are; without the lock of @requests, it may be outdated.
 */
static inline bool rf_dir_knows_requests(const struct rf_dir *requests)
{
	return test_bit(RF_NEEDS_ALL, &requests->needs) &&
	       rcu_access_pointer(requests->rules);
}

#endif
