/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <linux/list.h>

#include "params.h"
#include "index.h"
#include "match.h"
#include "state.h"
#include "trigger.h"

struct rf_invalid;

/**
 * struct rf_rule - a rule
 * @id: number of the rule on its port
 * @owner: netlink port id of the socket with which the rule ends; 0: none
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @seed: seed of the random numbers
 * @key: distinguishes rules with the same seed
 * @draw_base: rf_draw_base() of the port, @seed, @key and the direction
 * @key_given: the request has set @key
 * @born: time of its publication, in ktime_get_ns()
 * @expires: nanoseconds after @born at which the rule expires; 0: never
 * @match: the packets that the rule matches
 * @trigger: the matching packets that the rule hits
 * @counters: counters; under the lock of the direction
 * @states: states of flows and QPs; under the lock of the direction
 * @node: node in the index
 * @more_nodes: further nodes, for a rule that is found by several QPs
 * @removed: the rule is being removed; under rf_ports_lock
 * @dead: in the list of rules that are removed together
 * @actions: number of actions, at least 1
 * @action: the actions, in their order
 */
struct rf_rule {
	u32 id;
	u32 owner;
	u32 flags;
	u64 seed;
	u32 key;
	u64 draw_base;
	bool key_given;
	u64 born;
	u64 expires;
	struct rf_match match;
	struct rf_trigger trigger;
	struct rf_rule_counters counters;
	struct rf_rule_states states;
	struct rf_index_node node;
	struct rf_index_node *more_nodes;
	bool removed;
	struct list_head dead;
	u32 actions;
	struct rf_action action[];
};

bool rf_rule_numbers_flows(const struct rf_rule *rule);
bool rf_rule_asks_ordinals(const struct rf_rule *rule);
u64 rf_rule_time_left(const struct rf_rule *rule, u64 now);
bool rf_rule_has(const struct rf_rule *rule,
		 bool (*is)(const struct rf_action *action));
bool rf_rule_acts(const struct rf_rule *rule);
bool rf_rule_delays(const struct rf_rule *rule);
void rf_rule_free(struct rf_rule *rule);

#endif
