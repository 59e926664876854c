/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_QP_FILTER_H
#define RF_RULE_QP_FILTER_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <linux/hash.h>
#include "../rule/match.h"

/**
 * struct rf_qp - a place for a QP
 * @qp: the QP and RF_QP_THERE; 0: nothing, and never anything before
 * @rules: how many rules name it
 */
struct rf_qp {
	u32 qp;
	u32 rules;
};

#define RF_QP_THERE	0x80000000u

/**
 * struct rf_qps - the destination QPs that rules name
 * @rcu: for its end
 * @bits: log2 of the places
 * @any: how many rules are for all of them
 * @place: the places
 */
struct rf_qps {
	struct rcu_head rcu;
	u32 bits;
	u32 any;
	struct rf_qp place[];
};

u32 rf_qps_bits(u32 qps);
size_t rf_qps_size(u32 bits);
void rf_qps_add(struct rf_qps *qps, const struct rf_match *match, bool any);
void rf_qps_del(struct rf_qps *qps, const struct rf_match *match, bool any);

/**
 * rf_qps_place - where a QP is, or else where it would be
 * @qps: the set
 * @qp: destination QP, 24 bits
 *
 * Context: any.
 * Return: the place.
 */
static inline u32 rf_qps_place(const struct rf_qps *qps, u32 qp)
{
	u32 place = hash_32(qp, qps->bits), there;

	while ((there = READ_ONCE(qps->place[place].qp)) &&
	       there != (qp | RF_QP_THERE))
		place = (place + 1) & ((1u << qps->bits) - 1);
	return place;
}

/**
 * rf_qps_concern - may a rule concern the packets to a QP?
 * @qps: the set
 * @qp: destination QP, 24 bits
 *
 * Context: any; rules may be taken out meanwhile.
 * Return: false if none does.
 */
static inline bool rf_qps_concern(const struct rf_qps *qps, u32 qp)
{
	return READ_ONCE(qps->any) ||
	       READ_ONCE(qps->place[rf_qps_place(qps, qp)].qp);
}

#endif
