// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and format probabilities. Multiples of 10^-12 are exact. A probability can be a
 * decimal fraction up to 0.5 (0.001), a number with an exponent (1e-9), or a percentage
 * (0.1%). Above 0.5 the percent sign is required, because 1 means 1 % in tc(8).
 * Floating point is not used, because it cannot represent 0.1 exactly, and a printed
 * probability must be parsed as the same number.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

#define ONE_EXP 12			/* the probability 1 is stored as 10^12 */
#define ONE UINT64_C(1000000000000)
#define PERCENT (ONE / 100)
#define MANTISSA_MAX 18			/* any number with 18 digits fits into 64 bits */

/* A decimal number: mantissa * 10^exp */
struct decimal {
	uint64_t mantissa;
	int exp;
};

static int parse_mantissa(const char **s, struct decimal *d)
{
	bool point = false;
	int n = 0;

	for (;; (*s)++) {
		if (**s == '.' && !point && n && isdigit((unsigned char)(*s)[1])) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)**s))
			return n ? 0 : -EINVAL;
		if (++n > MANTISSA_MAX)
			return -EINVAL;
		d->mantissa = d->mantissa * 10 + (**s - '0');
		d->exp -= point;
	}
}

static int parse_exponent(const char **s, struct decimal *d)
{
	char *end;
	long exp;

	if (**s != 'e' && **s != 'E')
		return 0;
	(*s)++;
	if (!isdigit((unsigned char)(*s)[**s == '-' || **s == '+']))
		return -EINVAL;
	exp = strtol(*s, &end, 10);
	if (exp < -99 || exp > 99)
		return -EINVAL;
	d->exp += exp;
	*s = end;
	return 0;
}

/* Multiply @d by 10^12. Refuse a probability that is not a multiple of 10^-12, or is above 1. */
static int scale_decimal(const struct decimal *d, uint64_t *p)
{
	uint64_t v = d->mantissa;
	int exp = d->exp + ONE_EXP;

	for (; exp < 0 && v; exp++) {
		if (v % 10)
			return -EINVAL;
		v /= 10;
	}
	for (; exp > 0 && v; exp--) {
		if (v > ONE)
			return -EINVAL;
		v *= 10;
	}
	if (v > ONE)
		return -EINVAL;
	*p = v;
	return 0;
}

/* Parse a fraction or a percentage of any value up to 1. */
static int parse_any(const char *s, uint64_t *p, bool *percent)
{
	struct decimal d = {};

	if (parse_mantissa(&s, &d) || parse_exponent(&s, &d))
		return -EINVAL;
	*percent = *s == '%';
	if (*percent) {
		d.exp -= 2;
		s++;
	}
	return *s ? -EINVAL : scale_decimal(&d, p);
}

/**
 * rf_parse_probability - parse a probability
 * @s: a number from 0 to 0.5, or from 0% to 100%
 * @p: gets the probability in units of 10^-12
 *
 * Return: 0, or -EINVAL, also if the probability is not a multiple of 10^-12.
 */
int rf_parse_probability(const char *s, uint64_t *p)
{
	bool percent;
	uint64_t v;

	if (parse_any(s, &v, &percent) || (!percent && v > ONE / 2))
		return -EINVAL;
	*p = v;
	return 0;
}

/**
 * rf_probability_forms - get what a number without a percent sign can mean
 * @s: a text that rf_parse_probability() refuses
 * @buf: gets the text
 *
 * Return: @buf, for example "1% or 100%" for 1, or "5%" for 5; NULL if only the percent
 * sign does not make @s valid.
 */
char *rf_probability_forms(const char *s, char buf[RF_FORMS_LEN])
{
	char text[RF_FMT_LEN], percent[RF_FMT_LEN] = "", fraction[RF_FMT_LEN] = "";
	uint64_t p;
	bool has_sign;

	if (!parse_any(s, &p, &has_sign)) {
		if (has_sign || p <= ONE / 2)
			return NULL;
		rf_fmt_probability(p, fraction);
	}
	snprintf(text, sizeof(text), "%.*s%%", RF_FMT_LEN - 2, s);
	if (!parse_any(text, &p, &has_sign))
		rf_fmt_probability(p, percent);
	if (!*percent && !*fraction)
		return NULL;
	snprintf(buf, RF_FORMS_LEN, "%s%s%s", percent, *percent && *fraction ? " or " : "",
		 fraction);
	return buf;
}

/**
 * rf_fmt_probability - format a probability exactly, in a form that can be parsed again
 * @p: the probability in units of 10^-12
 * @buf: gets the text
 *
 * Return: @buf.
 */
char *rf_fmt_probability(uint64_t p, char buf[RF_FMT_LEN])
{
	int exp = -ONE_EXP;
	char *end;

	if (p && p < PERCENT / 10000) {
		for (; !(p % 10); exp++)
			p /= 10;
		snprintf(buf, RF_FMT_LEN, "%" PRIu64 "e%d", p, exp);
		return buf;
	}
	snprintf(buf, RF_FMT_LEN - 1, "%" PRIu64 ".%010" PRIu64, p / PERCENT,
		 p % PERCENT);
	for (end = buf + strlen(buf); end[-1] == '0'; end--)
		;
	strcpy(end - (end[-1] == '.'), "%");
	return buf;
}
