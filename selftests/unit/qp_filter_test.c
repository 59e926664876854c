// SPDX-License-Identifier: GPL-2.0
/*
 * Test the set of QPs that rules name, while random rules are removed one by one.
 * rf_qp_filter_has() must be true exactly for the QPs of the remaining rules, which the test
 * finds by checking all rules.
 */
#include "../../kmod/flow/qp_filter.c"
#include "../../kmod/rule/params.h"
#include "tap.h"

#include <stdlib.h>

#define RULES	60
#define QPS	400		/* few QP numbers, so that many rules name the same QP */

static struct rf_match matches[RULES];
static bool any[RULES], there[RULES];

static u32 below(u32 n)
{
	return random() % n;
}

static struct rf_match random_match(u32 one_without_qp)
{
	struct rf_match m = { 0 };
	u32 i;

	if (below(one_without_qp) == 0)
		return m;
	m.qps = 1 + below(RDMAFAULT_QPS_MAX);
	for (i = 0; i < m.qps; i++)
		m.qp[i] = below(QPS) * 0x4001 & 0xffffff;
	return m;
}

static bool names(const struct rf_match *match, u32 qp)
{
	u32 i;

	for (i = 0; i < match->qps; i++)
		if (match->qp[i] == qp)
			return true;
	return false;
}

static bool rule_concerns(u32 qp)
{
	u32 i;

	for (i = 0; i < RULES; i++)
		if (there[i] && (any[i] || !matches[i].qps ||
				 names(&matches[i], qp)))
			return true;
	return false;
}

/*
 * Make the set of the QPs of random rules. On average, one in @one_without_qp rules names no QP,
 * and one in @one_for_all rules is for all QPs.
 */
static struct rf_qp_filter *make(u32 one_without_qp, u32 one_for_all)
{
	u32 i, qps = 0, bits;
	struct rf_qp_filter *set;

	for (i = 0; i < RULES; i++) {
		matches[i] = random_match(one_without_qp);
		any[i] = below(one_for_all) == 0;
		there[i] = true;
		qps += matches[i].qps;
	}
	bits = rf_qp_filter_bits(qps);
	set = calloc(1, rf_qp_filter_size(bits));
	rf_qp_filter_init(set, bits);
	for (i = 0; i < RULES; i++)
		rf_qp_filter_add(set, matches[i].qp, matches[i].qps, any[i]);
	return set;
}

static void as_brute_force_ok(u32 one_without_qp, u32 one_for_all)
{
	struct rf_qp_filter *set = make(one_without_qp, one_for_all);
	u32 i, n, qp, concerned = 0, unconcerned = 0;
	bool good = true;

	for (i = 0; i < RULES; i++) {
		for (n = 0; n < QPS; n++) {
			qp = n * 0x4001 & 0xffffff;
			good &= rf_qp_filter_has(set, qp) == rule_concerns(qp);
			*(rule_concerns(qp) ? &concerned : &unconcerned) += 1;
		}
		there[i] = false;
		rf_qp_filter_del(set, matches[i].qp, matches[i].qps, any[i]);
	}
	ok(good, "rf_qp_filter_has() agrees with brute force: 1 match in %u without QP, 1 rule in %u for all QPs",
	   one_without_qp, one_for_all);
	ok(concerned && unconcerned, "control: brute force found %u concerned and %u unconcerned QPs", concerned,
	   unconcerned);
	ok(!rf_qp_filter_has(set, 7), "rf_qp_filter_has() is false after all rules are removed");
	free(set);
}

static void empty_ok(void)
{
	struct rf_qp_filter *set = calloc(1, rf_qp_filter_size(rf_qp_filter_bits(0)));

	rf_qp_filter_init(set, rf_qp_filter_bits(0));
	ok(!rf_qp_filter_has(set, 0) && !rf_qp_filter_has(set, 0xffffff),
	   "rf_qp_filter_has() is false in an empty set for the lowest and the highest QP");
	free(set);
}

int main(void)
{
	srandom(1);
	as_brute_force_ok(1u << 31, 1u << 31);
	as_brute_force_ok(30, 1u << 31);
	as_brute_force_ok(1u << 31, 30);
	empty_ok();
	return done_testing();
}
