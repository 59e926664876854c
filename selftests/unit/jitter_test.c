// SPDX-License-Identifier: GPL-2.0
/*
 * Test the distributions of the jitter: quantiles over the whole table, and the mean,
 * deviation and correlation of many random delays. The expected values are computed in
 * floating point from the formula of each distribution.
 */
#include <math.h>
#include <stdlib.h>

#include "../../kmod/rand.c"
/* jitter.c needs only the prototype of fault.h, which includes headers that are missing here. */
#define RF_FAULT_H
#include "../../kmod/fault/jitter.c"
#include "tap.h"

#define DRAWS	200000
#define MS	1000000.

static struct rf_action delay(u32 distribution, double correlation)
{
	return (struct rf_action){
		.delay = 100 * MS, .jitter = 10 * MS,
		.distribution = distribution,
		.jitter_correlation = correlation * RDMAFAULT_PROBABILITY_ONE,
	};
}

/* The normal distribution function */
static double phi(double x)
{
	return erfc(-x / sqrt(2)) / 2;
}

static double pareto_quantile(double u)
{
	return fmin(4, (pow(u, -1 / 3.) - 1.5) * 4 / 3);
}

static void normal_quantiles_ok(void)
{
	double worst = 0, p, wanted;
	u64 u;

	for (u = 1ull << 13; u < 1ull << 32; u += u < 1 << 24 ? 997 : 99991) {
		wanted = u / 4294967296.;
		p = phi(-shape(RDMAFAULT_DISTRIBUTION_NORMAL, u) / 65536.);
		worst = fmax(worst, fabs(p - wanted) /
			     fmin(wanted, 1 - wanted));
	}
	ok(worst < 0.01,
	   "normal distribution: relative error of the tail probabilities is below 1 %%: %.2g", worst);
}

static void pareto_quantiles_ok(void)
{
	double worst = 0;
	u64 u;

	for (u = 1; u < 1ull << 32; u += u < 1 << 24 ? 997 : 99991)
		worst = fmax(worst,
			     fabs(shape(RDMAFAULT_DISTRIBUTION_PARETO, u) / 65536. -
				  pareto_quantile(u / 4294967296.)));
	ok(worst < 0.04, "pareto distribution: error of the quantiles is below 0.04 jitters: %.2g",
	   worst);
}

/*
 * Compute the mean, the standard deviation and the correlation of consecutive values. Mean and
 * deviation are in units of the jitter.
 */
static void moments(const struct rf_action *action, double *mean,
		    double *deviation, double *correlation)
{
	struct rf_draw_key key = { .base = rf_draw_base(0, 7, 0, 0), .flow = 99, .attempt = 1 };
	double x, last = 0, sum = 0, squares = 0, products = 0;
	int i;

	for (i = 0; i < DRAWS; i++) {
		key.serial = i;
		x = (rf_jitter(action, &key, 0) / MS - 100) / 10;
		sum += x;
		squares += x * x;
		products += x * last;
		last = x;
	}
	*mean = sum / DRAWS;
	*deviation = sqrt(squares / DRAWS - *mean * *mean);
	*correlation = (products / DRAWS - *mean * *mean) /
		       (*deviation * *deviation);
}

static void check(const char *what, struct rf_action action, double mean,
		  double deviation, double correlation)
{
	double m, d, c;

	moments(&action, &m, &d, &c);
	ok(fabs(m - mean) < 0.02 && fabs(d - deviation) < 0.02 &&
	   fabs(c - correlation) < 0.02,
	   "%s distribution has the right mean, deviation and correlation: %.3f, %.3f, %.3f", what, m, d, c);
}

/*
 * A correlated number is r times the previous number plus (1 - r) times a new number. Its
 * variance is (1 - r)^2 / (1 - r^2) times the variance of a new number. The first number of
 * each block is not correlated, which at r = 0.5 changes only the third digit of the results.
 */
static void moments_ok(void)
{
	double uniform = 1 / sqrt(3), half = sqrt(0.25 / 0.75);

	check("uniform", delay(RDMAFAULT_DISTRIBUTION_UNIFORM, 0), 0, uniform,
	      0);
	check("normal", delay(RDMAFAULT_DISTRIBUTION_NORMAL, 0), 0, 1, 0);
	/*
	 * A Pareto value is 4/3 (u^(-1/3) - 3/2), where u is uniform between 0 and 1. The
	 * value is limited to 4: then u^(-1/3) is 4.5. The limit reduces the mean from 0 by
	 * 4/3 / (2 * 4.5^2), and the mean of the squares of u^(-1/3) from 3 to 3 - 2 / 4.5.
	 */
	check("pareto", delay(RDMAFAULT_DISTRIBUTION_PARETO, 0), -0.033, 0.821,
	      0);
	check("correlated uniform",
	      delay(RDMAFAULT_DISTRIBUTION_UNIFORM, 0.5), 0, uniform * half,
	      0.5);
}

static void whole_correlation_ok(void)
{
	struct rf_action action = delay(RDMAFAULT_DISTRIBUTION_UNIFORM, 1);
	struct rf_draw_key key = { .base = rf_draw_base(0, 7, 0, 0), .serial = 0 };
	u64 first = rf_jitter(&action, &key, 0);
	bool same = true;

	for (key.serial = 1; key.serial < 256; key.serial++)
		same &= llabs((s64)(rf_jitter(&action, &key, 0) - first)) <
			MS / 1000;
	ok(same, "a correlation of 1 gives the same jitter for a block of PSNs");
}

static void bounds_ok(void)
{
	struct rf_action action = delay(RDMAFAULT_DISTRIBUTION_UNIFORM, 0);
	struct rf_draw_key key = { .base = rf_draw_base(0, 1, 0, 0) };
	u64 least = UINT64_MAX, most = 0, x;

	action.delay = action.jitter = RDMAFAULT_HOLD_MAX;
	for (key.serial = 0; key.serial < DRAWS; key.serial++) {
		x = rf_jitter(&action, &key, 0);
		least = x < least ? x : least;
		most = x > most ? x : most;
	}
	ok(most <= 2 * RDMAFAULT_HOLD_MAX && most > 1.99 * RDMAFAULT_HOLD_MAX &&
	   least < 0.01 * RDMAFAULT_HOLD_MAX,
	   "delay and jitter of the maximum give delays from 0 to twice the maximum without overflow");
	action.delay = 0;
	key.serial = 0;
	for (most = 0; key.serial < 1000; key.serial++)
		most += !rf_jitter(&action, &key, 0);
	ok(most > 400 && most < 600, "a negative sum of delay and jitter is 0");
}

static void places_ok(void)
{
	struct rf_action action = delay(RDMAFAULT_DISTRIBUTION_NORMAL, 0);
	struct rf_draw_key key = { .base = rf_draw_base(0, 1, 0, 0) };

	ok(rf_jitter(&action, &key, 0) == rf_jitter(&action, &key, 0) &&
	   rf_jitter(&action, &key, 0) != rf_jitter(&action, &key, 1),
	   "the same packet gets the same jitter, and two actions of a rule different ones");
}

int main(void)
{
	normal_quantiles_ok();
	pareto_quantiles_ok();
	moments_ok();
	whole_correlation_ok();
	bounds_ok();
	places_ok();
	return done_testing();
}
