// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds (dimensions) of values in expectations. A time can be compared only with a time;
 * a size divided by a time is a rate. A share is a number that must be written with %, so
 * that 99.9 is not mistaken for 99.9 %.
 */
#include <ctype.h>
#include <string.h>

#include "expr.h"

#define NS_PER_S	1e9
#define BITS_PER_BYTE	8.0

#define TIME(factor)	factor, { .time = 1 }
#define BYTES(factor)	factor, { .bytes = 1 }
#define RATE(factor)	(factor) / BITS_PER_BYTE / NS_PER_S, { .bytes = 1, .time = -1 }

const char rf_dim_units[] = "%, ns, us, ms, s, m, h, B, KiB, MiB, GiB, bit, kbit, mbit, gbit and USD";

static const struct {
	const char *name;
	double factor;
	struct rf_dim dim;
} units[] = {
	{ "%", 0.01, { .share = true } },
	{ "ns", TIME(1) }, { "us", TIME(1e3) }, { "ms", TIME(1e6) },
	{ "s", TIME(1e9) }, { "m", TIME(60e9) }, { "h", TIME(3600e9) },
	{ "B", BYTES(1) }, { "KiB", BYTES(1024) },
	{ "MiB", BYTES(1048576) }, { "GiB", BYTES(1073741824) },
	{ "bit", RATE(1) }, { "kbit", RATE(1e3) }, { "mbit", RATE(1e6) },
	{ "gbit", RATE(1e9) },
	{ "USD", 1, { .dollars = 1 } },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

/**
 * rf_dim_take_unit - parse the unit that follows a number
 * @s: text after the number
 * @dim: set to the kind of the unit
 * @v: the number; it is multiplied by the factor of the unit
 *
 * Return: the text after the unit, or NULL if the unit is unknown.
 */
const char *rf_dim_take_unit(const char *s, struct rf_dim *dim, double *v)
{
	size_t len = *s == '%' ? 1 : 0, i;

	while (*s != '%' && isalpha((unsigned char)s[len]))
		len++;
	for (i = 0; i < UNITS; i++) {
		if (strlen(units[i].name) != len ||
		    strncmp(units[i].name, s, len))
			continue;
		*dim = units[i].dim;
		*v *= units[i].factor;
		return s + len;
	}
	return NULL;
}

/**
 * rf_dim_of_unit - get the kind of a metric
 * @unit: unit of the metric
 * @names: possible values, if @unit is RF_UNIT_WORD
 * @dim: set to the kind
 * @scale: set to the factor that converts a value of the metric to ns, bytes and dollars
 */
void rf_dim_of_unit(enum rf_unit unit, const struct rf_name *names,
		    struct rf_dim *dim, double *scale)
{
	*dim = (struct rf_dim){
		.time = (unit == RF_UNIT_TIME) - (unit == RF_UNIT_RATE),
		.bytes = unit == RF_UNIT_BYTES || unit == RF_UNIT_RATE,
		.dollars = unit == RF_UNIT_DOLLARS,
		.share = unit == RF_UNIT_SHARE,
		.names = unit == RF_UNIT_WORD ? names : NULL,
	};
	*scale = unit == RF_UNIT_RATE ? 1 / BITS_PER_BYTE / NS_PER_S : 1;
}

/**
 * rf_dim_same - check whether values of two kinds can be compared, added or subtracted
 * @a: a kind
 * @b: another kind
 *
 * Return: true if the kinds are equal.
 */
bool rf_dim_same(const struct rf_dim *a, const struct rf_dim *b)
{
	return a->time == b->time && a->bytes == b->bytes &&
	       a->dollars == b->dollars && a->share == b->share &&
	       a->names == b->names;
}

/**
 * rf_dim_join - compute the kind of the result of an operator
 * @op: the operator
 * @a: kind of its left side
 * @b: kind of its right side
 * @to: set to the kind of the result
 *
 * Return: false if the operator does not support these kinds.
 */
bool rf_dim_join(enum rf_op op, const struct rf_dim *a, const struct rf_dim *b,
		 struct rf_dim *to)
{
	int sign = op == RF_OP_DIV ? -1 : 1;

	*to = *a;
	if (op == RF_OP_ADD || op == RF_OP_SUB)
		return !a->names && rf_dim_same(a, b);
	to->time += sign * b->time;
	to->bytes += sign * b->bytes;
	to->dollars += sign * b->dollars;
	/* A share multiplied by a share or by a number is a share. */
	to->share = op == RF_OP_MUL && !to->time && !to->bytes &&
		    !to->dollars && (a->share || b->share);
	return !a->names && !b->names;
}

/**
 * rf_dim_name - describe the kind of a value, such as a time, for error messages
 * @dim: the kind
 *
 * Return: the description, with an example.
 */
const char *rf_dim_name(const struct rf_dim *dim)
{
	if (dim->names)
		return "a word";
	if (dim->share)
		return "a share, as 99.9%";
	if (dim->time == 1 && !dim->bytes && !dim->dollars)
		return "a time, as 5 ms";
	if (dim->bytes == 1 && !dim->time && !dim->dollars)
		return "a size, as 64 KiB";
	if (dim->bytes == 1 && dim->time == -1 && !dim->dollars)
		return "a rate, as 1 gbit";
	if (dim->dollars == 1 && !dim->time && !dim->bytes)
		return "money, as 5 USD";
	if (!dim->time && !dim->bytes && !dim->dollars)
		return "a number, as 1.5";
	return "a product of several kinds";
}
