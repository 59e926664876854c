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
 * enum rf_detail - what a rule must know about a plain request that it is found for
 * @RF_DETAIL_NEVER: nothing, because it matches retransmissions only
 * @RF_DETAIL_NONE: every such packet matches, except those to QP 1 if the rule
 *	names no QP; the trigger is empty, or a probability
 * @RF_DETAIL_FLOW: QP, PSN, opcode and the packet's place in its flow
 * @RF_DETAIL_ALL: all of struct rf_desc
 */
enum rf_detail {
	RF_DETAIL_NEVER,
	RF_DETAIL_NONE,
	RF_DETAIL_FLOW,
	RF_DETAIL_ALL,
};

/**
 * struct rf_rule - match, trigger and action, and what has come of them
 * @id: names the rule on its port
 * @owner: netlink port id of the socket whose end is the rule's end; 0: none
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @seed: of all that the rule draws
 * @key: tells it apart from other rules with the same seed
 * @draw_base: rf_draw_base() of @seed, @key and the direction
 * @key_given: @key was named by the rule's maker
 * @born: ktime_get_ns() of its publication
 * @expires: nanoseconds after @born that it ends at; 0: never
 * @detail: what @match and @trigger read
 * @match: which packets
 * @trigger: when
 * @tally: under the lock of the direction
 * @states: likewise
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
	u64 draw_base;
	bool key_given;
	u64 born;
	u64 expires;
	enum rf_detail detail;
	struct rf_match match;
	struct rf_trigger trigger;
	struct rf_tally tally;
	struct rf_rule_states states;
	struct rf_index_node node;
	struct rf_index_node *more_nodes;
	bool removed;
	struct list_head leaving;
	u32 actions;
	struct rf_action action[];
};

enum rf_detail rf_rule_detail(const struct rf_rule *rule);
bool rf_rule_numbers_flows(const struct rf_rule *rule);
u64 rf_rule_time_left(const struct rf_rule *rule, u64 now);
bool rf_rule_delays(const struct rf_rule *rule);
void rf_rule_free(struct rf_rule *rule);

#endif
