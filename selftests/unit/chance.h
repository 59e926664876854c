/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests of counts of random events: is a count plausible for its probability? The random
 * numbers are keyed, so a test gives the same result in each run. With a good random source,
 * one of 1000 tests exceeds the bounds.
 */
#ifndef UNIT_CHANCE_H
#define UNIT_CHANCE_H

#include <math.h>
#include <stdbool.h>

#define CHANCE_MIN 0.0005

/*
 * Return: the probability of a chi-squared value of @x or more with @k degrees of freedom, by
 * the cube-root approximation of E. Wilson and M. Hilferty (1931)
 */
static inline double chi2_tail(double x, double k)
{
	double spread = 2 / (9 * k);
	double z = (cbrt(x / k) - (1 - spread)) / sqrt(spread);

	return erfc(z / sqrt(2)) / 2;
}

/*
 * Return: true if @x is plausible, neither too far from the expected value nor suspiciously
 * close to it
 */
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

/* Return: true if a deviation of @z standard deviations is plausible */
static inline bool z_good(double z)
{
	return erfc(fabs(z) / sqrt(2)) > 2 * CHANCE_MIN;
}

#endif
