// SPDX-License-Identifier: GPL-2.0
/*
 * Whom the rules of a direction concern: the set of the destination QPs that
 * they name, or everybody, if one of them is for all. Most packets of a port
 * are of QPs that nobody has named, and this is all that has to be known of
 * them.
 *
 * A hash table with linear probing that is at most half full, so there is always
 * an empty place that ends a search. It is made anew when rules come, and looked
 * at without a lock. When rules go, a QP that none names any more leaves a place
 * that matches nothing and doesn't end a search: so one that is under way finds
 * all that stays.
 */
#include <linux/compiler.h>

#include "qp_filter.h"

#define BITS_MIN	4
#define GONE		1u	/* not there, and not 0 */

/**
 * rf_qps_bits - how many places to have
 * @qps: the most QPs that there will be, each counted as often as it is named
 *
 * Context: any.
 * Return: log2 of the places.
 */
u32 rf_qps_bits(u32 qps)
{
	u32 bits = BITS_MIN;

	while (1ull << bits < 2ull * qps)
		bits++;
	return bits;
}

/**
 * rf_qps_size - memory for a set
 * @bits: log2 of the places; to be put into the set, the rest of which has to be 0
 *
 * Context: any.
 * Return: bytes.
 */
size_t rf_qps_size(u32 bits)
{
	return sizeof(struct rf_qps) + (sizeof(struct rf_qp) << bits);
}

/**
 * rf_qps_add - those whom one more rule concerns
 * @qps: the set, which nobody sees yet, made for so many
 * @match: what the rule asks for
 * @any: it concerns everybody, whom ever it names
 *
 * Context: any; the caller serialises.
 */
void rf_qps_add(struct rf_qps *qps, const struct rf_match *match, bool any)
{
	struct rf_qp *place;
	u32 i;

	qps->any += any || !match->qps;
	for (i = 0; i < match->qps; i++) {
		place = &qps->place[rf_qps_place(qps, match->qp[i])];
		place->qp = match->qp[i] | RF_QP_THERE;
		place->rules++;
	}
}

/**
 * rf_qps_del - a rule goes
 * @qps: the set, which may be looked at
 * @match: what the rule has asked for
 * @any: as it was added
 *
 * Context: any; the caller serialises.
 */
void rf_qps_del(struct rf_qps *qps, const struct rf_match *match, bool any)
{
	struct rf_qp *place;
	u32 i;

	if (any || !match->qps)
		WRITE_ONCE(qps->any, qps->any - 1);
	for (i = 0; i < match->qps; i++) {
		place = &qps->place[rf_qps_place(qps, match->qp[i])];
		if (!--place->rules)
			WRITE_ONCE(place->qp, GONE);
	}
}
