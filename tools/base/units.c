// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and format numbers with and without units.
 *
 * Sizes are binary, as in nccl-tests: K, M, G and KiB, MiB, GiB are powers of 1024. KB, MB
 * and GB are refused, because they are powers of 1000 in some tools and of 1024 in others;
 * options that come from tc(8) accept tc's units. A time must have a unit, because a bare
 * number is seconds in one tool and microseconds in another. A rate must have a unit in
 * bits, because kbps means kilobytes in tc. A sign is refused, so "-1" is not read as
 * 2^32 - 1.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

#define PSN_TOP 0xffffffu
#define NDIGITS_MAX 9		/* maximum number of decimals; 1 ns is 10^-9 s */

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit sizes[] = {
	{ "", 1 }, { "B", 1 },
	{ "K", 1ull << 10 }, { "KiB", 1ull << 10 },
	{ "M", 1ull << 20 }, { "MiB", 1ull << 20 },
	{ "G", 1ull << 30 }, { "GiB", 1ull << 30 },
	{ }
};

/* Units of sizes in tc(8), in lower case; all are powers of 1024. */
static const struct unit tc_sizes[] = {
	{ "", 1 }, { "b", 1 },
	{ "k", 1ull << 10 }, { "kb", 1ull << 10 }, { "kib", 1ull << 10 },
	{ "m", 1ull << 20 }, { "mb", 1ull << 20 }, { "mib", 1ull << 20 },
	{ "g", 1ull << 30 }, { "gb", 1ull << 30 }, { "gib", 1ull << 30 },
	{ }
};

static const struct unit times[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	{ "m", 60000000000 }, { "h", 3600000000000 },
	{ }
};

static const struct unit rates[] = {
	{ "bit", 1 }, { "kbit", 1000 }, { "mbit", 1000000 },
	{ "gbit", 1000000000 }, { "tbit", 1000000000000 },
	{ "kibit", 1ull << 10 }, { "mibit", 1ull << 20 },
	{ "gibit", 1ull << 30 }, { "tibit", 1ull << 40 },
	{ }
};

static uint64_t unit_factor(const struct unit *u, const char *name)
{
	for (; u->name; u++)
		if (!strcmp(u->name, name))
			return u->factor;
	return 0;
}

/* Parse a decimal or hexadecimal integer. A leading zero does not mean octal: "010" is 10. */
static int parse_digits(const char *s, uint64_t *v, char **end)
{
	int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;

	if (!isdigit((unsigned char)s[0]))
		return -EINVAL;
	if (base == 16 && !isxdigit((unsigned char)s[2]))
		return -EINVAL;
	errno = 0;
	*v = strtoull(s, end, base);
	return errno ? -EINVAL : 0;
}

/**
 * rf_parse_u64 - parse an integer, decimal or hexadecimal with 0x
 * @s: the string
 * @v: gets the number
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_u64(const char *s, uint64_t *v)
{
	uint64_t n;
	char *end;

	if (parse_digits(s, &n, &end) || *end)
		return -EINVAL;
	*v = n;
	return 0;
}

static int parse_max(const char *s, uint64_t max, uint32_t *v)
{
	uint64_t n;

	if (rf_parse_u64(s, &n) || n > max)
		return -EINVAL;
	*v = n;
	return 0;
}

/**
 * rf_parse_u32 - parse an integer of at most 32 bits, decimal or hexadecimal with 0x
 * @s: the string
 * @v: gets the number
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_u32(const char *s, uint32_t *v)
{
	return parse_max(s, UINT32_MAX, v);
}

/**
 * rf_parse_psn - parse a PSN or QP number of 24 bits, decimal or hexadecimal with 0x
 * @s: the string
 * @psn: gets the number
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_psn(const char *s, uint32_t *psn)
{
	return parse_max(s, PSN_TOP, psn);
}

/* Parse the digits after a decimal point. @factor: the unit after the number, in base units */
static int parse_fraction(char **s, uint64_t factor, uint64_t *v)
{
	uint64_t num = 0, den = 1;
	int n = 0;

	for (; isdigit((unsigned char)**s); (*s)++) {
		if (++n > NDIGITS_MAX)
			return -EINVAL;
		num = num * 10 + (**s - '0');
		den *= 10;
	}
	if (!n || (__uint128_t)num * factor % den)
		return -EINVAL;
	*v = (__uint128_t)num * factor / den;
	return 0;
}

static const char *skip_digits(const char *s)
{
	return s + strspn(s, "0123456789");
}

/*
 * Parse a number with a unit and optional decimals, for example 1.5ms. The value must be an
 * integer in the base unit.
 */
static int parse_unit(const char *s, const struct unit *units, uint64_t *v)
{
	const char *name = skip_digits(s);
	uint64_t n, factor, frac = 0;
	char *end;

	if (name[0] == '.')
		name = skip_digits(name + 1);
	factor = unit_factor(units, name);
	if (!factor || !isdigit((unsigned char)s[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(s, &end, 10);
	if (errno || n > UINT64_MAX / factor)
		return -EINVAL;
	if (*end == '.') {
		end++;
		if (parse_fraction(&end, factor, &frac))
			return -EINVAL;
	}
	if (__builtin_add_overflow(n * factor, frac, v))
		return -EINVAL;
	return 0;
}

/**
 * rf_parse_size - parse a size
 * @s: digits and K, M, G, KiB, MiB, GiB, B or no unit
 * @bytes: gets the size in bytes
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_size(const char *s, uint64_t *bytes)
{
	uint64_t v;

	if (parse_unit(s, sizes, &v))
		return -EINVAL;
	*bytes = v;
	return 0;
}

/**
 * rf_parse_time - parse a time
 * @s: a number and ns, us, ms, s, m (minutes) or h
 * @ns: gets the time in nanoseconds
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_time(const char *s, uint64_t *ns)
{
	uint64_t v;

	if (parse_unit(s, times, &v))
		return -EINVAL;
	*ns = v;
	return 0;
}

static int parse_any_case(const char *s, const struct unit *units, uint64_t *v)
{
	char low[RF_FMT_LEN];
	size_t i;

	if (strlen(s) >= sizeof(low))
		return -EINVAL;
	for (i = 0; s[i]; i++)
		low[i] = tolower((unsigned char)s[i]);
	low[i] = '\0';
	return parse_unit(low, units, v);
}

/**
 * rf_parse_rate - parse a data rate
 * @s: a number and bit, kbit, mbit, gbit, tbit, kibit, mibit, gibit or tibit; the case
 * is ignored, as in tc
 * @bits: gets the rate in bits per second
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_rate(const char *s, uint64_t *bits)
{
	return parse_any_case(s, rates, bits);
}

/**
 * rf_parse_tc_size - parse a size with the units of tc(8)
 * @s: digits and no unit, b, k, kb, KiB and so on; the case is ignored
 * @bytes: gets the size in bytes
 *
 * Return: 0, or -EINVAL.
 */
int rf_parse_tc_size(const char *s, uint64_t *bytes)
{
	return parse_any_case(s, tc_sizes, bytes);
}

/*
 * Format @v exactly, so that parse_unit() returns the same number. The unit is the largest one,
 * up to @u, in which @v is at least 1.
 */
static char *exact(uint64_t v, const struct unit *units, const struct unit *u,
		   char buf[RF_FMT_LEN])
{
	uint64_t rest;
	char *end;
	int n;

	while (u > units && v < u->factor)
		u--;
	n = snprintf(buf, RF_FMT_LEN, "%" PRIu64 ".", v / u->factor);
	end = buf + n;
	for (rest = v % u->factor; rest; rest = rest * 10 % u->factor)
		*end++ = '0' + rest * 10 / u->factor;
	strcpy(end - (end[-1] == '.'), u->name);
	return buf;
}

/**
 * rf_exact_time - format a time exactly, in a form that rf_parse_time() accepts
 * @ns: the time in nanoseconds
 * @buf: gets the text
 *
 * The unit is ns, us, ms or s: the largest one in which the time is at least 1. Minutes and
 * hours are not used, because a fraction of a minute can have too many digits.
 *
 * Return: @buf.
 */
char *rf_exact_time(uint64_t ns, char buf[RF_FMT_LEN])
{
	return exact(ns, times, &times[3], buf);
}

/**
 * rf_exact_rate - format a rate exactly, in a form that rf_parse_rate() accepts
 * @bits: the rate in bits per second
 * @buf: gets the text
 *
 * The unit is bit, kbit, mbit or gbit: the largest one in which the rate is at least 1. tbit
 * is not used, because a fraction of it can have too many digits.
 *
 * Return: @buf.
 */
char *rf_exact_rate(uint64_t bits, char buf[RF_FMT_LEN])
{
	return exact(bits, rates, &rates[3], buf);
}

/**
 * rf_exact_size - format a size exactly, in a form that rf_parse_size() accepts
 * @bytes: the size
 * @buf: gets the text
 *
 * Return: @buf; the unit is the largest one that divides the size.
 */
char *rf_exact_size(uint64_t bytes, char buf[RF_FMT_LEN])
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB" };
	int i = 0;

	for (; bytes && !(bytes % 1024) && i < 3; i++)
		bytes /= 1024;
	snprintf(buf, RF_FMT_LEN, "%" PRIu64 "%s", bytes, names[i]);
	return buf;
}

/**
 * rf_fmt_time - format a time for output, with three significant digits
 * @ns: the time in nanoseconds
 * @buf: gets the text
 *
 * Return: @buf.
 */
char *rf_fmt_time(uint64_t ns, char buf[RF_FMT_LEN])
{
	static const struct unit *const scale[] = {
		&times[5], &times[3], &times[2], &times[1]
	};
	size_t i;

	for (i = 0; i < sizeof(scale) / sizeof(scale[0]); i++) {
		double v = (double)ns / scale[i]->factor;

		if (v < 0.9995)
			continue;
		snprintf(buf, RF_FMT_LEN, "%.*f %s",
			 v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, scale[i]->name);
		return buf;
	}
	snprintf(buf, RF_FMT_LEN, "%u ns", (unsigned int)ns);
	return buf;
}

/**
 * rf_fmt_size - format a size for output, in binary units
 * @bytes: the size
 * @buf: gets the text
 *
 * Return: @buf.
 */
char *rf_fmt_size(uint64_t bytes, char buf[RF_FMT_LEN])
{
	static const char *const names[] = { "KiB", "MiB", "GiB" };
	double v = bytes;
	int i = -1;

	while (v >= 1024 && i < 2) {
		v /= 1024;
		i++;
	}
	if (i < 0)
		snprintf(buf, RF_FMT_LEN, "%u B", (unsigned int)bytes);
	else
		snprintf(buf, RF_FMT_LEN, "%.4g %s", v, names[i]);
	return buf;
}

/**
 * rf_fmt_count - format a whole number with thousands separators
 * @n: the number
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_fmt_count(uint64_t n, char buf[32])
{
	char digits[32], *to = buf;
	int len = snprintf(digits, sizeof(digits), "%llu",
			   (unsigned long long)n);
	int i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return buf;
}

/**
 * rf_rnr_ns - get the time that a sender waits after an RNR NAK
 * @code: the RNR timer code: the low five bits of the syndrome (IBTA vol. 1, table 45)
 *
 * Return: the nominal time; rxe rounds it up to clock ticks.
 */
uint64_t rf_rnr_ns(uint32_t code)
{
	static const uint32_t us[32] = {
		655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920,
		2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720, 40960, 61440, 81920, 122880,
		163840, 245760, 327680, 491520,
	};

	return us[code & 31] * 1000ull;
}

/**
 * rf_fmt_things - format a number of things
 * @n: the number
 * @noun: what they are, in the singular; the plural ends with "s"
 * @buf: output buffer
 *
 * Return: @buf, for example "1 packet" or "2,000 packets".
 */
char *rf_fmt_things(uint64_t n, const char *noun, char buf[RF_THINGS_LEN])
{
	char count[32];

	snprintf(buf, RF_THINGS_LEN, "%s %s%s", rf_fmt_count(n, count), noun, n == 1 ? "" : "s");
	return buf;
}

#define COUNTED_DOLLARS_MAX 1e15	/* a smaller amount, in cents, fits into 64 bits */

/**
 * rf_fmt_dollars - format dollars; below one cent, with two significant digits
 * @dollars: the amount
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_fmt_dollars(double dollars, char buf[32])
{
	char whole[32];
	uint64_t cents;

	if (dollars > 0 && dollars < 0.01) {
		snprintf(buf, 32, "$%.2g", dollars);
		if (dollars >= 0.00001)
			snprintf(buf, 32, "$%.5f", dollars);
		return buf;
	}
	if (dollars >= COUNTED_DOLLARS_MAX) {
		snprintf(buf, 32, "$%.3g", dollars);
		return buf;
	}
	cents = dollars * 100 + 0.5;
	snprintf(buf, 32, "$%.22s.%02u", rf_fmt_count(cents / 100, whole),
		 (unsigned int)(cents % 100));
	return buf;
}
