// SPDX-License-Identifier: GPL-2.0
/*
 * Test the state machine of a pause storm: invalid specifications are refused, and on times,
 * off times and the end are right. For any interval between calls, the statistics must be the
 * same as in a simulation that counts every nanosecond.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../../kmod/pfc/storm_fsm.c"
#include "tap.h"

#define FOREVER RDMAFAULT_STORM_FLAG_FOREVER

static void invalid_ones_ok(void)
{
	static const struct {
		const char *words;
		struct rf_storm_spec spec;
		u32 attr;
	} t[] = {
		{ "no priority", { .duration = 5 }, RDMAFAULT_A_STORM_PRIOS },
		{ "no duration", { .prios = 1 }, RDMAFAULT_A_STORM_DURATION },
		{ "both a duration and \"forever\"", { .prios = 1, .duration = 5, .flags = FOREVER },
		  RDMAFAULT_A_STORM_DURATION },
		{ "an on time without an off time", { .prios = 1, .duration = 5, .on_time = 20000 },
		  RDMAFAULT_A_STORM_OFF_TIME },
		{ "an off time without an on time", { .prios = 1, .duration = 5, .off_time = 20000 },
		  RDMAFAULT_A_STORM_ON_TIME },
		{ "an on time that is too short", { .prios = 1, .duration = 5,
		  .on_time = 19999, .off_time = 20000 },
		  RDMAFAULT_A_STORM_ON_TIME },
		{ "an off time that is too short", { .prios = 1, .duration = 5,
		  .on_time = 20000, .off_time = 19999 },
		  RDMAFAULT_A_STORM_OFF_TIME },
		{ "a duration", { .prios = 1, .duration = 5 }, 0 },
		{ "\"forever\"", { .prios = 255, .flags = FOREVER }, 0 },
		{ "on and off times", { .prios = 1, .duration = 5, .on_time = 20000,
		  .off_time = 20000 }, 0 },
	};
	const struct rf_invalid *invalid;
	u32 i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		invalid = rf_storm_validate(&t[i].spec);
		ok((invalid ? invalid->attr : 0) == t[i].attr, "rf_storm_validate() of a storm with %s: %s", t[i].words,
		   invalid ? invalid->words : "valid");
	}
}

/* The first XOFF is renewed in time, the second XOFF too late, and the third XOFF not at all. */
static void proof_ok(void)
{
	static const struct rf_storm_spec spec = { .prios = 8, .duration = 1000 };
	struct rf_storm_fsm f = { 0 };
	struct rf_storm_coverage *p = &f.coverage;

	rf_storm_fsm_begin(&f, &spec, 5000);
	ok(f.running && f.on && rf_storm_fsm_next(&f) == 6000,
	   "a storm starts with XOFF and has an end");
	rf_storm_fsm_xoff(&f, 5000, 200);
	rf_storm_fsm_xoff(&f, 5100, 200);
	rf_storm_fsm_advance(&f, 5200);
	ok(p->requested == 200 && p->covered == 200 && !p->lapses &&
	   p->interval_max == 100 && p->interval[6] == 1,
	   "an XOFF renewed in time has full coverage and an interval of 100 ns");
	rf_storm_fsm_xoff(&f, 5350, 200);
	ok(p->requested == 350 && p->covered == 300 && p->lapses == 1 &&
	   p->gap[5] == 1 && p->interval[7] == 1 && p->interval_max == 250,
	   "an XOFF renewed 50 ns too late causes a lapse and a gap of 50 ns");
	rf_storm_fsm_advance(&f, 7000);
	ok(!f.running && p->requested == 1000 && p->covered == 500 &&
	   p->lapses == 2 && p->gap[8] == 1 && p->xoffs == 3,
	   "an XOFF that is not renewed causes a gap of 450 ns up to the end");
	rf_storm_fsm_xoff(&f, 7100, 200);
	ok(p->xoffs == 4 && p->requested == 1000 && p->covered == 500,
	   "an XOFF after the end is counted, but covers nothing");
}

/* The first XOFF frame is sent some time after the start of the storm. */
static void late_first_ok(void)
{
	static const struct rf_storm_spec spec = { .prios = 8, .flags = FOREVER };
	struct rf_storm_fsm f = { 0 };

	rf_storm_fsm_begin(&f, &spec, 100);
	ok(rf_storm_fsm_next(&f) == U64_MAX, "a storm \"forever\" has no end");
	rf_storm_fsm_xoff(&f, 140, 1000);
	ok(f.coverage.gap[5] == 1 && !f.coverage.lapses,
	   "40 ns before the first XOFF are a gap and not a lapse");
	rf_storm_fsm_stop(&f, 240);
	ok(f.coverage.requested == 140 && f.coverage.covered == 100 && !f.running,
	   "a stopped storm has a coverage of 100 of 140 ns");
}

static u64 sum(const u64 *buckets)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_GAP_BUCKETS; i++)
		n += buckets[i];
	return n;
}

static void buckets_ok(void)
{
	u64 buckets[RDMAFAULT_GAP_BUCKETS] = { 0 };

	storm_count(buckets, 1, 1);
	storm_count(buckets, 2, 1);
	storm_count(buckets, 3, 1);
	storm_count(buckets, 1023, 1);
	storm_count(buckets, 1024, 1);
	storm_count(buckets, U64_MAX, 1);
	ok(buckets[0] == 1 && buckets[1] == 2 && buckets[9] == 1 &&
	   buckets[10] == 1 && buckets[31] == 1 && sum(buckets) == 6,
	   "bucket n of a histogram starts at 2^n, and the last one is open");
}

/* A count per nanosecond. */
struct clock {
	u64 on_time, off_time, duration;
	u64 until, requested, covered, gaps, lapses;
	bool in_gap, xoff_seen;
};

static void tick(struct clock *c, u64 elapsed)
{
	u64 at = elapsed % (c->on_time + c->off_time);
	bool on = elapsed < c->duration && at < c->on_time;
	bool gap = on && c->until <= elapsed;

	if (!at)
		c->in_gap = false;
	c->requested += on;
	c->covered += on && !gap;
	c->gaps += gap && !c->in_gap;
	c->lapses += gap && !c->in_gap && c->xoff_seen;
	c->in_gap = gap;
}

static bool agree(const struct rf_storm_fsm *f, const struct clock *c)
{
	return f->coverage.requested == c->requested && f->coverage.covered == c->covered &&
	       sum(f->coverage.gap) == c->gaps && f->coverage.lapses == c->lapses;
}

/*
 * Test a random sequence of XOFFs and XONs, with few calls of rf_storm_fsm_advance(). Return:
 * true if the statistics agree with the simulation
 */
static bool row_ok(void)
{
	struct clock c = { .on_time = 1 + random() % 90,
			   .off_time = 1 + random() % 90,
			   .duration = 1 + random() % 900 };
	struct rf_storm_spec spec = { .prios = 1, .duration = c.duration,
				      .on_time = c.on_time,
				      .off_time = c.off_time };
	struct rf_storm_fsm f;
	u64 t;

	rf_storm_fsm_begin(&f, &spec, 1000);
	for (t = 0; t < 1000; t++) {
		if (!(t % (c.on_time + c.off_time)))
			c.xoff_seen = false;
		if (random() % 32 == 0) {
			c.until = t + 1 + random() % 60;
			rf_storm_fsm_xoff(&f, 1000 + t, c.until - t);
			c.xoff_seen = t % (c.on_time + c.off_time) < c.on_time;
		} else if (random() % 64 == 0) {
			if (c.until > t)
				c.until = t;
			rf_storm_fsm_xon(&f, 1000 + t);
		}
		tick(&c, t);
	}
	rf_storm_fsm_advance(&f, 1000 + t);
	return agree(&f, &c) && !f.running;
}

static void computing_ok(void)
{
	u32 row, wrong = 0;

	srandom(1);
	for (row = 0; row < 5000; row++)
		wrong += !row_ok();
	ok(!wrong, "requested time, covered time, gaps and lapses are exact for 5000 random sequences");
}

/* Do the same as rf_storm_fsm_advance(), but with a loop over all on and off times. */
static void advance_by_turns(struct rf_storm_fsm *f, u64 now)
{
	u64 next;

	while ((next = rf_storm_fsm_next(f)) <= now) {
		if (next == f->end)
			rf_storm_fsm_stop(f, next);
		else if (f->on)
			storm_begin_off(f, next);
		else
			storm_begin_on(f, next);
	}
	storm_account(f, now);
}

static bool same(const struct rf_storm_fsm *a, const struct rf_storm_fsm *b)
{
	if (memcmp(&a->coverage, &b->coverage, sizeof(a->coverage)) ||
	    a->running != b->running || a->on != b->on || a->phase_end != b->phase_end)
		return false;
	return !a->on || (a->phase_begin == b->phase_begin && a->accounted == b->accounted &&
			  a->xoff_seen == b->xoff_seen);
}

/* Send XOFFs at random times, and let up to a hundred on and off times pass between two calls. */
static bool jumps_ok(void)
{
	struct rf_storm_spec spec = { .prios = 1,
				      .duration = random() % 4 ?
						  1 + random() % 20000 : 0,
				      .on_time = 1 + random() % 90,
				      .off_time = 1 + random() % 90 };
	struct rf_storm_fsm f, by_turns;
	u32 looks = 50;
	u64 t = 1000;

	rf_storm_fsm_begin(&f, &spec, t);
	rf_storm_fsm_begin(&by_turns, &spec, t);
	while (looks--) {
		t += random() % (looks % 4 ? 200 : 20000);
		rf_storm_fsm_advance(&f, t);
		advance_by_turns(&by_turns, t);
		if (!same(&f, &by_turns))
			return false;
		if (random() % 2) {
			u64 ns = 1 + random() % (looks % 3 ? 100 : 10000);

			rf_storm_fsm_xoff(&f, t, ns);
			rf_storm_fsm_xoff(&by_turns, t, ns);
		}
	}
	return true;
}

static void by_division_ok(void)
{
	u32 row, wrong = 0;

	srandom(2);
	for (row = 0; row < 5000; row++)
		wrong += !jumps_ok();
	ok(!wrong, "rf_storm_fsm_advance() by division agrees with a loop for 5000 random sequences");
}

/* A loop over all on and off times would take days; alarm() would end the test after 20 s. */
static void long_jump_ok(void)
{
	static const struct rf_storm_spec spec = {
		.prios = 8, .flags = FOREVER, .on_time = 20000, .off_time = 20000,
	};
	const u64 pairs = 1ULL << 46;
	struct rf_storm_fsm f = { 0 };
	struct rf_storm_coverage *p = &f.coverage;

	alarm(20);
	rf_storm_fsm_begin(&f, &spec, 1000);
	rf_storm_fsm_xoff(&f, 1000, pairs / 2 * 40000);
	rf_storm_fsm_advance(&f, 1000 + pairs * 40000);
	alarm(0);
	ok(p->requested == pairs * 20000 && p->covered == pairs / 2 * 20000 &&
	   p->gap[14] == pairs / 2 && sum(p->gap) == pairs / 2 && !p->lapses,
	   "advancing a storm by 89 years at once counts 2^46 on times, half of them covered");
	ok(f.running && f.on && f.phase_end == 1000 + pairs * 40000 + 20000,
	   "after 89 years, the storm is at the start of an on time");
}

int main(void)
{
	invalid_ones_ok();
	proof_ok();
	late_first_ok();
	buckets_ok();
	computing_ok();
	by_division_ok();
	long_jump_ok();
	return done_testing();
}
