// SPDX-License-Identifier: GPL-2.0
/*
 * Test the ECN profile: the marking probability at the corners of the profile, the queue
 * length that the profile uses (instantaneous, average or phantom), which packets are marked
 * or dropped, and the fraction of packets that is marked.
 */
#include <linux/limits.h>
#include <stdlib.h>

#include "../../kmod/rand.c"
#include "../../kmod/queue/ecn.c"
#include "chance.h"
#include "tap.h"

#define ONE	RDMAFAULT_PROBABILITY_ONE
#define S	1000000000ULL

static void corners_ok(void)
{
	/*
	 * The average has a weight, but the probability depends only on the queue length that
	 * the test passes.
	 */
	static const struct rf_ecn_conf c = {
		.kmin = 1000, .kmax = 5000, .pmax = ONE / 5, .weight = 3,
	};
	static const struct {
		u64 queue;
		u64 chance;
	} t[] = {
		{ 0, 0 }, { 1000, 0 }, { 1001, ONE / 20000 },
		{ 2000, ONE / 20 }, { 3000, ONE / 10 }, { 5000, ONE / 5 },
		{ 5001, ONE }, { U64_MAX, ONE },
	};
	u32 i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++)
		ok(rf_ecn_probability(&c, t[i].queue) == t[i].chance,
		   "rf_ecn_probability() of %llu queued bytes is %llu of 10^12", (unsigned long long)t[i].queue,
		   (unsigned long long)t[i].chance);
}

/*
 * If kmin == kmax, the marking probability is a step, as in DCTCP. There must be no division
 * by 0.
 */
static void step_ok(void)
{
	struct rf_ecn_conf c = { .kmin = 3000, .kmax = 3000, .pmax = ONE / 2 };

	ok(!rf_ecn_probability(&c, 3000) && rf_ecn_probability(&c, 3001) == ONE,
	   "rf_ecn_probability() with kmin equal to kmax is a step from 0 to 1");
	c = (struct rf_ecn_conf){
		.kmax = RDMAFAULT_BYTES_MAX, .pmax = ONE,
	};
	ok(rf_ecn_probability(&c, RDMAFAULT_BYTES_MAX) == ONE &&
	   rf_ecn_probability(&c, RDMAFAULT_BYTES_MAX / 2) == ONE / 2 - 1,
	   "rf_ecn_probability() with the largest thresholds is exact");
}

static void real_queue_ok(void)
{
	struct rf_ecn_conf c = { 0 };
	struct rf_ecn_state s = { 0 };

	ok(rf_ecn_queue(&s, &c, 12345, 1000, S) == 12345 &&
	   rf_ecn_queue(&s, &c, 7, 1000, S) == 7,
	   "rf_ecn_queue() without a weight returns the queue length");
	ok(s.serial == 2, "rf_ecn_queue() counts packets");
}

static void average_ok(void)
{
	struct rf_ecn_conf c = { .weight = 2 };
	struct rf_ecn_state s = { 0 };
	double want = 0;
	int i, bad = 0;
	u64 q = 0;

	for (i = 0; i < 1000; i++) {
		u64 now = i < 500 ? 40000 : 10;

		want += (now - want) / 4;
		q = rf_ecn_queue(&s, &c, now, 0, 0);
		bad += fabs(q - want) > 1;
	}
	ok(!bad, "rf_ecn_queue() with weight 2 moves the average by a quarter of the difference: %d steps wrong", bad);
	ok(q == 10, "rf_ecn_queue() with weight 2 reaches the final queue length: %llu", (unsigned long long)q);
}

/* A phantom queue at 8 Mbit/s drains one byte per microsecond. */
static void phantom_ok(void)
{
	struct rf_ecn_conf c = { .phantom = 8000000 };
	struct rf_ecn_state s = { 0 };
	u64 t = 5 * S;

	ok(!rf_ecn_queue(&s, &c, 999999, 1000, t), "the phantom queue ignores the real queue");
	ok(rf_ecn_queue(&s, &c, 0, 1000, t) == 1000, "the phantom queue includes earlier packets");
	ok(rf_ecn_queue(&s, &c, 0, 1000, t + 500000) == 1500,
	   "the phantom queue drains at its rate");
	ok(rf_ecn_queue(&s, &c, 0, 0, t + 2999000) == 1, "the phantom queue drains to the last byte");
	ok(!rf_ecn_queue(&s, &c, 0, 0, t + 3000000), "the phantom queue is empty at the computed time");
	ok(!rf_ecn_queue(&s, &c, 0, 1000, t + 3600 * S), "the phantom queue stays empty");
}

/*
 * A packet of 1 byte arrives every 3 ns. The rate at which the phantom queue drains is lower than
 * this rate by a millionth, so the queue must grow very slowly.
 */
static void phantom_rounds_nothing_ok(void)
{
	struct rf_ecn_conf c = { .phantom = 2666664000ULL };
	struct rf_ecn_state s = { 0 };
	u64 q = 0;
	u32 i;

	for (i = 0; i <= 10000000; i++)
		q = rf_ecn_queue(&s, &c, 0, 1, 3ULL * i);
	ok(q == 10, "the phantom queue has no rounding error after 10^7 packets: %llu",
	   (unsigned long long)q);
}

static void phantom_is_bounded_ok(void)
{
	struct rf_ecn_conf c = { .phantom = RDMAFAULT_RATE_MIN };
	struct rf_ecn_state s = { 0 };
	u64 before = 0, q = 0;
	int back = 0;
	u32 i;

	for (i = 0; i < 100000; i++) {
		q = rf_ecn_queue(&s, &c, 0, 65536, S);
		back += q < before;
		before = q;
	}
	ok(!back && q == 2ULL << 30, "the phantom queue is limited to 2 GiB and does not overflow: %llu",
	   (unsigned long long)q);
	c.phantom = RDMAFAULT_RATE_MAX;
	ok(!rf_ecn_queue(&s, &c, 0, 0, 3600 * S), "the phantom queue drains at the largest rate");
}

static void action_ok(void)
{
	static const struct {
		u32 ect;
		u32 not_ect;
		enum rf_ecn_action action[4];
	} t[] = {
		{ RDMAFAULT_ECT_ANY, RDMAFAULT_NOT_ECT_LEAVE,
		  { RF_ECN_LEAVE, RF_ECN_MARK, RF_ECN_MARK, RF_ECN_LEAVE } },
		{ RDMAFAULT_ECT_ECT0, RDMAFAULT_NOT_ECT_MARK,
		  { RF_ECN_MARK, RF_ECN_LEAVE, RF_ECN_MARK, RF_ECN_LEAVE } },
		{ RDMAFAULT_ECT_ECT1, RDMAFAULT_NOT_ECT_DROP,
		  { RF_ECN_DROP, RF_ECN_MARK, RF_ECN_LEAVE, RF_ECN_LEAVE } },
	};
	u32 i, ecn;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct rf_ecn_conf c = {
			.ect = t[i].ect, .not_ect = t[i].not_ect,
		};

		for (ecn = 0; ecn < 4; ecn++)
			ok(rf_ecn_action(&c, ecn) == t[i].action[ecn],
			   "rf_ecn_action() with ect %u and not-ect %u for ECN field %u is %d", t[i].ect,
			   t[i].not_ect, ecn, t[i].action[ecn]);
	}
}

/* Draw the random numbers with the same key as ecn.c: the priority and the number of the packet. */
static void share_ok(u64 queue, double p)
{
	static const struct rf_ecn_conf c = {
		.kmin = 1000, .kmax = 5000, .pmax = ONE / 5,
	};
	struct rf_draw_key key = { .base = rf_draw_base(0, 1, 3, 0) };
	const u32 n = 1000000;
	u32 hits = 0;
	double z;

	for (key.serial = 1; key.serial <= n; key.serial++)
		hits += rf_chance(rf_draw(&key, RF_DRAW_MARK),
				  rf_ecn_probability(&c, queue));
	z = (hits - n * p) / sqrt(n * p * (1 - p));
	ok(z_good(z), "with %llu queued bytes, the right fraction is marked: %u of %u, z = %.2f",
	   (unsigned long long)queue, hits, n, z);
}

/* Profiles of two ports with the same seed select different packets. */
static void ports_ok(void)
{
	static struct rf_conf conf = {
		.prio[3].ecn = { .kmin = 1000, .kmax = 5000, .pmax = ONE / 2 },
	};
	struct rf_ecn_state here = { 0 }, there = { .draw_port = 1 };
	u32 hits = 0, both = 0;
	const u32 n = 100000;
	double z;

	for (here.serial = 1; here.serial <= n; here.serial++) {
		bool marked = rf_ecn_select(&here, &conf, 3, 5000, 1) != RF_ECN_LEAVE;

		there.serial = here.serial;
		hits += marked;
		both += marked && rf_ecn_select(&there, &conf, 3, 5000, 1) != RF_ECN_LEAVE;
	}
	z = (both - hits * 0.5) / sqrt(hits * 0.25);
	ok(hits > n / 3 && z_good(z), "two ports mark packets independently: %u of %u, z = %.2f",
	   both, hits, z);
}

int main(void)
{
	corners_ok();
	ports_ok();
	step_ok();
	real_queue_ok();
	average_ok();
	phantom_ok();
	phantom_rounds_nothing_ok();
	phantom_is_bounded_ok();
	action_ok();
	share_ok(1100, 0.005);
	share_ok(3000, 0.1);
	share_ok(5000, 0.2);
	return done_testing();
}
