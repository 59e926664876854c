/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <linux/list.h>

#include "action.h"
#include "index.h"
#include "match.h"
#include "state.h"
#include "trigger.h"

struct rf_invalid;

/**
 * struct rf_rule - match, trigger and action, and what has come of them
 * @id: names the rule on its port
 * @owner: netlink port id of the socket whose end is the rule's end; 0: none
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @seed: of all that the rule draws
 * @key: tells it apart from other rules with the same seed
 * @key_given: @key was named by the rule's maker
 * @born: ktime_get_ns() of its publication
 * @expires: nanoseconds after @born that it ends at; 0: never
 * @match: which packets
 * @trigger: when
 * @tally: under the lock of the direction
 * @memo: likewise
 * @node: place in the index
 * @more_nodes: more places, for a rule that is found by several QPs
 * @removed: set under rf_ports_lock on the way out
 * @leaving: on the list of rules that are taken out together
 * @actions: how many of @action there are, at least 1
 * @action: what is done, in this order
 */
struct rf_rule {
	u32 id;
	u32 owner;
	u32 flags;
	u64 seed;
	u32 key;
	bool key_given;
	u64 born;
	u64 expires;
	struct rf_match match;
	struct rf_trigger trigger;
	struct rf_tally tally;
	struct rf_memo memo;
	struct rf_index_node node;
	struct rf_index_node *more_nodes;
	bool removed;
	struct list_head leaving;
	u32 actions;
	struct rf_action action[];
};

bool rf_rule_numbers_flows(const struct rf_rule *rule);
void rf_rule_free(struct rf_rule *rule);

#endif
