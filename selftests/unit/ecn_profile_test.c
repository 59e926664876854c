// SPDX-License-Identifier: GPL-2.0
/*
 * The ECN profile: its corners, the queue that it goes by, whom it marks, and
 * that as many are hit as it says.
 */
#include <stdlib.h>

#include "../../kmod/draw.c"
#include "../../kmod/ecn_profile.c"
#include "chance.h"
#include "tap.h"

#define ONE	RDMAFAULT_PROBABILITY_ONE
#define S	1000000000ULL

static void corners_ok(void)
{
	/* A weight of 3 would show if the average were taken here. */
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
		ok(rf_ecn_chance(&c, t[i].queue) == t[i].chance,
		   "%llu bytes: %llu of 10^12", (unsigned long long)t[i].queue,
		   (unsigned long long)t[i].chance);
}

/* kmin == kmax is a step, as DCTCP has it; nothing is divided by 0. */
static void step_ok(void)
{
	struct rf_ecn_conf c = { .kmin = 3000, .kmax = 3000, .pmax = ONE / 2 };

	ok(!rf_ecn_chance(&c, 3000) && rf_ecn_chance(&c, 3001) == ONE,
	   "kmin at kmax is a step");
	c = (struct rf_ecn_conf){
		.kmax = RDMAFAULT_BYTES_MAX, .pmax = ONE,
	};
	ok(rf_ecn_chance(&c, RDMAFAULT_BYTES_MAX) == ONE &&
	   rf_ecn_chance(&c, RDMAFAULT_BYTES_MAX / 2) == ONE / 2 - 1,
	   "the largest thresholds lose no bit");
}

static void real_queue_ok(void)
{
	struct rf_ecn_conf c = { 0 };
	struct rf_ecn_state s = { 0 };

	ok(rf_ecn_queue(&s, &c, 12345, 1000, S) == 12345 &&
	   rf_ecn_queue(&s, &c, 7, 1000, S) == 7,
	   "without weight it is the queue itself");
	ok(s.serial == 2, "packets are counted");
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
	ok(!bad, "the average moves by a quarter: %d steps wrong", bad);
	ok(q == 10, "and arrives, up and down: %llu", (unsigned long long)q);
}

/* 8 Mbit/s are a byte per microsecond. */
static void phantom_ok(void)
{
	struct rf_ecn_conf c = { .phantom = 8000000 };
	struct rf_ecn_state s = { 0 };
	u64 t = 5 * S;

	ok(!rf_ecn_queue(&s, &c, 999999, 1000, t), "the real queue is nothing to it");
	ok(rf_ecn_queue(&s, &c, 0, 1000, t) == 1000, "a packet counts for the next");
	ok(rf_ecn_queue(&s, &c, 0, 1000, t + 500000) == 1500,
	   "it drains at its rate");
	ok(rf_ecn_queue(&s, &c, 0, 0, t + 2999000) == 1, "to the last byte");
	ok(!rf_ecn_queue(&s, &c, 0, 0, t + 3000000), "and then it is empty");
	ok(!rf_ecn_queue(&s, &c, 0, 1000, t + 3600 * S), "for ever");
}

/* A packet of 1 byte every 3 ns, at 1 byte per 3 ns less a millionth. */
static void phantom_rounds_nothing_ok(void)
{
	struct rf_ecn_conf c = { .phantom = 2666664000ULL };
	struct rf_ecn_state s = { 0 };
	u64 q = 0;
	u32 i;

	for (i = 0; i <= 10000000; i++)
		q = rf_ecn_queue(&s, &c, 0, 1, 3ULL * i);
	ok(q == 10, "nothing is rounded away in 10^7 packets: %llu",
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
	ok(!back && q == 2ULL << 30, "it ends at 2 GiB and doesn't wrap: %llu",
	   (unsigned long long)q);
	c.phantom = RDMAFAULT_RATE_MAX;
	ok(!rf_ecn_queue(&s, &c, 0, 0, 3600 * S), "the fastest drains it");
}

static void fate_ok(void)
{
	static const struct {
		u32 ect;
		u32 not_ect;
		enum rf_ecn_fate fate[4];
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
			ok(rf_ecn_fate(&c, ecn) == t[i].fate[ecn],
			   "ect %u, not-ect %u, field %u: %d", t[i].ect,
			   t[i].not_ect, ecn, t[i].fate[ecn]);
	}
}

/* As ecn.c draws: by priority and number */
static void share_ok(u64 queue, double p)
{
	static const struct rf_ecn_conf c = {
		.kmin = 1000, .kmax = 5000, .pmax = ONE / 5,
	};
	struct rf_draw_key key = { .seed = 1, .rule = 3 };
	const u32 n = 1000000;
	u32 hits = 0;
	double z;

	for (key.serial = 1; key.serial <= n; key.serial++)
		hits += rf_chance(rf_draw(&key, RF_DRAW_MARK),
				  rf_ecn_chance(&c, queue));
	z = (hits - n * p) / sqrt(n * p * (1 - p));
	ok(z_good(z), "%llu bytes: %u of %u marked, z = %.2f",
	   (unsigned long long)queue, hits, n, z);
}

int main(void)
{
	corners_ok();
	step_ok();
	real_queue_ok();
	average_ok();
	phantom_ok();
	phantom_rounds_nothing_ok();
	phantom_is_bounded_ok();
	fate_ok();
	share_ok(1100, 0.005);
	share_ok(3000, 0.1);
	share_ok(5000, 0.2);
	return done_testing();
}
