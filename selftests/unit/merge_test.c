// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_merge_*(): trace records of several CPUs are returned in order of time, up to a
 * given time.
 */
#include "../../tools/trace/merge.c"

#include <stdio.h>

#include "tap.h"

static struct rf_merge m;

static void add(int cpu, uint64_t t_ns)
{
	const struct rf_merge_record r = {
		.t_ns = t_ns, .cpu = cpu, .len = sizeof(t_ns), .data = &t_ns,
	};

	rf_merge_add(&m, &r);
}

/* Return: the records up to the time @until, in the form "TIME/CPU TIME/CPU" */
static const char *taken(uint64_t until)
{
	static char text[256];
	struct rf_merge_record r;
	size_t used = 0;
	uint64_t data;

	text[0] = '\0';
	while (rf_merge_next(&m, until, &r)) {
		memcpy(&data, r.data, sizeof(data));
		used += snprintf(text + used, sizeof(text) - used, "%s%llu/%d%s",
				 used ? " " : "", (unsigned long long)r.t_ns, r.cpu,
				 data == r.t_ns && r.len == sizeof(data) ? "" : "!");
	}
	return text;
}

/*
 * The record of CPU 1 with time 12 is added after CPU 0 has added a later record. The records
 * must still be returned in order of time.
 */
static void late_record_ok(void)
{
	uint64_t oldest;

	rf_merge_open(&m, 3);
	ok(!rf_merge_oldest(&m, &oldest), "a new merge queue has no record");
	add(0, 10);
	add(0, 14);
	add(0, 36);
	ok(!strcmp(taken(11), "10/0"), "rf_merge_next() returns records up to the given time");
	add(1, 12);
	add(1, 35);
	add(2, 11);
	ok(rf_merge_oldest(&m, &oldest) && oldest == 11, "rf_merge_oldest() returns the oldest time of all CPUs");
	ok(!strcmp(taken(35), "11/2 12/1 14/0 35/1"), "rf_merge_next() returns a record that was added late in order of time");
	ok(!strcmp(taken(35), ""), "rf_merge_next() keeps records later than the given time");
	ok(!strcmp(taken(UINT64_MAX), "36/0"), "rf_merge_next() returns the last record at the end");
	rf_merge_close(&m);
}

static void same_time_ok(void)
{
	rf_merge_open(&m, 2);
	add(1, 5);
	add(1, 5);
	add(0, 5);
	ok(!strcmp(taken(5), "5/0 5/1 5/1"), "rf_merge_next() returns records of the same time in order of CPUs");
	rf_merge_close(&m);
}

/* Add records of all lengths. Some records are still queued while others are added. */
static void many_ok(void)
{
	uint8_t data[300];
	struct rf_merge_record r = { .data = data }, got;
	uint64_t t = 0, next = 0;
	size_t bad = 0, i;

	rf_merge_open(&m, 4);
	for (i = 0; i < 20000; i++) {
		t += i % 3;
		r = (struct rf_merge_record){ t, i * 7 % 4, i % sizeof(data), data };
		memset(data, i % 251, sizeof(data));
		rf_merge_add(&m, &r);
		while (i % 5 == 0 && rf_merge_next(&m, t > 20 ? t - 20 : 0, &got)) {
			bad += got.t_ns < next ||
			       (got.len && ((uint8_t *)got.data)[0] !=
					   ((uint8_t *)got.data)[got.len - 1]);
			next = got.t_ns;
		}
	}
	ok(!bad && next > t - 30, "20,000 records are returned in order and unchanged, %zu wrong", bad);
	ok(m.queue[0].room < 100000, "the queue of a CPU stays below 100,000 bytes: %zu", m.queue[0].room);
	rf_merge_close(&m);
}

int main(void)
{
	late_record_ok();
	same_time_ok();
	many_ok();
	return done_testing();
}
