// SPDX-License-Identifier: GPL-2.0
/*
 * Test gradient sizes, transfer times and formats of "rdmafault cost". The expected values were
 * computed independently of the code under test.
 */
#include <math.h>
#include <string.h>

#include "../../tools/base/units.c"
#include "tools/analysis/cost.c"
#include "tools/analysis/estimate.c"
#include "tap.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fabs(b) + 1e-12;
}

static void gradients_ok(void)
{
	static const struct {
		const char *params;
		double bytes, size;
	} rows[] = {
		{ "25M", 4, 100e6 }, { "7B", 4, 28e9 }, { "175B", 4, 700e9 },
		{ "175G", 2, 350e9 }, { "405B", 4, 1.62e12 },
		{ "1.8T", 4, 7.2e12 }, { "70B", 2, 140e9 }, { "4810", 4, 19240 },
	};
	double params;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ok(!rf_parse_count(rows[i].params, &params) &&
		   near(rf_gradient(params, rows[i].bytes), rows[i].size),
		   "the gradient of %s parameters of %g bytes has %g bytes", rows[i].params, rows[i].bytes,
		   rows[i].size);
	}
}

static void counts_fails(void)
{
	static const char *const bad[] = {
		"", "-1", "0", "0.5", "K", ".5K", "7 B", "7b", "7BB", "1e9",
		"1.2.3", "7X", "1001T", "inf", "nan", "0x10",
	};
	double v;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(rf_parse_count(bad[i], &v) == -EINVAL, "rf_parse_count() refuses \"%s\"", bad[i]);
}

static void moves_ok(void)
{
	struct rf_net net = { .nics = 1, .rate = 400e9, .ranks = 2 };

	ok(near(rf_move_once(700e9, &net), 14), "moving 700 GB once at 400 Gbit/s takes 14 s");
	ok(near(rf_move_ring(700e9, &net), 14),
	   "in a ring of 2 ranks, each rank sends the gradient once");
	net.ranks = 4;
	ok(near(rf_move_ring(700e9, &net), 21), "in a ring of 4 ranks, each rank sends 1.5 times the gradient");
	net.nics = 8;
	ok(near(rf_move_once(700e9, &net), 1.75), "moving 700 GB with 8 NICs takes an eighth of the time");
	ok(near(rf_efficiency(200e-6, 2e-3), 1 / 11.), "200 us of computing and 2 ms of moving have an efficiency of 1/11");
	net.ranks = 1;
	ok(!rf_move_ring(700e9, &net), "a single rank sends nothing");
}

static void nics_ok(void)
{
	ok(rf_nics_for(14, 2) == 7, "rf_nics_for() 14 s in 2 s is 7");
	ok(rf_nics_for(14.001, 2) == 8, "rf_nics_for() 14.001 s in 2 s is 8");
	ok(rf_nics_for(0.1, 2) == 1, "rf_nics_for() is at least 1");
	ok(rf_nics_for(.3, .1) == 3, "rf_nics_for() 0.3 s in 0.1 s is 3, in spite of binary rounding");
	ok(rf_nics_for(1.1, .1) == 11, "rf_nics_for() 1.1 s in 0.1 s is 11, in spite of binary rounding");
	ok(rf_nics_for(3 * (1 + 5e-13), 1) == 3 && rf_nics_for(3 * (1 + 2e-12), 1) == 4,
	   "rf_nics_for() rounds up from an excess of 10^-12");
}

static void formats_ok(void)
{
	char buf[RF_ESTIMATE_LEN];

	ok(!strcmp(rf_fmt_decimal(1.62e12, "B", buf), "1.62 TB"), "rf_fmt_decimal() prints 1.62e12 bytes as %s", buf);
	ok(!strcmp(rf_fmt_decimal(400e9, "bit/s", buf), "400 Gbit/s"), "rf_fmt_decimal() prints 400e9 bit/s as %s", buf);
	ok(!strcmp(rf_fmt_decimal(175e9, "", buf), "175 B"), "rf_fmt_decimal() prints the number 175e9 as %s", buf);
	ok(!strcmp(rf_fmt_decimal(999, "B", buf), "999 B"), "rf_fmt_decimal() prints 999 bytes as %s", buf);
	ok(!strcmp(rf_fmt_decimal(999999, "B", buf), "1 MB"), "rf_fmt_decimal() prints 999999 bytes as %s", buf);
	ok(!strcmp(rf_fmt_decimal(8e15, "B", buf), "8 PB"), "rf_fmt_decimal() prints 8e15 bytes as %s", buf);
	ok(!strcmp(rf_fmt_dollars(2e21, buf), "$2e+21"), "rf_fmt_dollars() prints 2e21 as %s", buf);
	ok(!strcmp(rf_fmt_dollars(1e9, buf), "$1,000,000,000.00"), "rf_fmt_dollars() prints 1e9 as %s", buf);
	ok(!strcmp(rf_fmt_seconds(1.75, buf), "1.75 s"), "rf_fmt_seconds() prints 1.75 as %s", buf);
	ok(!strcmp(rf_fmt_seconds(3.2e16, buf), "3.2e+16 s"), "rf_fmt_seconds() prints 3.2e16 as %s", buf);
}

int main(void)
{
	gradients_ok();
	counts_fails();
	moves_ok();
	nics_ok();
	formats_ok();
	return done_testing();
}
