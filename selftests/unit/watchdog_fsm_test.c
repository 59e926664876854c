// SPDX-License-Identifier: GPL-2.0
/*
 * Test the state machine of the PFC watchdog: which pauses are a storm and which are not.
 * A storm must be detected by the first poll after the detection time, and end at the
 * first poll after the restoration time.
 */
#include <stdlib.h>

#include "../../kmod/pfc/fsm.c"
#include "../../kmod/pfc/watchdog_fsm.c"
#include "tap.h"

#define MS 1000000ULL

static const struct rf_watchdog_conf conf = {
	.detect = 200 * MS, .restore = 300 * MS, .poll = 50 * MS, .prios = 8,
};

struct fake_prio {
	struct rf_watchdog_fsm watchdog;
	struct rf_pause_fsm pause;
	u64 now;
	bool waiting;
};

static void xoff(struct fake_prio *g, u64 at, u64 ns)
{
	rf_pause_fsm_xoff(&g->pause, RF_PAUSE_FRAME, at, ns);
}

static enum rf_watchdog_event poll(struct fake_prio *g, u64 at)
{
	const struct rf_watchdog_sample l = {
		.now = at,
		.since = g->pause.since,
		.end = rf_pause_fsm_end(&g->pause),
		.waiting = g->waiting,
	};

	g->now = at;
	return rf_watchdog_fsm_poll(&g->watchdog, &conf, &l);
}

/*
 * Poll until the time @end. Return: the time of the first poll with an event, 0 if there
 * was no event
 */
static u64 poll_until(struct fake_prio *g, u64 end)
{
	while (g->now + conf.poll <= end)
		if (poll(g, g->now + conf.poll) != RF_WATCHDOG_NOTHING)
			return g->now;
	return 0;
}

static void one_storm_ok(void)
{
	struct fake_prio g = { .waiting = true };
	u64 at;

	xoff(&g, 1020 * MS, 1030 * MS);
	g.now = 1000 * MS;
	at = poll_until(&g, 5000 * MS);
	ok(at == 1250 * MS && g.watchdog.in_storm && g.watchdog.detected == 1 &&
	   g.watchdog.detect_time == 230 * MS, "a storm is detected at the first poll after the detection time of 200 ms");
	at = poll_until(&g, 5000 * MS);
	ok(at == 2350 * MS && !g.watchdog.in_storm && g.watchdog.restored == 1 &&
	   g.watchdog.restore_time == 300 * MS,
	   "a priority is restored at the first poll 300 ms after the end of the pause");
	ok(!poll_until(&g, 5000 * MS), "no event follows the restoration");
}

/* Each XOFF during a storm restarts the restoration time, even if the pause is short. */
static void rearmed_ok(void)
{
	struct fake_prio g = { .waiting = true };

	xoff(&g, 10 * MS, 500 * MS);
	poll_until(&g, 500 * MS);
	xoff(&g, 790 * MS, 1 * MS);
	ok(poll_until(&g, 5000 * MS) == 1100 * MS && g.watchdog.detected == 1 &&
	   g.watchdog.restore_time == 309 * MS, "an XOFF during a storm restarts the restoration time");
}

static void no_storm_ok(void)
{
	struct fake_prio g = { .waiting = true };
	u64 t;

	for (t = 10 * MS; t < 3000 * MS; t += 200 * MS) {
		xoff(&g, t, 190 * MS);
		poll_until(&g, t + 200 * MS);
	}
	ok(!g.watchdog.detected, "pauses that end before the detection time are not a storm");
	g = (struct fake_prio){ .waiting = false };
	xoff(&g, 10 * MS, 3000 * MS);
	ok(!poll_until(&g, 3000 * MS), "a pause without queued packets is not a storm");
	g.waiting = true;
	ok(!poll_until(&g, 5000 * MS), "a packet that is queued after the end of a pause does not make it a storm");
}

/*
 * If the first packet is queued during a pause, the detection time starts at the last poll
 * that found no queued packet, not at the start of the pause.
 */
static void late_packet_ok(void)
{
	struct fake_prio g = { .waiting = false };

	xoff(&g, 10 * MS, 3000 * MS);
	poll_until(&g, 1000 * MS);
	g.waiting = true;
	ok(poll_until(&g, 3000 * MS) == 1200 * MS &&
	   g.watchdog.detect_time == 200 * MS, "a packet queued during a pause is in a storm one detection time after it was queued");
}

/*
 * If the machine was stopped, a poll can be later than the detection time. Such a poll alone
 * must not detect a storm: two polls in a row must find the priority in the same pause.
 */
static void one_poll_ok(void)
{
	struct fake_prio g = { .waiting = true };

	poll(&g, 50 * MS);
	xoff(&g, 60 * MS, 3000 * MS);
	ok(poll(&g, 900 * MS) == RF_WATCHDOG_NOTHING, "a single poll after the detection time detects no storm");
	ok(poll(&g, 950 * MS) == RF_WATCHDOG_DETECTED, "a second poll detects the storm");
	g = (struct fake_prio){ .waiting = true };
	xoff(&g, 60 * MS, 30 * MS);
	poll(&g, 70 * MS);
	xoff(&g, 100 * MS, 3000 * MS);
	ok(poll(&g, 900 * MS) == RF_WATCHDOG_NOTHING,
	   "two polls in two different pauses detect no storm");
}

static void forgotten_ok(void)
{
	struct fake_prio g = { .waiting = true };

	xoff(&g, 10 * MS, 3000 * MS);
	poll_until(&g, 500 * MS);
	rf_watchdog_fsm_reset(&g.watchdog);
	ok(!g.watchdog.in_storm && g.watchdog.detected == 1 && !g.watchdog.restored,
	   "removing the watchdog ends the storm and keeps the counters");
	ok(poll_until(&g, 1000 * MS) == g.now && g.watchdog.detected == 2,
	   "a new watchdog detects the storm again");
}

/*
 * Test storms whose start and length are random. The time from the start of a storm to the
 * next poll is random, too.
 */
static void bounds_ok(void)
{
	u32 row, wrong = 0;

	srandom(1);
	for (row = 0; row < 20000; row++) {
		struct fake_prio g = { .waiting = true, .now = random() % conf.poll };
		u64 begin = conf.poll + random() % (1000 * MS);
		u64 end = begin + conf.detect + conf.poll + random() % (1000 * MS);
		u64 at;

		while (g.now + conf.poll <= begin)
			poll(&g, g.now + conf.poll);
		xoff(&g, begin, end - begin);
		at = poll_until(&g, end);
		wrong += at < begin + conf.detect ||
			 at >= begin + conf.detect + conf.poll ||
			 g.watchdog.detect_time != at - begin;
		at = poll_until(&g, end + 1000 * MS);
		wrong += at < end + conf.restore ||
			 at >= end + conf.restore + conf.poll ||
			 g.watchdog.restore_time != at - end;
	}
	ok(!wrong, "detection and restoration of 20000 random storms come within one polling interval");
}

int main(void)
{
	one_storm_ok();
	rearmed_ok();
	no_storm_ok();
	late_packet_ok();
	one_poll_ok();
	forgotten_ok();
	bounds_ok();
	return done_testing();
}
