/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_RULE_H
#define RF_RULE_RULE_H

#include <linux/list.h>
#include <linux/types.h>

#include "params.h"

struct rf_dir;
struct rf_qp_filter;
struct rf_rule;

/**
 * struct rf_index_node - a node of a rule in the index
 * @next: next node of the list
 * @prev: previous node of the list
 * @list: the list
 * @order: number of the rule; rules are evaluated in this order
 * @value: the PSN or QP by which the rule is found
 * @rule: the rule
 */
struct rf_index_node {
	struct rf_index_node *next;
	struct rf_index_node *prev;
	struct rf_index_list *list;
	u32 order;
	u32 value;
	struct rf_rule *rule;
};

struct rf_index_list {
	struct rf_index_node *first;
	struct rf_index_node *last;
};

/* The property of a packet by which rules are found */
enum rf_index_by {
	RF_BY_QP,
	RF_BY_PSN_REL,
	RF_BY_PSN,
	RF_BY_NOTHING,
	RF_INDEX_LISTS,
};

/**
 * struct rf_index - finds the rules that can match a packet
 * @bits: log2 of the number of buckets of each table
 * @used: bit n of enum rf_index_by is set if a rule was ever added there
 * @general: the rules that are in no table
 * @bucket: the tables, one for each enum rf_index_by except RF_BY_NOTHING
 */
struct rf_index {
	u32 bits;
	u32 used;
	struct rf_index_list general;
	struct rf_index_list bucket[];
};

/**
 * struct rf_index_cursor - position of a search for the rules of a packet
 * @lists: number of lists that have candidates
 * @at: next candidate of each of these lists
 * @value: value of the candidates of each of them
 */
struct rf_index_cursor {
	u32 lists;
	struct rf_index_node *at[RF_INDEX_LISTS];
	u32 value[RF_INDEX_LISTS];
};

/* Number of decisions that are kept for late PSNs; a power of two */
#define RF_LOSS_MODEL_WINDOW	1024

/**
 * struct rf_loss_model - the state of a loss model
 * @next: serial number of the next PSN
 * @known: number of PSNs before @next with a decision in @hit
 * @state: state of the Markov models
 * @left: number of PSNs that the current burst still hits
 * @run: number of consecutive hits before @next
 * @last: the last correlated number
 * @hit: the decisions, by serial number modulo RF_LOSS_MODEL_WINDOW
 */
struct rf_loss_model {
	u32 next;
	u32 known;
	u32 state;
	u32 left;
	u32 run;
	u64 last;
	u64 hit[RF_LOSS_MODEL_WINDOW / 64];
};

/**
 * struct rf_rule_state_key - the tracked flow, or the QP, of a state
 * @flow: number of the flow, @flow_id of struct rf_desc; 0 for a QP
 * @qp: destination QP
 * @addr_len: bytes of its address, 4 or 16
 * @addr: its address; the other bytes are 0
 *
 * For a flow, all members except @flow are 0.
 */
struct rf_rule_state_key {
	u64 flow;
	u32 qp;
	u32 addr_len;
	u8 addr[16];
};

/**
 * struct rf_rule_state - the state of one rule for one flow or QP
 * @node: in the table
 * @recent: in the list of recently used states
 * @key: the flow or QP
 * @hit: "once" has had its hit
 * @burst_left: number of packets that the current burst still hits
 * @model: state of the loss model
 */
struct rf_rule_state {
	struct hlist_node node;
	struct list_head recent;
	struct rf_rule_state_key key;
	bool hit;
	u32 burst_left;
	struct rf_loss_model model;
};

/**
 * struct rf_rule_states - the states of a rule; all zeros if there are none
 * @table: the states by hash of the key; NULL before the first state
 * @recent: the states, last used first
 * @count: number of states
 * @step: the last step with a hit, if @step_hit
 * @step_hit: there was a hit in a step
 */
struct rf_rule_states {
	struct hlist_head *table;
	struct list_head recent;
	u32 count;
	u32 step;
	bool step_hit;
};

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

/* index.c */
u32 rf_index_bits(u32 rules);
size_t rf_index_size(u32 bits);
u32 rf_index_nodes(const struct rf_match *match);
void rf_index_add(struct rf_index *index, const struct rf_match *match,
		  u32 which, struct rf_index_node *node);
void rf_index_del(struct rf_index_node *node);
void rf_index_begin(const struct rf_index *index, const struct rf_desc *desc,
		    struct rf_index_cursor *cursor);
struct rf_index_node *rf_index_next(struct rf_index_cursor *cursor);

/* loss_model.c */
bool rf_loss_model_is_needed(const struct rf_trigger *trigger);
bool rf_loss_model_hits(const struct rf_trigger *trigger, struct rf_loss_model *chain,
			const struct rf_draw_key *key);

/* state.c */
struct rf_rule_state *rf_rule_state_find(struct rf_rule_states *states,
					 const struct rf_rule_state_key *key);
struct rf_rule_state *rf_rule_state_get(struct rf_rule_states *states,
					const struct rf_rule_state_key *key);
void rf_rule_states_free(struct rf_rule_states *states);

/* rule.c */
bool rf_rule_numbers_flows(const struct rf_rule *rule);
bool rf_rule_asks_ordinals(const struct rf_rule *rule);
u64 rf_rule_time_left(const struct rf_rule *rule, u64 now);
bool rf_rule_has(const struct rf_rule *rule,
		 bool (*is)(const struct rf_action *action));
bool rf_rule_acts(const struct rf_rule *rule);
bool rf_rule_delays(const struct rf_rule *rule);
void rf_rule_free(struct rf_rule *rule);

/* ruleset.c: process context, under rf_ports_lock */
bool rf_dir_has_keys(const struct rf_dir *dir, struct rf_rule **rules,
		     u32 count, bool replace);
bool rf_rules_need_both(struct rf_rule *const *rules, u32 count);
int rf_dir_add(struct rf_dir *dir, struct rf_rule **rules, u32 count,
	       bool replace);
int rf_dir_begin_dcqcn(struct rf_dir *dir);
void rf_dir_end_dcqcn(struct rf_dir *dir);
u32 rf_dir_reap(struct rf_dir *dir);
struct rf_rule *rf_dir_find(const struct rf_dir *dir, u32 id);

/* ruleset.c: under rf_ports_lock or the lock of the direction */
u32 rf_dir_count(const struct rf_dir *dir);

#endif
