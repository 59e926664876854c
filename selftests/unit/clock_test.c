// SPDX-License-Identifier: GPL-2.0
/* Test the comparison of the clocks of two machines, with delays that are known. */
#include <stdlib.h>

#include "tap.h"

#include "tools/run/clock.c"

#define SECOND 1000000000ll

/* An exchange at the time @at_ns of process 0; the other clock is @offset ns behind. */
static void exchange(struct rf_clock_bounds *b, int64_t at_ns, int64_t offset, int64_t there,
		     int64_t back)
{
	rf_clock_take(b, at_ns, at_ns + there - offset, at_ns + there + back);
}

static void comparison_ok(void)
{
	struct rf_clock_bounds b = { };
	struct rf_clock_look look;

	exchange(&b, 100 * SECOND, 7 * SECOND, 200000, 300000);
	look = rf_clock_result(&b);
	ok(look.error_ns == 250000 && llabs(look.offset_ns - 7 * SECOND) <= 250000,
	   "one exchange bounds the offset to half of its duration");
	exchange(&b, 101 * SECOND, 7 * SECOND, 50000, 900000);
	exchange(&b, 102 * SECOND, 7 * SECOND, 900000, 20000);
	look = rf_clock_result(&b);
	ok(look.error_ns == 35000 && llabs(look.offset_ns - 7 * SECOND) <= 35000,
	   "the shortest delays of both directions bound the offset");
	b = (struct rf_clock_bounds){ };
	exchange(&b, 100 * SECOND, -90 * SECOND, 1000, 1000);
	look = rf_clock_result(&b);
	ok(llabs(look.offset_ns + 90 * SECOND) <= 1000, "the other clock can be ahead");
}

/* The offset is known exactly at both ends, and the clock drifts evenly. */
static void interpolation_ok(void)
{
	const struct rf_machine_clock c = {
		.before = { .at_ns = 10 * SECOND, .offset_ns = 5000, .error_ns = 10 },
		.after = { .at_ns = 20 * SECOND, .offset_ns = 105000, .error_ns = 30 },
	};
	const struct rf_machine_clock once = { .before = c.before };

	ok(rf_clock_offset(&c, 15 * SECOND) == 55000, "the offset between is interpolated");
	ok(rf_clock_offset(&c, 9 * SECOND) == 5000 && rf_clock_offset(&c, 21 * SECOND) == 105000,
	   "before the first and after the last comparison, the offset is that of the comparison");
	ok(rf_clock_error(&c) == 30, "the error is the larger one");
	ok(rf_clock_drift(&c) > 9.99e-6 && rf_clock_drift(&c) < 10.01e-6,
	   "the drift is 10 us per second");
	ok(rf_clock_offset(&once, 15 * SECOND) == 5000 && rf_clock_drift(&once) == 0,
	   "with one comparison, there is no drift");
}

int main(void)
{
	comparison_ok();
	interpolation_ok();
	return done_testing();
}
