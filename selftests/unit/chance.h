/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probabilities of counts. The random numbers are keyed, so a test gives the same result in
 * each run. A good random source exceeds the bounds in one of 1000 tests.
 */
#ifndef UNIT_CHANCE_H
#define UNIT_CHANCE_H

#include <math.h>
#include <stdbool.h>

#define CHANCE_MIN 0.0005

/*
 * Probability of a chi-squared of @x or more with @k degrees of freedom, by the
 * cube-root approximation of E. Wilson and M. Hilferty (1931).
 */
static inline double chi2_tail(double x, double k)
{
	double spread = 2 / (9 * k);
	double z = (cbrt(x / k) - (1 - spread)) / sqrt(spread);

	return erfc(z / sqrt(2)) / 2;
}

/* Is @x plausible: neither too far from the expected value nor suspiciously close to it? */
static inline bool chi2_good(double x, double k)
{
	double p = chi2_tail(x, k);

	return p > CHANCE_MIN && p < 1 - CHANCE_MIN;
}

static inline double chi2(const unsigned int *found, int bins, double expected)
{
	double sum = 0;
	int i;

	for (i = 0; i < bins; i++)
		sum += (found[i] - expected) * (found[i] - expected) / expected;
	return sum;
}

/* Is a deviation of @z standard deviations plausible? */
static inline bool z_good(double z)
{
	return erfc(fabs(z) / sqrt(2)) > 2 * CHANCE_MIN;
}

#endif
