// SPDX-License-Identifier: GPL-2.0
/*
 * The QP filter of a direction: the destination QPs that its rules name, or all QPs
 * if a rule names none. Most packets of a port go to QPs that no rule names. Their
 * flows are untracked, and the hook needs only this filter for them.
 *
 * The filter is a hash table with linear probing. At most half of the slots are in
 * use, so an empty slot ends each search. When rules are added, a new filter is made.
 * When rules are removed, the slot of a QP that no other rule names is marked as
 * removed. Such a slot matches no QP and does not end a search, so readers need no
 * lock.
 */
#include <linux/compiler.h>

#include "flow.h"

#define BITS_MIN	4
#define REMOVED		1u	/* no QP, and not 0 */

/**
 * rf_qp_filter_bits - choose the size of a filter
 * @qps: maximum number of QPs; a QP counts once per rule that names it
 *
 * Return: log2 of the number of slots.
 */
u32 rf_qp_filter_bits(u32 qps)
{
	u32 bits = BITS_MIN;

	while (1ull << bits < 2ull * qps)
		bits++;
	return bits;
}

/**
 * rf_qp_filter_size - get the memory size of a filter
 * @bits: log2 of the number of slots
 *
 * Return: bytes.
 */
size_t rf_qp_filter_size(u32 bits)
{
	return sizeof(struct rf_qp_filter) + (sizeof(struct rf_qp_slot) << bits);
}

/**
 * rf_qp_filter_init - prepare an empty filter
 * @filter: memory of rf_qp_filter_size() bytes, all 0
 * @bits: log2 of the number of slots
 */
void rf_qp_filter_init(struct rf_qp_filter *filter, u32 bits)
{
	filter->shift = 32 - bits;
	filter->mask = (1u << bits) - 1;
}

/* The slot of a QP, or an empty slot if the filter lacks the QP */
static struct rf_qp_slot *qp_filter_slot(struct rf_qp_filter *filter, u32 qp)
{
	u32 slot = rf_qp_filter_hash(filter, qp);

	while (filter->slot[slot].qp && filter->slot[slot].qp != (qp | RF_QP_VALID))
		slot = (slot + 1) & filter->mask;
	return &filter->slot[slot];
}

/**
 * rf_qp_filter_add - add the QPs of a rule
 * @filter: the filter, which is not published yet
 * @qp: the QPs that the rule names
 * @qps: number of QPs; 0: all QPs
 * @any: the rule needs all QPs, although it names some
 */
void rf_qp_filter_add(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any)
{
	struct rf_qp_slot *slot;
	u32 i;

	filter->any += any || !qps;
	for (i = 0; i < qps; i++) {
		slot = qp_filter_slot(filter, qp[i]);
		slot->qp = qp[i] | RF_QP_VALID;
		slot->rules++;
	}
}

/**
 * rf_qp_filter_del - remove the QPs of a rule
 * @filter: the filter, which can have readers
 * @qp: as when they were added
 * @qps: likewise
 * @any: likewise
 *
 * Context: the caller serialises writers.
 */
void rf_qp_filter_del(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any)
{
	struct rf_qp_slot *slot;
	u32 i;

	if (any || !qps)
		WRITE_ONCE(filter->any, filter->any - 1);
	for (i = 0; i < qps; i++) {
		slot = qp_filter_slot(filter, qp[i]);
		if (!--slot->rules)
			WRITE_ONCE(slot->qp, REMOVED);
	}
}
