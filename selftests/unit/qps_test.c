// SPDX-License-Identifier: GPL-2.0
/*
 * The set of QPs against brute force: while random rules go one by one, it
 * says of each QP what all that are left say together.
 */
#include "../../kmod/qps.c"
#include "tap.h"

#include <stdlib.h>

#define RULES	60
#define QPS	400		/* few numbers, so that many rules share one */

static struct rf_match matches[RULES];
static bool any[RULES], there[RULES];

static u32 below(u32 n)
{
	return random() % n;
}

static struct rf_match random_match(u32 nobody)
{
	struct rf_match m = { 0 };
	u32 i;

	if (below(nobody) == 0)
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

static bool all_say(u32 qp)
{
	u32 i;

	for (i = 0; i < RULES; i++)
		if (there[i] && (any[i] || !matches[i].qps ||
				 names(&matches[i], qp)))
			return true;
	return false;
}

/* One match in @nobody names no QP, one rule in @everybody is for all. */
static struct rf_qps *make(u32 nobody, u32 everybody)
{
	u32 i, qps = 0, bits;
	struct rf_qps *set;

	for (i = 0; i < RULES; i++) {
		matches[i] = random_match(nobody);
		any[i] = below(everybody) == 0;
		there[i] = true;
		qps += matches[i].qps;
	}
	bits = rf_qps_bits(qps);
	set = calloc(1, rf_qps_size(bits));
	set->bits = bits;
	for (i = 0; i < RULES; i++)
		rf_qps_add(set, &matches[i], any[i]);
	return set;
}

static void as_brute_force_ok(u32 nobody, u32 everybody)
{
	struct rf_qps *set = make(nobody, everybody);
	u32 i, n, qp, concerned = 0, strange = 0;
	bool good = true;

	for (i = 0; i < RULES; i++) {
		for (n = 0; n < QPS; n++) {
			qp = n * 0x4001 & 0xffffff;
			good &= rf_qps_concern(set, qp) == all_say(qp);
			*(all_say(qp) ? &concerned : &strange) += 1;
		}
		there[i] = false;
		rf_qps_del(set, &matches[i], any[i]);
	}
	ok(good, "one of %u names nobody, one of %u is for all: as brute force",
	   nobody, everybody);
	ok(concerned && strange, "%u times it was yes, %u times no", concerned,
	   strange);
	ok(!rf_qps_concern(set, 7), "without rules, nobody is concerned");
	free(set);
}

static void empty_ok(void)
{
	struct rf_qps *set = calloc(1, rf_qps_size(rf_qps_bits(0)));

	set->bits = rf_qps_bits(0);
	ok(!rf_qps_concern(set, 0) && !rf_qps_concern(set, 0xffffff),
	   "an empty set has neither the lowest QP nor the highest");
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
