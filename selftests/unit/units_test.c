// SPDX-License-Identifier: GPL-2.0
/* Test parsing and printing numbers with and without units. */
#include <string.h>

#include "../../tools/base/probability.c"
#include "../../tools/base/units.c"
#include "tap.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

struct good {
	const char *s;
	uint64_t v;
};

typedef int (*parser)(const char *s, uint64_t *v);

static void takes(const char *what, parser parse, const struct good *g,
		  size_t n)
{
	uint64_t v;

	for (; n--; g++) {
		v = ~g->v;
		ok(!parse(g->s, &v) && v == g->v, "%s: \"%s\" is %llu", what,
		   g->s, (unsigned long long)g->v);
	}
}

static void refuses(const char *what, parser parse, const char *const *s,
		    size_t n)
{
	uint64_t v;

	for (; n--; s++) {
		v = 42;
		ok(parse(*s, &v) == -EINVAL && v == 42,
		   "%s: \"%s\" is refused and the variable is not changed", what, *s);
	}
}

static void sizes_ok(void)
{
	static const struct good good[] = {
		{ "0", 0 }, { "4096", 4096 }, { "7B", 7 }, { "256K", 262144 },
		{ "256KiB", 262144 }, { "1M", 1 << 20 }, { "2G", 2ull << 30 },
		{ "1.5K", 1536 }, { "0.5MiB", 1 << 19 }, { "010", 10 },
		{ "18446744073709551615", UINT64_MAX },
	};

	takes("size", rf_parse_size, good, N(good));
}

static void sizes_fails(void)
{
	static const char *const bad[] = {
		"", "K", "-1", "+1", " 1", "1 K", "1KB", "1k", "1Kb", "1MB",
		"1T", "1.5", "1.K", ".5K", "1e3", "0x10", "1K1",
		"18446744073709551616", "17179869184G", "1.0000000001G",
	};

	refuses("size", rf_parse_size, bad, N(bad));
}

static void tc_sizes_ok(void)
{
	static const struct good good[] = {
		{ "0", 0 }, { "4096", 4096 }, { "7b", 7 }, { "100kb", 102400 },
		{ "64KiB", 65536 }, { "1m", 1 << 20 }, { "1.5MB", 3 << 19 },
		{ "2g", 2ull << 30 },
	};

	takes("tc's size", rf_parse_tc_size, good, N(good));
}

static void tc_sizes_fails(void)
{
	static const char *const bad[] = {
		"", "kb", "-1", "1 k", "1kbit", "1kbps", "1t", "1.5", "0x10",
		"17179869184g",
	};

	refuses("tc's size", rf_parse_tc_size, bad, N(bad));
}

static void size_goes_round(uint64_t v, const char *text)
{
	char buf[RF_FMT_LEN];
	uint64_t back = ~v, tc = ~v;

	ok(!strcmp(rf_exact_size(v, buf), text), "rf_exact_size() prints %llu bytes as %s: %s",
	   (unsigned long long)v, text, buf);
	ok(!rf_parse_size(buf, &back) && back == v &&
	   !rf_parse_tc_size(buf, &tc) && tc == v, "the size %s is parsed to the same number", buf);
}

static void sizes_go_round_ok(void)
{
	size_goes_round(0, "0B");
	size_goes_round(1000, "1000B");
	size_goes_round(1536, "1536B");
	size_goes_round(1536 * 1024, "1536KiB");
	size_goes_round(1ull << 40, "1024GiB");
}

static void times_ok(void)
{
	static const struct good good[] = {
		{ "0ns", 0 }, { "10ms", 10000000 }, { "1.5s", 1500000000 },
		{ "67us", 67000 }, { "0.25us", 250 }, { "3s", 3000000000 },
		{ "0.000000001s", 1 }, { "1m", 60000000000 }, { "1h", 3600000000000 },
		{ "0.5m", 30000000000 }, { "1.5h", 5400000000000 },
		{ "307445734m", 18446744040000000000u },
		{ "5124095h", 18446742000000000000u },
	};

	takes("time", rf_parse_time, good, N(good));
}

static void times_fails(void)
{
	static const char *const bad[] = {
		"", "10", "ms", "-1ms", "10 ms", "10MS", "10min", "1M", "1H", "1hr", "1d",
		"0.5ns", "0.0000000001s", "1.s", "18446744074s", "1e9ns",
		"10msec", "307445735m", "5124096h", "0.0000000001h",
	};

	refuses("time", rf_parse_time, bad, N(bad));
}

static void rates_ok(void)
{
	static const struct good good[] = {
		{ "0bit", 0 }, { "1bit", 1 }, { "1kbit", 1000 },
		{ "100mbit", 100000000 }, { "10gbit", 10000000000 },
		{ "10Gbit", 10000000000 }, { "1.5GBIT", 1500000000 },
		{ "10tbit", 10000000000000 }, { "1kibit", 1024 },
		{ "0.5gibit", 1 << 29 },
	};

	takes("rate", rf_parse_rate, good, N(good));
}

static void rates_fails(void)
{
	static const char *const bad[] = {
		"", "bit", "10", "10g", "-1gbit", "10kbps", "10mbps", "1 gbit",
		"10gbits", "0.5bit", "1.0000000001gbit", "18446745tbit",
		"1000000000000000000000000000000gbit",
	};

	refuses("rate", rf_parse_rate, bad, N(bad));
}

static void rate_goes_round(uint64_t v, const char *text)
{
	char buf[RF_FMT_LEN];
	uint64_t back = ~v;

	ok(!strcmp(rf_exact_rate(v, buf), text), "rf_exact_rate() prints %llu bit/s as %s: %s",
	   (unsigned long long)v, text, buf);
	ok(!rf_parse_rate(buf, &back) && back == v, "the rate %s is parsed to the same number", buf);
}

static void rates_go_round_ok(void)
{
	rate_goes_round(0, "0bit");
	rate_goes_round(1000000, "1mbit");
	rate_goes_round(1500000001, "1.500000001gbit");
	rate_goes_round(10000000000001, "10000.000000001gbit");
}

static void numbers_ok(void)
{
	static const struct good good[] = {
		{ "0", 0 }, { "7", 7 }, { "010", 10 }, { "0x10", 16 },
		{ "0XfF", 255 }, { "18446744073709551615", UINT64_MAX },
	};

	takes("number", rf_parse_u64, good, N(good));
}

static void numbers_fails(void)
{
	static const char *const bad[] = {
		"", "-1", "+1", " 1", "1 ", "0x", "0xg", "x1", "1K", "1.0",
		"18446744073709551616",
	};

	refuses("number", rf_parse_u64, bad, N(bad));
}

static void limits_ok(void)
{
	uint32_t v = 1;

	ok(!rf_parse_u32("4294967295", &v) && v == UINT32_MAX,
	   "rf_parse_u32() accepts the largest value");
	ok(rf_parse_u32("4294967296", &v) && v == UINT32_MAX,
	   "rf_parse_u32() refuses one more than the largest value");
	ok(!rf_parse_psn("0xffffff", &v) && v == 0xffffff,
	   "rf_parse_psn() accepts the largest PSN");
	ok(rf_parse_psn("0x1000000", &v) && v == 0xffffff,
	   "rf_parse_psn() refuses one more than the largest PSN");
	ok(rf_parse_psn("16777216", &v), "rf_parse_psn() refuses one more than the largest PSN in decimal");
}

static void formats_ok(void)
{
	static const struct {
		uint64_t v;
		const char *time, *size;
	} t[] = {
		{ 0, "0 ns", "0 B" }, { 999, "999 ns", "999 B" },
		{ 1024, "1.02 us", "1 KiB" }, { 1536, "1.54 us", "1.5 KiB" },
		{ 999999, "1.00 ms", "976.6 KiB" },
		{ 9999000, "10.0 ms", "9.536 MiB" },
		{ 67108864, "67.1 ms", "64 MiB" },
		{ 262144, "262 us", "256 KiB" },
		{ 1500000000, "1.50 s", "1.397 GiB" },
	};
	char buf[RF_FMT_LEN];
	size_t i;

	for (i = 0; i < N(t); i++) {
		ok(!strcmp(rf_fmt_time(t[i].v, buf), t[i].time),
		   "rf_fmt_time() prints %llu ns as %s: %s", (unsigned long long)t[i].v,
		   t[i].time, buf);
		ok(!strcmp(rf_fmt_size(t[i].v, buf), t[i].size),
		   "rf_fmt_size() prints %llu bytes as %s: %s", (unsigned long long)t[i].v,
		   t[i].size, buf);
	}
}

static void probabilities_ok(void)
{
	static const struct good good[] = {
		{ "0", 0 }, { "0%", 0 }, { "0.0", 0 }, { "0e99", 0 },
		{ "100%", 1000000000000 },
		{ "1%", 10000000000 }, { "0.001", 1000000000 },
		{ "1e-9", 1000 }, { "1E-12", 1 }, { "0.0000000001%", 1 },
		{ "12.5e-1%", 12500000000 }, { "0.5", 500000000000 },
		{ "0.1e+1%", 10000000000 },
		{ "0.000000000001", 1 }, { "33.3333333333%", 333333333333 },
	};

	takes("probability", rf_parse_probability, good, N(good));
}

static void probabilities_fails(void)
{
	static const char *const bad[] = {
		"", "%", "-1%", "+1%", "101%", "1.000000000001", "1e-13",
		"0.0000000000001", "1e", "1e-", "1e--3", "1e-100", ".5", "5.",
		"1.2.3", "1%%", "1 %", "0x1", "1e13", "1234567890123456789",
		"nan", "inf", "0.500000000001", "1", "0.1e+1", "100",
	};

	refuses("probability", rf_parse_probability, bad, N(bad));
}

/* The text of an error about a probability has all meanings of a number without "%". */
static void probability_forms_ok(void)
{
	static const struct {
		const char *text, *forms;
	} rows[] = {
		{ "1", "1% or 100%" }, { "0.75", "0.75% or 75%" }, { "5", "5%" },
		{ "100", "100%" }, { "0.500000000001", "50.0000000001%" },
		{ "0.5", NULL }, { "1%", NULL }, { "101", NULL }, { "x", NULL },
	};
	char buf[RF_FORMS_LEN];
	size_t i;

	for (i = 0; i < N(rows); i++) {
		const char *got = rf_probability_forms(rows[i].text, buf);

		ok(got && rows[i].forms ? !strcmp(got, rows[i].forms) : !got && !rows[i].forms,
		   "the probability %s can mean %s: %s", rows[i].text,
		   rows[i].forms ? rows[i].forms : "nothing else", got ? got : "nothing else");
	}
}

/* Format a number and parse the text again. The result must be the same number. */
static void goes_round(uint64_t v, const char *p_text, const char *t_text)
{
	char buf[RF_FMT_LEN];
	uint64_t back = ~v;

	ok(!strcmp(rf_fmt_probability(v, buf), p_text), "rf_fmt_probability() prints %llu as %s: %s",
	   (unsigned long long)v, p_text, buf);
	ok(!rf_parse_probability(buf, &back) && back == v, "the probability %s is parsed to the same number", buf);
	ok(!strcmp(rf_exact_time(v, buf), t_text), "rf_exact_time() prints %llu ns as %s: %s",
	   (unsigned long long)v, t_text, buf);
	ok(!rf_parse_time(buf, &back) && back == v, "the time %s is parsed to the same number", buf);
}

static void round_trips_ok(void)
{
	goes_round(0, "0%", "0ns");
	goes_round(1, "1e-12", "1ns");
	goes_round(1000, "1e-9", "1us");
	goes_round(999999, "999999e-12", "999.999us");
	goes_round(1000000, "0.0001%", "1ms");
	goes_round(1234567890, "0.123456789%", "1.23456789s");
	goes_round(10000000000, "1%", "10s");
	goes_round(999999999999, "99.9999999999%", "999.999999999s");
	goes_round(1000000000000, "100%", "1000s");
}

static void things_ok(void)
{
	char buf[RF_THINGS_LEN];

	ok(!strcmp(rf_fmt_things(1, "step", buf), "1 step"), "one thing is singular");
	ok(!strcmp(rf_fmt_things(0, "step", buf), "0 steps"), "no things are plural");
	ok(!strcmp(rf_fmt_things(1234567, "lost packet", buf), "1,234,567 lost packets"),
	   "many things are plural, with separators");
}

/* IBTA vol. 1, table 45; only the low five bits of a syndrome are the code. */
static void rnr_ok(void)
{
	ok(rf_rnr_ns(0) == 655360000 && rf_rnr_ns(1) == 10000 && rf_rnr_ns(12) == 640000 &&
	   rf_rnr_ns(25) == 61440000 && rf_rnr_ns(31) == 491520000, "RNR timer codes are times");
	ok(rf_rnr_ns(0x2c) == rf_rnr_ns(12), "the RNR timer code is the end of the syndrome");
}

int main(void)
{
	things_ok();
	rnr_ok();
	sizes_ok();
	sizes_fails();
	tc_sizes_ok();
	tc_sizes_fails();
	sizes_go_round_ok();
	times_ok();
	times_fails();
	rates_ok();
	rates_fails();
	rates_go_round_ok();
	numbers_ok();
	numbers_fails();
	limits_ok();
	formats_ok();
	probabilities_ok();
	probabilities_fails();
	probability_forms_ok();
	round_trips_ok();
	return done_testing();
}
