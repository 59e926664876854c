// SPDX-License-Identifier: GPL-2.0
/*
 * Compare gradients, transfer times and costs with figures that were calculated
 * elsewhere.
 */
#include <math.h>
#include <string.h>

#include "../../tools/lib/units.c"
#include "../../tools/report/text.c"
#include "../../tools/report/cost.c"
#include "../../tools/report/estimate.c"
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
		   "%s of %g bytes are %g", rows[i].params, rows[i].bytes,
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
		ok(rf_parse_count(bad[i], &v) == -EINVAL, "no count: \"%s\"", bad[i]);
}

static void moves_ok(void)
{
	struct rf_net net = { .nics = 1, .rate = 400e9, .ranks = 2 };

	ok(near(rf_move_once(700e9, &net), 14), "700 GB at 400 Gbit/s take 14 s");
	ok(near(rf_move_ring(700e9, &net), 14),
	   "in a ring of 2, each rank sends the gradient once");
	net.ranks = 4;
	ok(near(rf_move_ring(700e9, &net), 21), "of 4, one and a half times");
	net.nics = 8;
	ok(near(rf_move_once(700e9, &net), 1.75), "8 NICs are 8 times as fast");
	ok(near(rf_efficiency(200e-6, 2e-3), 1 / 11.), "200 us of computing in 2.2 ms are an eleventh");
	net.ranks = 1;
	ok(!rf_move_ring(700e9, &net), "alone, nothing is sent");
}

static void nics_ok(void)
{
	ok(rf_nics_for(14, 2) == 7, "14 s in 2 s: 7 NICs");
	ok(rf_nics_for(14.001, 2) == 8, "a little more: 8");
	ok(rf_nics_for(0.1, 2) == 1, "a fraction of one is one");
	ok(rf_nics_for(.3, .1) == 3, "0.3 s in 0.1 s are 3, whatever binary says");
	ok(rf_nics_for(1.1, .1) == 11, "1.1 s in 0.1 s are 11");
	ok(rf_nics_for(3 * (1 + 5e-13), 1) == 3 && rf_nics_for(3 * (1 + 2e-12), 1) == 4,
	   "more than a whole number by a part in 10^12 is more");
}

static void formats_ok(void)
{
	char buf[RF_ESTIMATE_LEN];

	ok(!strcmp(rf_fmt_decimal(1.62e12, "B", buf), "1.62 TB"), "%s", buf);
	ok(!strcmp(rf_fmt_decimal(400e9, "bit/s", buf), "400 Gbit/s"), "%s", buf);
	ok(!strcmp(rf_fmt_decimal(175e9, "", buf), "175 B"), "%s", buf);
	ok(!strcmp(rf_fmt_decimal(999, "B", buf), "999 B"), "%s", buf);
	ok(!strcmp(rf_fmt_decimal(999999, "B", buf), "1 MB"), "%s", buf);
	ok(!strcmp(rf_fmt_decimal(8e15, "B", buf), "8 PB"), "%s", buf);
	ok(!strcmp(rf_fmt_dollars(2e21, buf), "$2e+21"), "%s", buf);
	ok(!strcmp(rf_fmt_dollars(1e9, buf), "$1,000,000,000.00"), "%s", buf);
	ok(!strcmp(rf_fmt_seconds(1.75, buf), "1.75 s"), "%s", buf);
	ok(!strcmp(rf_fmt_seconds(3.2e16, buf), "3.2e+16 s"), "%s", buf);
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
