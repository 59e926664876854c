/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_INDEX_H
#define RF_RULE_INDEX_H

#include "match.h"

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

u32 rf_index_bits(u32 rules);
size_t rf_index_size(u32 bits);
u32 rf_index_nodes(const struct rf_match *match);
void rf_index_add(struct rf_index *index, const struct rf_match *match,
		  u32 which, struct rf_index_node *node);
void rf_index_del(struct rf_index_node *node);
void rf_index_begin(const struct rf_index *index, const struct rf_desc *desc,
		    struct rf_index_cursor *cursor);
struct rf_index_node *rf_index_next(struct rf_index_cursor *cursor);

#endif
