/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_RULESET_H
#define RF_RULE_RULESET_H

#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "../delayq.h"
#include "rule.h"
#include "../stats.h"

struct rf_flows;
struct rf_port;
struct rf_qp_filter;

/**
 * struct rf_ruleset - the rules of one direction, oldest first
 * @rcu: frees the rule set when no hook can be using @filter any more
 * @filter: the QPs that the rules name
 * @index: finds the rules that can match a packet
 * @count: number of rules
 * @next_key: one above the highest key
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
	u32 next_key;
	struct rf_rule *rule[];
};

/**
 * enum rf_need - bits of struct rf_dir's @needs: what its packets are needed for
 * @RF_NEEDS_RULES: the direction has rules
 * @RF_NEEDS_ALL: all flows are tracked; if this bit is clear, requests to QPs that
 *	no rule names are untracked
 * @RF_NEEDS_TIME: a rule delays packets, and a delay counts from the packet's
 *	arrival
 * @RF_NEEDS_PEER: a rule of the other direction needs the QP of the peer, which
 *	responses tell
 * @RF_NEEDS_BLACKHOLE: a blackhole drops all packets
 */
enum rf_need {
	RF_NEEDS_RULES,
	RF_NEEDS_ALL,
	RF_NEEDS_TIME,
	RF_NEEDS_PEER,
	RF_NEEDS_BLACKHOLE,
};

/**
 * struct rf_dir - one direction of a port
 * @port: whose it is
 * @direction: RDMAFAULT_DIRECTION_*
 * @lock: serialises the decisions about packets with one another and with the
 *	publishing of rules; taken in softirq
 * @rules: the rules, NULL if there are none; changed under @lock
 * @needs: enum rf_need; 0 if no packet is needed. Set after @rules, read without a
 *	lock
 * @flows: under @lock; there while there are rules
 * @blackhole_until: ktime_get_ns() that all RoCEv2 vanishes until, or 0
 * @stats: counters
 * @stats_base: their sums at the last reset; under the lock of the qdisc
 * @delayq: packets that wait
 */
struct rf_dir {
	struct rf_port *port;
	u32 direction;
	spinlock_t lock;
	struct rf_ruleset __rcu *rules;
	unsigned long needs;
	struct rf_flows *flows;
	u64 blackhole_until;
	struct rf_stats __percpu *stats;
	u64 stats_base[RF_STATS];
	struct rf_delayq delayq;
};

/* Process context, under rf_ports_lock. */
bool rf_dir_has_keys(const struct rf_dir *dir, struct rf_rule **rules,
		     u32 count, bool replace);
int rf_dir_add(struct rf_dir *dir, struct rf_rule **rules, u32 count,
	       bool replace);
u32 rf_dir_reap(struct rf_dir *dir);
struct rf_rule *rf_dir_find(const struct rf_dir *dir, u32 id);

/* Under rf_ports_lock or the lock of the direction */
struct rf_ruleset *rf_dir_rules(const struct rf_dir *dir);
u32 rf_dir_count(const struct rf_dir *dir);

/* Under the lock of the direction */
void rf_dir_track_all(struct rf_dir *dir);

/**
 * rf_dir_qp_filter - get the QP filter of a direction
 * @dir: the direction
 *
 * Context: softirq or BH off.
 * Return: the filter, or NULL if all flows are tracked or if there are no rules.
 */
static inline const struct rf_qp_filter *rf_dir_qp_filter(const struct rf_dir *dir)
{
	const struct rf_ruleset *rules;

	if (READ_ONCE(dir->needs) & (BIT(RF_NEEDS_ALL) | BIT(RF_NEEDS_BLACKHOLE)))
		return NULL;
	rules = rcu_dereference_bh(dir->rules);
	return rules ? rules->filter : NULL;
}

#endif
