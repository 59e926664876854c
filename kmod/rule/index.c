// SPDX-License-Identifier: GPL-2.0
/*
 * The index finds the few rules that can match a packet, among thousands of rules.
 *
 * A rule that names one relative PSN is in a hash table by that PSN. A rule that names
 * one PSN is in another one, and a rule that names QPs is in a third one, by each QP.
 * All other rules are in a general list. The candidates for a packet are in one bucket
 * of each table and in the general list. Each list is in the order in which the rules
 * were added, so merging them yields the candidates in this order. Rules of a bucket
 * with other values are skipped.
 */
#include <linux/hash.h>
#include <linux/stddef.h>

#include "rule.h"

#define BITS_MIN	4
#define BITS_MAX	14

static bool index_names_one_psn_rel(const struct rf_match *match)
{
	return RF_ASKS(match, PSN_REL) &&
	       match->psn_rel == match->psn_rel_max;
}

static bool index_names_one_psn(const struct rf_match *match)
{
	return RF_ASKS(match, PSN) && match->psn == match->psn_max;
}

static enum rf_index_by index_found_by(const struct rf_match *match)
{
	if (index_names_one_psn_rel(match))
		return RF_BY_PSN_REL;
	if (index_names_one_psn(match))
		return RF_BY_PSN;
	return match->qps ? RF_BY_QP : RF_BY_NOTHING;
}

/* The first node with a value, from @node on */
static struct rf_index_node *index_from(struct rf_index_node *node, u32 value)
{
	while (node && node->value != value)
		node = node->next;
	return node;
}

static struct rf_index_list *index_bucket(const struct rf_index *index,
					  enum rf_index_by by, u32 value)
{
	u32 slot = hash_32(value, index->bits);

	return (struct rf_index_list *)&index->bucket[(by << index->bits) +
						      slot];
}

static u32 value_of(const struct rf_match *match, enum rf_index_by by,
		    u32 which)
{
	switch (by) {
	case RF_BY_PSN_REL:
		return match->psn_rel;
	case RF_BY_PSN:
		return match->psn;
	case RF_BY_QP:
		return match->qp[which];
	default:
		return 0;
	}
}

/**
 * rf_index_bits - choose the size of an index
 * @rules: number of rules
 *
 * Return: log2 of the number of buckets of each table.
 */
u32 rf_index_bits(u32 rules)
{
	u32 bits = BITS_MIN;

	while (bits < BITS_MAX && 1u << bits < rules)
		bits++;
	return bits;
}

/**
 * rf_index_size - get the memory size of an index
 * @bits: log2 of the number of buckets of each table. The caller sets @bits of the
 *	index to it, and all other bytes to 0
 *
 * Return: bytes.
 */
size_t rf_index_size(u32 bits)
{
	return sizeof(struct rf_index) +
	       ((size_t)RF_BY_NOTHING << bits) * sizeof(struct rf_index_list);
}

/**
 * rf_index_nodes - count the nodes that a rule needs
 * @match: match of the rule
 *
 * Return: the number of nodes, from 1 to RDMAFAULT_QPS_MAX.
 */
u32 rf_index_nodes(const struct rf_match *match)
{
	return index_found_by(match) == RF_BY_QP ? match->qps : 1;
}

/**
 * rf_index_add - add a node of a rule
 * @index: the index
 * @match: match of the rule
 * @which: number of the node in the rule, from 0
 * @node: the node; its order is higher than that of all nodes in the index
 *
 * Context: the caller serialises all calls.
 */
void rf_index_add(struct rf_index *index, const struct rf_match *match,
		  u32 which, struct rf_index_node *node)
{
	enum rf_index_by by = index_found_by(match);
	struct rf_index_list *list;

	node->value = value_of(match, by, which);
	list = by == RF_BY_NOTHING ? &index->general :
				     index_bucket(index, by, node->value);
	index->used |= 1u << by;
	node->list = list;
	node->next = NULL;
	node->prev = list->last;
	if (list->last)
		list->last->next = node;
	else
		list->first = node;
	list->last = node;
}

/**
 * rf_index_del - remove a node of a rule
 * @node: the node
 *
 * Context: the caller serialises all calls.
 */
void rf_index_del(struct rf_index_node *node)
{
	if (node->prev)
		node->prev->next = node->next;
	else
		node->list->first = node->next;
	if (node->next)
		node->next->prev = node->prev;
	else
		node->list->last = node->prev;
}

static void cursor_add(struct rf_index_cursor *cursor, struct rf_index_node *first,
		       u32 value)
{
	if (!first)
		return;
	cursor->at[cursor->lists] = first;
	cursor->value[cursor->lists++] = value;
}

static __always_inline void index_begin(const struct rf_index *index,
					enum rf_index_by by, u32 value,
					struct rf_index_cursor *cursor)
{
	if (index->used & 1u << by)
		cursor_add(cursor, index_from(index_bucket(index, by, value)->first,
					      value), value);
}

/**
 * rf_index_begin - begin a search for the rules that can match a packet
 * @index: the index, which must not change during the search
 * @desc: the packet
 * @cursor: set to the first position, for rf_index_next()
 */
void rf_index_begin(const struct rf_index *index, const struct rf_desc *desc,
		    struct rf_index_cursor *cursor)
{
	cursor->lists = 0;
	index_begin(index, RF_BY_PSN_REL, desc->psn_rel, cursor);
	index_begin(index, RF_BY_PSN, desc->psn, cursor);
	index_begin(index, RF_BY_QP, desc->qp, cursor);
	cursor_add(cursor, index->general.first, 0);
}

/**
 * rf_index_next - get the next rule that can match
 * @cursor: position of the search
 *
 * Return: the remaining node with the lowest order, or NULL. A rule is returned once,
 * even if it names a QP twice.
 */
struct rf_index_node *rf_index_next(struct rf_index_cursor *cursor)
{
	struct rf_index_node *first, *next, **at = cursor->at;
	u32 i, list = 0;

	if (!cursor->lists)
		return NULL;
	for (i = 1; i < cursor->lists; i++)
		if (at[i]->order < at[list]->order)
			list = i;
	first = next = at[list];
	do
		next = index_from(next->next, cursor->value[list]);
	while (next && next->order == first->order);
	if (!next) {
		next = at[--cursor->lists];
		cursor->value[list] = cursor->value[cursor->lists];
	}
	at[list] = next;
	return first;
}
