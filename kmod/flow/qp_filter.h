/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_QP_FILTER_H
#define RF_FLOW_QP_FILTER_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>

/**
 * struct rf_qp_slot - a slot for a QP
 * @qp: the QP | RF_QP_VALID; 0 if the slot was never in use
 * @rules: number of rules that name the QP
 */
struct rf_qp_slot {
	u32 qp;
	u32 rules;
};

#define RF_QP_VALID	0x80000000u

/**
 * struct rf_qp_filter - the destination QPs that the rules of a direction name
 * @rcu: frees the filter
 * @shift: 32 - log2 of the number of slots
 * @mask: number of slots - 1
 * @any: number of rules for all QPs
 * @slot: the slots
 */
struct rf_qp_filter {
	struct rcu_head rcu;
	u32 shift;
	u32 mask;
	u32 any;
	struct rf_qp_slot slot[];
};

u32 rf_qp_filter_bits(u32 qps);
size_t rf_qp_filter_size(u32 bits);
void rf_qp_filter_init(struct rf_qp_filter *filter, u32 bits);
void rf_qp_filter_add(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any);
void rf_qp_filter_del(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any);

/**
 * rf_qp_filter_hash - get the slot at which the search for a QP begins
 * @filter: the filter
 * @qp: destination QP, 24 bits
 *
 * Return: index of the slot, as hash_32() computes it.
 */
static inline u32 rf_qp_filter_hash(const struct rf_qp_filter *filter, u32 qp)
{
	return qp * GOLDEN_RATIO_32 >> filter->shift;
}

/**
 * rf_qp_filter_names - test whether a rule names a QP
 * @filter: the filter; QPs can be removed at the same time
 * @qp: destination QP, 24 bits
 *
 * Return: false if no rule names the QP.
 */
static __always_inline bool rf_qp_filter_names(const struct rf_qp_filter *filter, u32 qp)
{
	u32 slot = rf_qp_filter_hash(filter, qp), found;

	while ((found = READ_ONCE(filter->slot[slot].qp))) {
		if (found == (qp | RF_QP_VALID))
			return true;
		slot = (slot + 1) & filter->mask;
	}
	return false;
}

/**
 * rf_qp_filter_has - test whether the packets to a QP are tracked
 * @filter: the filter; QPs can be removed at the same time
 * @qp: destination QP, 24 bits
 *
 * Return: false if no rule can match a packet to the QP.
 */
static inline bool rf_qp_filter_has(const struct rf_qp_filter *filter, u32 qp)
{
	return READ_ONCE(filter->any) || rf_qp_filter_names(filter, qp);
}

#endif
