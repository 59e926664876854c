// SPDX-License-Identifier: GPL-2.0
/*
 * Test the statistics of iteration times against values computed by hand, and the
 * statistics of the rank that enters or leaves a collective last.
 */
#include "tools/collperf/stragglers.c"
#include "../../tools/collperf/spread.c"
#include "tap.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static void spread_of_few(void)
{
	const double times[] = { 4, 2, 8, 6 };
	struct cp_spread s;

	ok(cp_spread_of(times, 4, &s) == 0, "cp_spread_of() accepts four times");
	ok(s.min == 2 && s.max == 8 && s.avg == 5, "cp_spread_of() computes minimum, maximum and mean");
	ok(s.p50 == 6, "the median of an even number of times is the longer of the two in the middle");
	ok(s.p95 == 8 && s.p99 == 8, "p95 and p99 of few times are the longest time");
	ok(near(s.stdev, sqrt(5)), "the standard deviation is that of the population");
	ok(near(s.cv_pct, 20 * sqrt(5)), "the coefficient of variation is in percent of the mean");
	ok(times[0] == 4 && times[3] == 6, "cp_spread_of() does not change the times");
}

static void spread_of_one(void)
{
	const double time = 3, none[] = { 0, 0 };
	struct cp_spread s;

	cp_spread_of(&time, 1, &s);
	ok(s.min == 3 && s.max == 3 && s.p50 == 3 && s.p95 == 3 && s.p99 == 3 &&
	   s.stdev == 0 && s.cv_pct == 0, "a single time has no deviation");
	cp_spread_of(none, 2, &s);
	ok(s.cv_pct == 0, "times of 0 have a coefficient of variation of 0");
}

static void spread_of_many(void)
{
	double times[200];
	struct cp_spread s;

	for (int i = 0; i < 200; i++)
		times[(i * 77) % 200] = i + 1;
	cp_spread_of(times, 200, &s);
	ok(s.p50 == 101 && s.p95 == 190 && s.p99 == 198,
	   "percentiles of 1 to 200 are 101, 190, 198");
}

static void late_ranks(void)
{
	const struct cp_visit first[] = {
		{ 1000, 5000, 3000 }, { 1500, 6000, 100 }, { 1200, 4000, 500 },
	};
	const struct cp_visit second[] = {
		{ 7000, 9000, 10 }, { 9500, 9900, 20 }, { 8000, 9950, 30 },
	};
	struct cp_stragglers stragglers = { .steps = 0 };

	cp_stragglers_add(&stragglers, first, 3);
	ok(stragglers.steps == 1 && stragglers.in[1].times == 1 && !stragglers.in[0].times &&
	   !stragglers.in[2].times, "cp_stragglers_add() counts rank 1 as the last to enter");
	ok(near(cp_last_behind_us(&stragglers.in[1]), 0.5), "rank 1 entered 0.5 us after the first rank");
	ok(stragglers.out[1].times == 1 && near(cp_last_behind_us(&stragglers.out[1]), 2),
	   "rank 1 left last, 2 us after the first rank");
	cp_stragglers_add(&stragglers, second, 3);
	ok(stragglers.in[1].times == 2 && near(cp_last_behind_us(&stragglers.in[1]), 1.5),
	   "rank 1 entered last twice, 1.5 us after the first rank on average");
	ok(stragglers.out[1].times == 1 && stragglers.out[2].times == 1 &&
	   near(cp_last_behind_us(&stragglers.out[2]), 0.95), "rank 2 left last once, 0.95 us after the first rank");
	ok(cp_last_behind_us(&stragglers.in[0]) == 0, "a rank that was never last has a delay of 0");
	ok(stragglers.waited_ns[0] == 3010 && stragglers.waited_ns[1] == 120 &&
	   stragglers.waited_ns[2] == 530, "cp_stragglers_add() adds the waiting times per rank");
}

static void alone(void)
{
	const struct cp_visit visit = { 5, 9, 1 };
	struct cp_stragglers stragglers = { .steps = 0 };

	cp_stragglers_add(&stragglers, &visit, 1);
	ok(stragglers.in[0].times == 1 && stragglers.in[0].behind_ns == 0,
	   "a single rank is counted as last, with a delay of 0");
}

int main(void)
{
	spread_of_few();
	spread_of_one();
	spread_of_many();
	late_ranks();
	alone();
	return done_testing();
}
