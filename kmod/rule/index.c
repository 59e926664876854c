// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the few of thousands of rules that may match a packet.
 *
 * A rule that names one relative PSN is in a hash table by that, else one that
 * names one PSN by that, else one that names QPs by each of them; all others
 * are in a general list. A packet's candidates are in one bucket of each table
 * and in the general list. Each of these is in the order of the rules' making,
 * so that merging them gives the candidates in that order. What a bucket holds
 * beside those with the packet's own value is stepped over.
 */
#include <linux/stddef.h>

#include "index.h"

#define BITS_MIN	4
#define BITS_MAX	14

static bool names_one_psn_rel(const struct rf_match *match)
{
	return RF_ASKS(match, PSN_REL) &&
	       match->psn_rel == match->psn_rel_max;
}

static bool names_one_psn(const struct rf_match *match)
{
	return RF_ASKS(match, PSN) && match->psn == match->psn_max;
}

static enum rf_index_by found_by(const struct rf_match *match)
{
	if (names_one_psn_rel(match))
		return RF_BY_PSN_REL;
	if (names_one_psn(match))
		return RF_BY_PSN;
	return match->qps ? RF_BY_QP : RF_BY_NOTHING;
}

static struct rf_index_list *bucket(const struct rf_index *index,
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
 * rf_index_bits - how many buckets to have
 * @rules: number of rules
 *
 * Context: any.
 * Return: log2 of the buckets of each table.
 */
u32 rf_index_bits(u32 rules)
{
	u32 bits = BITS_MIN;

	while (bits < BITS_MAX && 1u << bits < rules)
		bits++;
	return bits;
}

/**
 * rf_index_size - memory for an index
 * @bits: log2 of the buckets of each table; to be put into the index, the rest
 *	of which has to be 0
 *
 * Context: any.
 * Return: bytes.
 */
size_t rf_index_size(u32 bits)
{
	return sizeof(struct rf_index) +
	       ((size_t)RF_BY_NOTHING << bits) * sizeof(struct rf_index_list);
}

/**
 * rf_index_nodes - in how many places a rule is
 * @match: its match
 *
 * Context: any.
 * Return: the number of nodes that it needs, from 1 to RDMAFAULT_QPS_MAX.
 */
u32 rf_index_nodes(const struct rf_match *match)
{
	return found_by(match) == RF_BY_QP ? match->qps : 1;
}

/**
 * rf_index_add - put a rule into the index
 * @index: the index
 * @match: the rule's match
 * @which: which of its nodes
 * @node: the node; its order is above that of all that are there
 *
 * Context: any; the caller serialises.
 */
void rf_index_add(struct rf_index *index, const struct rf_match *match,
		  u32 which, struct rf_index_node *node)
{
	enum rf_index_by by = found_by(match);
	struct rf_index_list *list;

	node->value = value_of(match, by, which);
	list = by == RF_BY_NOTHING ? &index->general :
				     bucket(index, by, node->value);
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
 * rf_index_del - take a rule out of the index
 * @node: one of its nodes
 *
 * Context: any; the caller serialises.
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

static void begin(const struct rf_index *index, enum rf_index_by by, u32 value,
		  struct rf_index_cursor *cursor)
{
	struct rf_index_node *first = NULL;

	if (index->used & 1u << by)
		first = rf_index_from(bucket(index, by, value)->first, value);
	cursor->value[by] = value;
	cursor->at[by] = first;
}

/**
 * rf_index_begin - look for the rules that may match a packet
 * @index: the index
 * @desc: the packet
 * @cursor: to be handed to rf_index_next()
 *
 * Context: any; the index doesn't change until the search is over.
 */
void rf_index_begin(const struct rf_index *index, const struct rf_desc *desc,
		    struct rf_index_cursor *cursor)
{
	begin(index, RF_BY_PSN_REL, desc->psn_rel, cursor);
	begin(index, RF_BY_PSN, desc->psn, cursor);
	begin(index, RF_BY_QP, desc->qp, cursor);
	cursor->value[RF_BY_NOTHING] = 0;
	cursor->at[RF_BY_NOTHING] = index->general.first;
}

/**
 * rf_index_next - the next rule that may match
 * @cursor: how far the search has come
 *
 * Context: any.
 * Return: the node with the lowest order of those that are left, or NULL. A
 * rule comes once, even if it names a QP twice.
 */
struct rf_index_node *rf_index_next(struct rf_index_cursor *cursor)
{
	struct rf_index_node *first = NULL, **at = cursor->at;
	u32 i;

	if (!cursor->at[RF_BY_PSN_REL] && !cursor->at[RF_BY_PSN] &&
	    !cursor->at[RF_BY_QP] && !cursor->at[RF_BY_NOTHING])
		return NULL;
	for (i = 0; i < RF_INDEX_LISTS; i++)
		if (at[i] && (!first || at[i]->order < first->order))
			first = at[i];
	for (i = 0; i < RF_INDEX_LISTS; i++)
		while (at[i] && at[i]->order == first->order)
			at[i] = rf_index_from(at[i]->next, cursor->value[i]);
	return first;
}
