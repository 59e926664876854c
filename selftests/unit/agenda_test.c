// SPDX-License-Identifier: GPL-2.0
/*
 * What is to be done in a case: by steps and by time, in the right order, each
 * thing once, and no end without its begin.
 */
#include "../../tools/scenario/agenda.c"
#include "tap.h"

static struct rf_fault faults[4];
static const struct rf_case kase = { .faults = faults, .nfaults = 4 };
static struct rf_agenda a;

static void begin(void)
{
	faults[0].when = (struct rf_when){ RF_CLOCK_NONE, 0, 0 };
	faults[1].when = (struct rf_when){ RF_CLOCK_STEP, 20, 25 };
	faults[2].when = (struct rf_when){ RF_CLOCK_TIME, 2000, 3000 };
	faults[3].when = (struct rf_when){ RF_CLOCK_TIME, 3000, 0 };
	rf_agenda_make(&kase, &a);
}

/* What is due, and nothing after it */
static void due(uint32_t step, uint64_t ns, size_t fault, bool undo,
		const char *what)
{
	const struct rf_item *it = rf_agenda_take(&a, step, ns);

	ok(it && it->fault == fault && it->undo == undo, "step %u, %llu ns: %s",
	   step, (unsigned long long)ns, what);
}

static void nothing(uint32_t step, uint64_t ns)
{
	ok(!rf_agenda_take(&a, step, ns), "step %u, %llu ns: nothing", step,
	   (unsigned long long)ns);
}

static void order_ok(void)
{
	begin();
	ok(a.n == 5, "what has no clock is on no agenda");
	nothing(0, 0);
	nothing(19, 1999);
	due(20, 1999, 1, false, "a step begins it");
	nothing(20, 1999);
	nothing(24, 1999);
	due(25, 1999, 1, true, "a step ends it");
	due(25, 2000, 2, false, "a time begins it");
	nothing(25, 2999);
	due(25, 3000, 2, true, "its end goes before the begin of the next");
	due(25, 3000, 3, false, "which is due at the same time");
	nothing(1000, 1000000);
	rf_agenda_free(&a);
}

/* A step that was too short to be seen */
static void late_ok(void)
{
	begin();
	due(30, 0, 1, false, "what was missed is begun");
	due(30, 0, 1, true, "and ended at once");
	due(30, 5000, 2, false, "so is what was missed by time");
	due(30, 5000, 2, true, "and ended");
	due(30, 5000, 3, false, "before what comes after it");
	nothing(30, 5000);
	rf_agenda_free(&a);
}

static void pause_ok(void)
{
	begin();
	ok(rf_agenda_pause(&a, 1, 0, 1000) == 1000, "no longer than asked");
	ok(rf_agenda_pause(&a, 1, 0, 1000000000) == 2000, "until the first time");
	ok(rf_agenda_pause(&a, 1, 1500, 1000000000) == 500, "or what is left");
	ok(rf_agenda_pause(&a, 1, 9999, 1000000000) == 0, "what is late, at once");
	due(30, 5000, 1, false, "when all times are over");
	due(30, 5000, 1, true, "-");
	due(30, 5000, 2, false, "-");
	due(30, 5000, 2, true, "-");
	due(30, 5000, 3, false, "-");
	ok(rf_agenda_pause(&a, 1, 9999, 1000000000) == 1000000000, "sleep well");
	rf_agenda_free(&a);
	begin();
	a.n = 3;		/* without the times' begins, but with a step */
	a.item[1].done = true;
	ok(rf_agenda_pause(&a, 1, 0, 1000000000) == LOOK_NS,
	   "a step must be looked for");
	ok(rf_agenda_pause(&a, 10, 1000000000, 10000000000) == 450000000,
	   "not all the time while it is far: 9 more of 100 ms between");
	ok(rf_agenda_pause(&a, 19, 1900000000, 10000000000) == LOOK_NS,
	   "closely in the step before");
	ok(rf_agenda_pause(&a, 10, 1000000, 10000000000) == LOOK_NS,
	   "but steps may be as short as they like");
	rf_agenda_free(&a);
}

int main(void)
{
	order_ok();
	late_ok();
	pause_ok();
	return done_testing();
}
