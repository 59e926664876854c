// SPDX-License-Identifier: GPL-2.0
/*
 * Test how the lost time of a case is attributed to its faults. Steps of the made job take 100 ms;
 * each test makes some of them longer, and sets the spans of the faults.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"

#define MS 1000000ull
#define STEPS 4
#define STEP_NS (100 * MS)
#define FAULTS 3

static struct rf_step steps[STEPS];
/* Times in ms */
struct times {
	unsigned int ms[STEPS];
};

struct parts {
	double ms[FAULTS];
};

static struct rf_loss losses[4];
static struct rf_event hits[4], again[4];

static struct rf_rule_tally rules[] = {
	{ .fault = 0, .netdev = "v2", .id = 1 }, { .fault = 1, .netdev = "v2", .id = 2 },
};

static struct rf_fault faults[FAULTS] = {
	{ .kind = RF_FAULT_RULE, .port = "v2" }, { .kind = RF_FAULT_RULE, .port = "v2" },
	{ .kind = RF_FAULT_STORM, .port = "v3", .storm.prios = 1 << 3 },
};

static struct rf_done done[2];
static struct rf_event events[4];
static struct rf_case test_case;
static struct rf_analysis an;
static struct rf_run_case p;

/* Make a job of one rank. Step i begins with @at[i - 1], in ms, and takes @took[i - 1] ms. */
static void make_job(struct times at, struct times took)
{
	size_t i;

	for (i = 0; i < STEPS; i++)
		steps[i] = (struct rf_step){ .seen = true, .start_ns = at.ms[i] * MS,
			.end_ns = (at.ms[i] + took.ms[i]) * MS,
			.sync_ns = (at.ms[i] + took.ms[i]) * MS };
	test_case = (struct rf_case){ .name = "made", .faults = faults, .nfaults = FAULTS };
	an = (struct rf_analysis){ .clean_ns = STEP_NS, .clean_max_ns = 102 * MS,
		.losses = losses };
	p = (struct rf_run_case){ .test_case = &test_case, .an = &an,
		.rec = { .tl = { .ranks = 1, .iters = STEPS, .steps = steps,
				 .end[0].seen = true },
			 .rules = rules, .nrules = 2, .done = done,
			 .ev = { .e = events } } };
	faults[2].kind = RF_FAULT_STORM;
}

/* Add a lost packet that a rule dropped @from, and that was retransmitted @to, in ms. */
static void make_loss(uint32_t rule, unsigned int from, unsigned int to)
{
	size_t i = an.nhits++;

	an.nlosses++;
	hits[i] = (struct rf_event){ .kind = RF_EVENT_HIT, .t_ns = from * MS, .dev = "v2",
		.rule = rule, .fault = true };
	again[i] = (struct rf_event){ .t_ns = to * MS };
	losses[i] = (struct rf_loss){ .hit = &hits[i], .lost = true,
		.recovery = to ? &again[i] : NULL };
}

/* Add a pause of the storm that began at the time @begin, in ms. */
static void make_pause(const char *dev, unsigned int source, unsigned int begin,
		       unsigned int from, unsigned int to)
{
	struct rf_events *ev = &p.rec.ev;
	struct rf_event e = { .kind = RF_EVENT_PAUSE, .t_ns = from * MS, .prio = 3,
		.source = source, .paused = 1, .until = to * MS };

	strcpy(e.dev, dev);
	events[ev->n++] = e;
	e.paused = 0;
	e.source = 2;
	e.t_ns = to * MS;
	events[ev->n++] = e;
	faults[2].when.clock = RF_CLOCK_TIME;
	done[0] = (struct rf_done){ .t_ns = begin * MS, .fault = 2 };
	p.rec.ndone = 1;
}

/* Compare the lost time, its parts by fault, and the unexplained rest; all in ms. */
static void lost_is(const char *what, double total, struct parts part, double rest)
{
	struct rf_lost_time lost;
	const char *why = rf_lost_time(&p, &lost);
	bool same = !why && lost.total_ns == total * MS && lost.unexplained_ns == rest * MS;
	size_t i;

	for (i = 0; !why && i < FAULTS; i++)
		same &= fabs(lost.cause_ns[i] - part.ms[i] * MS) < 1e-3;
	ok(same, "%s: %s", what, why ? why : "the times are known");
	if (!why && !same)
		printf("# total %g, parts %g %g %g, rest %g\n", lost.total_ns / MS,
		       lost.cause_ns[0] / MS, lost.cause_ns[1] / MS, lost.cause_ns[2] / MS,
		       lost.unexplained_ns / MS);
	rf_lost_time_free(&lost);
}

#define PARTS(...) ((struct parts){ { __VA_ARGS__ } })
#define JOB(...) ((struct times){ { __VA_ARGS__ } })

/* A timer of 67 ms in step 2 and a storm of 100 ms in step 3 do not overlap. */
static void one_each_ok(void)
{
	make_job(JOB(0, 100, 270, 470), JOB(100, 170, 200, 100));
	make_loss(1, 120, 187);
	make_pause("v3", 1, 300, 300, 400);
	lost_is("a loss and a storm in different steps", 170, PARTS(67, 0, 100), 3);
	p.rec.ports = (struct rf_port_tally[]){ { .netdev = "v3" } };
	p.rec.nports = 1;
	lost_is("a storm in a priority without traffic causes nothing", 170, PARTS(67, 0, 0), 103);
	p.rec.ports->prio[3].packets = 1;
	lost_is("control: a storm in a priority with traffic", 170, PARTS(67, 0, 100), 3);
}

/* Two losses overlap for 20 of their 40 ms: each has the half of this time. */
static void overlap_ok(void)
{
	make_job(JOB(0, 100, 270, 370), JOB(100, 170, 100, 100));
	make_loss(1, 110, 150);
	make_loss(2, 130, 170);
	lost_is("overlapping spans are shared", 70, PARTS(30, 30), 10);
	make_loss(2, 140, 160);
	lost_is("two spans of one fault count once", 70, PARTS(30, 30), 10);
}

/* Spans of 60 and 40 ms in a step that lost only 50 ms */
static void covered_twice_ok(void)
{
	make_job(JOB(0, 100, 250, 350), JOB(100, 150, 100, 100));
	make_loss(1, 110, 170);
	make_loss(2, 180, 220);
	lost_is("spans longer than the lost time are reduced by the same factor", 50,
		PARTS(30, 20), 0);
}

/* A step that is no longer than the slowest clean step has lost nothing. */
static void noise_ok(void)
{
	make_job(JOB(0, 100, 202, 305), JOB(100, 102, 103, 100));
	make_loss(1, 110, 120);
	make_loss(2, 210, 211);
	lost_is("noise is no lost time", 3, PARTS(0, 1), 2);
}

/* The span of a packet that is never repaired, and of one that crosses the end of its step */
static void long_spans_ok(void)
{
	make_job(JOB(0, 100, 270, 370), JOB(100, 170, 100, 130));
	make_loss(1, 370, 0);
	make_loss(2, 250, 290);
	lost_is("a packet that is never repaired", 100, PARTS(30, 20), 50);
}

/* A change of a setting has the time that the loss leaves. */
static void change_ok(void)
{
	make_job(JOB(0, 100, 270, 370), JOB(100, 170, 100, 100));
	faults[2].kind = RF_FAULT_CHANGE;
	faults[2].when.clock = RF_CLOCK_NONE;
	make_loss(1, 110, 150);
	lost_is("a change of a setting has what a loss leaves", 70, PARTS(40, 0, 30), 0);
	losses[0].hit = losses[0].recovery;
	lost_is("control: without the loss, it has all", 70, PARTS(0, 0, 70), 0);
}

/*
 * A link that is down has the time in which it is down, and the spans of its losses. The kernel
 * drops packets to the port, so a loss need not be a hit.
 */
static void link_down_ok(void)
{
	make_job(JOB(0, 100, 270, 370), JOB(100, 170, 100, 130));
	faults[2].kind = RF_FAULT_LINK_DOWN;
	faults[2].when.clock = RF_CLOCK_TIME;
	done[0] = (struct rf_done){ .t_ns = 110 * MS, .fault = 2 };
	done[1] = (struct rf_done){ .t_ns = 130 * MS, .fault = 2, .undo = true };
	p.rec.ndone = 2;
	lost_is("a link that is down", 100, PARTS(0, 0, 20), 80);
	make_loss(1, 120, 160);
	an.nhits = 0;
	lost_is("a packet that was lost on the link", 100, PARTS(0, 0, 50), 50);
	hits[0].t_ns = 140 * MS;
	lost_is("control: a packet that was lost afterwards", 100, PARTS(0, 0, 20), 80);
}

/* A storm with frames pauses the neighbour. Other pauses are not its own. */
static void frames_ok(void)
{
	make_job(JOB(0, 100, 300, 400), JOB(100, 200, 100, 100));
	faults[2].storm.flags = RDMAFAULT_STORM_FLAG_FRAMES;
	make_pause("p3", 0, 150, 150, 190);
	lost_is("a storm with frames has the pauses of its neighbour", 100, PARTS(0, 0, 40), 60);
	events[0].source = 1;
	lost_is("a pause with another cause is not that of the storm", 100, PARTS(0), 100);
	events[0].source = 0;
	done[0].t_ns = 195 * MS;
	lost_is("a pause before the storm is not that of the storm", 100, PARTS(0), 100);
	strcpy(events[0].dev, "s2s1");
	strcpy(events[1].dev, "s2s1");
	done[0].t_ns = 150 * MS;
	faults[2].port = "s1s2";
	lost_is("the neighbour of s1s2 is s2s1", 100, PARTS(0, 0, 40), 60);
	faults[2].port = "v3";
	faults[2].storm.flags = 0;
}

static void unknown_fails(void)
{
	struct rf_lost_time lost;
	const char *why;

	make_job(JOB(0, 100, 200, 300), JOB(100, 100, 100, 100));
	an.clean_ns = 0;
	why = rf_lost_time(&p, &lost);
	ok(why && strstr(why, "no case without faults"), "without clean steps, the lost time is not known");
	an.clean_ns = STEP_NS;
	steps[3].seen = false;
	why = rf_lost_time(&p, &lost);
	ok(why && strstr(why, "ended before"), "after an early end, the lost time is not known");
	steps[3].seen = true;
	lost_is("control: it is known, and 0", 0, PARTS(0), 0);
}

int main(void)
{
	one_each_ok();
	overlap_ok();
	covered_twice_ok();
	noise_ok();
	long_spans_ok();
	change_ok();
	link_down_ok();
	frames_ok();
	unknown_fails();
	return done_testing();
}
