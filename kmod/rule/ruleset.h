/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_RULESET_H
#define RF_RULE_RULESET_H

#include <linux/spinlock.h>

#include "../fault/fault.h"
#include "../fault/delayq.h"
#include "rule.h"
#include "../stats.h"

struct rf_flows;
struct rf_pkt;
struct rf_port;
struct rf_qps;

/**
 * struct rf_ruleset - the rules of one direction, in the order of their making
 * @count: how many
 * @next_key: one above the highest key
 * @index: finds those that may match a packet
 * @rule: the rules
 */
struct rf_ruleset {
	u32 count;
	u32 next_key;
	struct rf_index *index;
	struct rf_rule *rule[];
};

/**
 * struct rf_dir - one direction of a port
 * @port: whose it is
 * @direction: RDMAFAULT_DIRECTION_*
 * @lock: serialises the decisions about packets with one another and with the
 *	publishing of rules; taken in softirq
 * @rules: NULL when the direction has none; changed under @lock, and looked at
 *	without it to find out whether there is anything to do
 * @qps: whom @rules concern; there while there are rules, changed under @lock
 * @flows: under @lock; there while there are rules
 * @blackhole_until: ktime_get_ns() that all RoCEv2 vanishes until, or 0
 * @timed: a rule may hold packets, which counts from their coming
 * @selective: requests to QPs that no rule names go by, and aren't followed
 * @watched: the other direction has a rule that must know of the answers here
 * @stats: counters
 * @stats_base: their sums at the last reset; under the lock of the qdisc
 * @delayq: packets that wait
 */
struct rf_dir {
	struct rf_port *port;
	u32 direction;
	spinlock_t lock;
	struct rf_ruleset *rules;
	struct rf_qps __rcu *qps;
	struct rf_flows *flows;
	u64 blackhole_until;
	bool timed;
	bool selective;
	bool watched;
	struct rf_stats __percpu *stats;
	u64 stats_base[RF_STATS];
	struct rf_delayq delayq;
};

/* All but rf_dir_decide(): process context, under rf_ports_lock. */
bool rf_dir_has_keys(const struct rf_dir *dir, struct rf_rule **rules,
		      u32 count, bool replace);
int rf_dir_add(struct rf_dir *dir, struct rf_rule **rules, u32 count,
		bool replace);
u32 rf_dir_reap(struct rf_dir *dir);
struct rf_rule *rf_dir_find(const struct rf_dir *dir, u32 id);

/* Under the lock of the direction */
struct rf_qps *rf_dir_qps(const struct rf_dir *dir);

/* decide.c */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			       struct rf_pkt *pkt, u64 came);

static inline u32 rf_dir_count(const struct rf_dir *dir)
{
	return dir->rules ? dir->rules->count : 0;
}

#endif
