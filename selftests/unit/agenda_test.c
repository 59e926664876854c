// SPDX-License-Identifier: GPL-2.0
/*
 * Test the agenda of a case, the list of faults to start and to end: each item is returned
 * once, in the right order, when its step or its time has come, and no fault ends before it
 * has started.
 */
#include "tools/run/agenda.c"
#include "tap.h"

static struct rf_fault faults[4];
static const struct rf_case test_case = { .faults = faults, .nfaults = 4 };
static struct rf_agenda a;

static void begin(void)
{
	faults[0].when = (struct rf_when){ RF_CLOCK_NONE, 0, 0 };
	faults[1].when = (struct rf_when){ RF_CLOCK_STEP, 20, 25 };
	faults[2].when = (struct rf_when){ RF_CLOCK_TIME, 2000, 3000 };
	faults[3].when = (struct rf_when){ RF_CLOCK_TIME, 3000, 0 };
	rf_agenda_make(&test_case, &a);
}

/* The next due item of the agenda must start or (with @undo) end the fault @fault. */
static void due(uint32_t step, uint64_t ns, size_t fault, bool undo,
		const char *what)
{
	const struct rf_item *it = rf_agenda_take(&a, step, ns);

	ok(it && it->fault == fault && it->undo == undo, "agenda at step %u, %llu ns: %s",
	   step, (unsigned long long)ns, what);
}

static void nothing(uint32_t step, uint64_t ns)
{
	ok(!rf_agenda_take(&a, step, ns), "agenda at step %u, %llu ns: nothing is due", step,
	   (unsigned long long)ns);
}

static void order_ok(void)
{
	begin();
	ok(a.n == 5, "a fault without a step or time is not on the agenda");
	nothing(0, 0);
	nothing(19, 1999);
	due(20, 1999, 1, false, "the fault is started at its step");
	nothing(20, 1999);
	nothing(24, 1999);
	due(25, 1999, 1, true, "the fault is ended at its step");
	due(25, 2000, 2, false, "the fault is started at its time");
	nothing(25, 2999);
	due(25, 3000, 2, true, "a fault ends before another one starts at the same time");
	due(25, 3000, 3, false, "the fault that is due at the same time starts afterwards");
	nothing(1000, 1000000);
	rf_agenda_free(&a);
}

/* The end of a fault that ends by itself is known when the fault has started. */
static void end_at_ok(void)
{
	begin();
	due(0, 3000, 2, false, "the fault is started");
	due(0, 3000, 2, true, "it is ended");
	due(0, 3000, 3, false, "a fault without an end is started");
	nothing(0, 9000);
	rf_agenda_end_at(&a, 3, 8000);
	ok(rf_agenda_pause(&a, 0, 7000, 5000) == 1000, "the agenda waits for the end that was added");
	nothing(0, 7999);
	due(0, 8000, 3, true, "the fault is ended at the time that was added");
	rf_agenda_free(&a);
}

/*
 * A fault is started and ended even if its steps or times have already passed when the agenda
 * is read.
 */
static void late_ok(void)
{
	begin();
	due(30, 0, 1, false, "a fault whose start and end steps have passed is started");
	due(30, 0, 1, true, "it is ended at once");
	due(30, 5000, 2, false, "a fault whose start and end times have passed is started");
	due(30, 5000, 2, true, "it is ended at once as well");
	due(30, 5000, 3, false, "then the later fault starts");
	nothing(30, 5000);
	rf_agenda_free(&a);
}

static void pause_ok(void)
{
	begin();
	ok(rf_agenda_pause(&a, 1, 0, 1000) == 1000, "rf_agenda_pause() returns at most the given limit");
	ok(rf_agenda_pause(&a, 1, 0, 1000000000) == 2000, "rf_agenda_pause() returns the time until the first item");
	ok(rf_agenda_pause(&a, 1, 1500, 1000000000) == 500, "rf_agenda_pause() returns the remaining time until the first item");
	ok(rf_agenda_pause(&a, 1, 9999, 1000000000) == 0, "rf_agenda_pause() returns 0 if an item is overdue");
	due(30, 5000, 1, false, "the fault by step starts");
	due(30, 5000, 1, true, "the fault by step ends");
	due(30, 5000, 2, false, "the first fault by time starts");
	due(30, 5000, 2, true, "the first fault by time ends");
	due(30, 5000, 3, false, "the last fault starts");
	ok(rf_agenda_pause(&a, 1, 9999, 1000000000) == 1000000000, "rf_agenda_pause() returns the limit if the agenda is done");
	rf_agenda_free(&a);
	begin();
	a.n = 3;		/* the remaining items start or end a fault by step, none by time */
	a.item[1].done = true;
	ok(rf_agenda_pause(&a, 1, 0, 1000000000) == LOOK_NS,
	   "rf_agenda_pause() returns the polling interval if an item by step is next");
	ok(rf_agenda_pause(&a, 10, 1000000000, 10000000000) == 450000000,
	   "rf_agenda_pause() returns half of the estimated time if the step is 10 steps ahead");
	ok(rf_agenda_pause(&a, 19, 1900000000, 10000000000) == LOOK_NS,
	   "rf_agenda_pause() returns the polling interval in the step before");
	ok(rf_agenda_pause(&a, 10, 1000000, 10000000000) == LOOK_NS,
	   "rf_agenda_pause() returns the polling interval if steps are short");
	rf_agenda_free(&a);
}

int main(void)
{
	order_ok();
	late_ok();
	end_at_ok();
	pause_ok();
	return done_testing();
}
