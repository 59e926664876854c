// SPDX-License-Identifier: GPL-2.0
/*
 * Test the state machine of a priority's pause: how long the pause lasts, its end by XON or
 * expiry, and pauses from two sources. The computed duration must be the same as in a
 * simulation that counts every nanosecond.
 */
#include <stdlib.h>
#include <string.h>

#include "../../kmod/pfc/fsm.c"
#include "tap.h"

#define G 1000000000ULL

/* The expected values are computed by hand. A quantum is 512 bit times. */
static void quanta_ok(void)
{
	static const struct {
		u64 rate;
		u32 quanta;
		u64 ns;
	} t[] = {
		{ 1 * G, 1, 512 },		{ 1 * G, 65535, 33553920 },
		{ 10 * G, 1, 52 },		{ 10 * G, 65535, 3355392 },
		{ 100 * G, 65535, 335540 },	{ 400 * G, 65535, 83885 },
		{ 1000000, 65535, 33553920000 },	{ 10000 * G, 1, 1 },
		{ 10 * G, 0, 0 },
	};
	u32 i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++)
		ok(rf_pause_ns(t[i].quanta, t[i].rate) == t[i].ns,
		   "rf_pause_ns() converts %u quanta at %llu bit/s to %llu ns", t[i].quanta,
		   (unsigned long long)t[i].rate, (unsigned long long)t[i].ns);
}

static void one_pause_ok(void)
{
	struct rf_pause_fsm f = { 0 };

	ok(rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 100, 50), "XOFF begins a pause of a priority");
	ok(rf_pause_fsm_end(&f) == 150 && f.since == 100 && f.last == 100,
	   "a pause has its start, its last XOFF and its end");
	ok(!rf_pause_fsm_total(&f, 100) && rf_pause_fsm_total(&f, 120) == 20 &&
	   rf_pause_fsm_total(&f, 150) == 50 &&
	   rf_pause_fsm_total(&f, 100000) == 50, "the pause time is counted up to the end of the pause");
	ok(rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 1000, 50) && f.pauses == 2 &&
	   rf_pause_fsm_total(&f, 1010) == 60, "the time between two pauses is not counted");
}

static void refresh_ok(void)
{
	struct rf_pause_fsm f = { 0 };

	rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 100, 50);
	ok(!rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 140, 50) &&
	   rf_pause_fsm_end(&f) == 190 && f.pauses == 1 && f.since == 100 &&
	   f.last == 140, "a second XOFF before the end prolongs the pause");
	ok(!rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 150, 10) &&
	   rf_pause_fsm_end(&f) == 160, "a shorter XOFF shortens the pause");
	ok(rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 160, 10) && f.pauses == 2,
	   "an XOFF at the end of a pause begins another pause");
	ok(rf_pause_fsm_total(&f, 170) == 70, "two adjacent pauses count all nanoseconds");
}

static void xon_ok(void)
{
	struct rf_pause_fsm f = { 0 };

	ok(!rf_pause_fsm_xon(&f, RF_PAUSE_FRAME, 50), "XON has no effect on a priority that is not paused");
	rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 100, 50);
	ok(rf_pause_fsm_xon(&f, RF_PAUSE_FRAME, 130) &&
	   rf_pause_fsm_end(&f) == 130 && rf_pause_fsm_total(&f, 999) == 30,
	   "XON ends a pause at once");
	ok(!rf_pause_fsm_xon(&f, RF_PAUSE_FRAME, 140), "a second XON has no effect");
}

static void two_sources_ok(void)
{
	struct rf_pause_fsm f = { 0 };

	rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 100, 50);
	ok(!rf_pause_fsm_xoff(&f, RF_PAUSE_STORM, 120, 100),
	   "XOFF of a second source does not begin another pause");
	ok(!rf_pause_fsm_xon(&f, RF_PAUSE_FRAME, 130) &&
	   rf_pause_fsm_end(&f) == 220, "a pause continues after the XON of one of two sources");
	ok(rf_pause_fsm_xon(&f, RF_PAUSE_STORM, 140) && f.pauses == 1 &&
	   rf_pause_fsm_total(&f, 999) == 40, "a pause ends after the XON of both sources");
}

/*
 * Compare the computed duration of pauses with a simulation that counts every nanosecond, for
 * random sequences of events.
 */
static void computing_ok(void)
{
	u64 until[RF_PAUSE_SOURCES], now, counted, pauses, wrong = 0;
	struct rf_pause_fsm f;
	u32 row, what, source;
	bool paused;

	srandom(1);
	for (row = 0; row < 2000; row++) {
		memset(&f, 0, sizeof(f));
		memset(until, 0, sizeof(until));
		counted = 0;
		pauses = 0;
		for (now = 1; now < 500; now++) {
			what = random() % 16;
			source = random() % RF_PAUSE_SOURCES;
			paused = until[0] > now || until[1] > now;
			if (what == 0) {
				until[source] = now + 1 + random() % 60;
				rf_pause_fsm_xoff(&f, source, now,
						  until[source] - now);
				pauses += !paused;
			} else if (what == 1) {
				if (until[source] > now)
					until[source] = now;
				rf_pause_fsm_xon(&f, source, now);
			}
			counted += until[0] > now || until[1] > now;
			wrong += rf_pause_fsm_total(&f, now + 1) != counted;
		}
		wrong += f.pauses != pauses;
	}
	ok(!wrong, "pause time and number of pauses are exact for 2000 random sequences");
}

static void reset_stats_ok(void)
{
	struct rf_pause_fsm f = { 0 };

	rf_pause_fsm_xoff(&f, RF_PAUSE_FRAME, 100, 50);
	rf_pause_fsm_reset_stats(&f, 120);
	ok(!f.pauses && rf_pause_fsm_total(&f, 120) == 0,
	   "a reset of the statistics during a pause sets them to 0");
	ok(rf_pause_fsm_end(&f) == 150 && rf_pause_fsm_total(&f, 999) == 30,
	   "a pause continues after a reset of the statistics, and its rest is counted");
	rf_pause_fsm_reset_stats(&f, 1000);
	ok(rf_pause_fsm_total(&f, 2000) == 0, "a reset of the statistics after a pause sets them to 0");
}

int main(void)
{
	reset_stats_ok();
	quanta_ok();
	one_pause_ok();
	refresh_ok();
	xon_ok();
	two_sources_ok();
	computing_ok();
	return done_testing();
}
