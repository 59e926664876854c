// SPDX-License-Identifier: GPL-2.0
/*
 * Test the pace of a flow: packets depart exactly at the rate, a late timer does not
 * reduce the rate, and an idle flow saves up nothing.
 */
#include <math.h>

#include "../../kmod/rand.c"
#include "../../kmod/dcqcn/pace.c"
#include "tap.h"

#define MS	1000000ULL
#define S	(1000 * MS)
#define START	(3600 * S)
#define WINDOW	(100 * MS)

static u64 packet_length(u64 n)
{
	return 60 + n * 7919 % 4200;
}

static void exact_ok(u64 rate)
{
	struct rf_pace pace = {};
	u64 bytes = 0, depart = START, n, wrong = 0;

	for (n = 0; n < 100000; n++) {
		wrong += depart != START + (u64)((__uint128_t)bytes * 8 * S / rate);
		bytes += packet_length(n);
		rf_pace_sent(&pace, rate, packet_length(n), depart);
		depart = rf_pace_depart(&pace, START, pace.next);
	}
	ok(!wrong, "at %llu bit/s, each of %llu packets departs on time",
	   (unsigned long long)rate, (unsigned long long)n);
}

/* The timer is up to @late ns late each time. All packets that can depart then do. */
static void windows_ok(u64 rate, u64 late)
{
	struct rf_pace pace = {};
	u64 now = START, depart, n = 0, draw = 0, bytes = 0, end = START + WINDOW, windows = 0;
	double expected = rate / 8. * WINDOW / S, worst = 0;

	while (windows < 50) {
		now = (pace.next > now ? pace.next : now) +
		      (late ? rf_draw_below(rf_splitmix64(rate, draw++), late) : 0);
		while ((depart = rf_pace_depart(&pace, START, now)) <= now) {
			if (now >= end) {
				worst = fmax(worst, fabs(bytes / expected - 1));
				bytes = 0;
				end += WINDOW;
				windows++;
			}
			bytes += packet_length(n);
			rf_pace_sent(&pace, rate, packet_length(n++), depart);
		}
	}
	ok(worst < .01, "at %llu bit/s, with a timer up to %llu us late, windows of 100 ms are within %.2f %%",
	   (unsigned long long)rate, (unsigned long long)late / 1000, worst * 100);
}

static void idle_ok(void)
{
	struct rf_pace pace = {};

	rf_pace_sent(&pace, 8 * S, 1000, START);
	ok(pace.next == START + 1000, "1000 bytes at 8 Gbit/s take 1000 ns");
	ok(rf_pace_depart(&pace, START + 200, START + 300) == START + 1000,
	   "a packet departs after the one before it has been sent");
	ok(rf_pace_depart(&pace, START + 5000, START + 5000) == START + 5000,
	   "a packet that arrives later departs when it arrives");
	rf_pace_sent(&pace, 8 * S, 1000, START + 5000);
	ok(rf_pace_depart(&pace, START + 5000, START + 6000) == START + 6000,
	   "an idle flow saves up nothing");
	ok(rf_pace_depart(&pace, START, START + S) == START + S - RF_PACE_CATCH_UP,
	   "a timer that is too late makes no burst");
	ok(rf_pace_depart(&(struct rf_pace){}, 1, 2) == 1,
	   "a packet can depart in the first nanoseconds of the clock");
}

static void change_ok(void)
{
	struct rf_pace pace = {};

	rf_pace_sent(&pace, 3 * S, 1000, START);
	ok(pace.next == START + 2666 && pace.rest == 2 * S, "the remainder is kept");
	rf_pace_sent(&pace, S, 1000, pace.next);
	ok(pace.next == START + 2666 + 8000, "a remainder of a higher rate does not count");
	rf_pace_sent(&pace, 1, 2000000000, START);
	ok(pace.next == START + 16000000000 * S, "at 1 bit/s, nothing overflows");
}

int main(void)
{
	exact_ok(40 * S);
	exact_ok(200 * MS + 7);
	exact_ok(999983);
	idle_ok();
	change_ok();
	windows_ok(200 * MS, 0);
	windows_ok(200 * MS, MS / 2);
	windows_ok(100 * MS, MS / 10);
	windows_ok(1000 * MS, MS / 2);
	return done_testing();
}
