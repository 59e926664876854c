// SPDX-License-Identifier: GPL-2.0
/*
 * Compute the size of a gradient, and the time to exchange it:
 *
 *	gradient = parameters * bytes per parameter
 *	once     = gradient * 8 / (NICs * rate)
 *	ring     = once * 2(n-1)/n
 *	share    = computing / (computing + once or ring)
 *
 * "Once" is a common simplification: each rank sends each byte of the gradient once. In
 * a ring of n ranks, each rank sends n-1 chunks of 1/n of the gradient to reduce and
 * n-1 chunks to distribute the sums, and receives as many at the same time. Each rank has
 * its own NICs. The share is the part of a step in which GPUs compute.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "units.h"

#define NS_A_SECOND 1e9
#define SECONDS_MAX 1e9		/* longer durations are printed with an exponent: 1.2e+10 s */
#define COUNT_MAX 1e15

/** rf_gradient - compute the size in bytes of a gradient with @bytes bytes per parameter */
double rf_gradient(double params, double bytes)
{
	return params * bytes;
}

/** rf_move_once - compute the seconds to send @bytes once over all NICs of a rank */
double rf_move_once(double bytes, const struct rf_net *net)
{
	return bytes * 8 / (net->nics * net->rate);
}

/** rf_move_ring - compute the seconds of an all-reduce of @bytes in a ring */
double rf_move_ring(double bytes, const struct rf_net *net)
{
	return rf_move_once(bytes, net) * 2 * (net->ranks - 1) / net->ranks;
}

/**
 * rf_efficiency - compute the share of the step time in which GPUs compute
 * @compute: seconds of computing
 * @network: seconds of the exchange, which does not overlap with computing
 *
 * Return: 0 to 1.
 */
double rf_efficiency(double compute, double network)
{
	return compute / (compute + network);
}

/** rf_nics_for - count the NICs to finish in @budget seconds; one NIC needs @seconds_of_one */
uint64_t rf_nics_for(double seconds_of_one, double budget)
{
	/* Tolerate rounding errors: 14 s with a budget of 2 s need 7 NICs, not 8. */
	return ceil(seconds_of_one / budget * (1 - 1e-12));
}

/**
 * rf_parse_count - parse a number with or without decimals
 * @s: digits, optionally followed by K, M, B (or G) or T (powers of 1000)
 * @v: the number
 *
 * Return: 0, or -EINVAL if @s is not a number from 1 to 10^15.
 */
int rf_parse_count(const char *s, double *v)
{
	static const char suffixes[] = "KMBT";
	size_t n = strspn(s, "0123456789.");
	double factor = 1;
	const char *at;
	char *end;

	if (!n || s[0] == '.')
		return -EINVAL;
	if (s[n]) {
		at = strchr(suffixes, s[n] == 'G' ? 'B' : s[n]);
		if (!at || s[n + 1])
			return -EINVAL;
		factor = pow(1000, at - suffixes + 1);
	}
	*v = strtod(s, &end) * factor;
	return end == s + n && *v >= 1 && *v <= COUNT_MAX ? 0 : -EINVAL;
}

/**
 * rf_fmt_decimal - format an amount with a decimal prefix, for example "1.62 TB"
 * @v: the amount
 * @unit: the unit; "" for a plain number, for example "175 B" (billion)
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_fmt_decimal(double v, const char *unit, char buf[RF_ESTIMATE_LEN])
{
	const char *prefix = unit[0] ? " kMGTPE" : " KMBT";

	for (; v >= 999.95 && prefix[1]; prefix++)
		v /= 1000;
	snprintf(buf, RF_ESTIMATE_LEN, "%.4g %.*s%s", v, *prefix != ' ', prefix,
		 unit);
	return buf;
}

/**
 * rf_fmt_seconds - format a duration with a suitable unit
 * @s: the duration in seconds
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_fmt_seconds(double s, char buf[RF_ESTIMATE_LEN])
{
	if (s < SECONDS_MAX)
		return rf_fmt_time(s * NS_A_SECOND + 0.5, buf);
	snprintf(buf, RF_ESTIMATE_LEN, "%.3g s", s);
	return buf;
}
