// SPDX-License-Identifier: GPL-2.0
/*
 * Test which waits of a rank the engine records: the longest of each step, and not more than there
 * is room for, however long the job is.
 */
#include <stdlib.h>

#include "status_page.c"
#include "tap.h"

#define US	1000ull
#define STEPS	10000

static uint64_t now;

static struct coll_state *begin(uint64_t records)
{
	struct coll_state *st = coll_status_page_create(1, records);

	if (!st)
		abort();
	now = 1;
	return st;
}

static void add(struct coll_state *st, uint64_t ns)
{
	coll_status_page_wait(st, (struct coll_wait){
		.start_ns = now, .end_ns = now + ns, .peer = 1 });
	now += ns + 1;
}

static void end_step(struct coll_state *st)
{
	coll_status_page_record(st, &(struct coll_record){ .step = st->step });
	st->step++;
}

static uint64_t length(const struct coll_state *st, uint32_t i)
{
	return st->waits[i].end_ns - st->waits[i].start_ns;
}

static void threshold(void)
{
	struct coll_state *st = begin(3);

	add(st, 900 * US);
	ok(!st->n_waits, "a wait before the first step is not recorded");
	st->step = 1;
	add(st, 20 * US);
	add(st, 30 * US);
	end_step(st);
	ok(st->n_waits == 1 && length(st, 0) == 30 * US && st->records[0].waits_omitted == 1,
	   "of short waits, the longest of the step is recorded and the others are counted");
	add(st, 100 * US);
	add(st, 99 * US);
	add(st, 200 * US);
	end_step(st);
	ok(st->n_waits == 3 && length(st, 1) == 100 * US && length(st, 2) == 200 * US &&
	   st->records[1].waits_omitted == 1 && st->waits[2].record == 1,
	   "all waits of at least 100 us are recorded");
	end_step(st);
	add(st, 900 * US);
	ok(st->n_waits == 3, "after the last step, no wait is recorded");
}

static void many_in_a_step(void)
{
	struct coll_state *st = begin(1);
	bool sorted = true, longest = true;

	st->step = 1;
	for (uint32_t i = 1; i <= 100; i++)
		add(st, (i * 37 % 101 + 1) * 100 * US);
	end_step(st);
	for (uint32_t i = 0; i < st->n_waits; i++) {
		sorted &= !i || st->waits[i].start_ns >= st->waits[i - 1].end_ns;
		longest &= length(st, i) > (101 - COLL_WAITS_STEP) * 100 * US;
	}
	ok(st->n_waits == COLL_WAITS_STEP && longest && sorted &&
	   st->records[0].waits_omitted == 84,
	   "of 100 waits in a step, the longest 16 are recorded, in the order of time");
}

static void long_job(void)
{
	struct coll_state *st = begin(STEPS);
	uint64_t omitted = 0;
	uint32_t most = 0;
	bool found = false;

	st->step = 1;
	for (uint32_t i = 0; i < STEPS; i++) {
		for (uint32_t k = 0; k < 20; k++)
			add(st, (150 + (i * 20 + k) * 7919ull % 1000) * US);
		if (i == STEPS / 2)
			add(st, 67000 * US);
		end_step(st);
		most = st->n_waits > most ? st->n_waits : most;
	}
	for (uint32_t i = 0; i < STEPS; i++)
		omitted += st->records[i].waits_omitted;
	for (uint32_t i = 0; i < st->n_waits; i++)
		found |= st->waits[i].record == STEPS / 2 && length(st, i) == 67000 * US;
	ok(most <= COLL_WAITS_MAX, "in %u steps, at most %u waits are recorded: %u", STEPS,
	   COLL_WAITS_MAX, most);
	ok(omitted + st->n_waits == STEPS * 20 + 1, "each wait is recorded or counted");
	ok(found, "a long wait in the middle of the job stays recorded");
}

int main(void)
{
	threshold();
	many_in_a_step();
	long_job();
	return done_testing();
}
