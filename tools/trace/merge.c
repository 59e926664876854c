// SPDX-License-Identifier: GPL-2.0
/*
 * Each CPU has a queue of records, sorted by time. The next record to return is the oldest
 * record at the front of a queue.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define ROOM_MIN 4096

/* Header of a record in a queue. After it come the data, then padding that aligns the next one. */
struct header {
	uint64_t t_ns;
	uint64_t len;
};

static size_t record_size(uint64_t len)
{
	return sizeof(struct header) + (len + 7) / 8 * 8;
}

/**
 * rf_merge_open - make empty queues
 * @m: the queues
 * @cpus: number of CPUs
 *
 * Return: 0, or -ENOMEM.
 */
int rf_merge_open(struct rf_merge *m, int cpus)
{
	*m = (struct rf_merge){ .queue = calloc(cpus, sizeof(*m->queue)) };
	if (!m->queue)
		return -ENOMEM;
	m->cpus = cpus;
	return 0;
}

/** rf_merge_close - free all records */
void rf_merge_close(struct rf_merge *m)
{
	int cpu;

	for (cpu = 0; cpu < m->cpus; cpu++)
		free(m->queue[cpu].bytes);
	free(m->queue);
	*m = (struct rf_merge){ };
}

/* Move the remaining records to the front, and make room for @more bytes after them. */
static int make_room(struct rf_merge_queue *q, size_t more)
{
	size_t used = q->tail - q->head, room = q->room ? q->room : ROOM_MIN;
	uint8_t *bytes;

	if (q->room - q->tail >= more)
		return 0;
	while (room < 2 * used + more)
		room *= 2;
	bytes = malloc(room);
	if (!bytes)
		return -ENOMEM;
	if (used)
		memcpy(bytes, q->bytes + q->head, used);
	free(q->bytes);
	*q = (struct rf_merge_queue){ bytes, 0, used, room };
	return 0;
}

/**
 * rf_merge_add - add the next record of a CPU
 * @m: the queues
 * @r: the record; its data are copied
 *
 * Return: 0, or -ENOMEM.
 */
int rf_merge_add(struct rf_merge *m, const struct rf_merge_record *r)
{
	struct header h = { .t_ns = r->t_ns, .len = r->len };
	struct rf_merge_queue *q = &m->queue[r->cpu];
	int err = make_room(q, record_size(r->len));

	if (err)
		return err;
	memcpy(q->bytes + q->tail, &h, sizeof(h));
	if (r->len)
		memcpy(q->bytes + q->tail + sizeof(h), r->data, r->len);
	q->tail += record_size(r->len);
	return 0;
}

static bool head_of(const struct rf_merge_queue *q, struct header *h)
{
	if (q->head == q->tail)
		return false;
	memcpy(h, q->bytes + q->head, sizeof(*h));
	return true;
}

/* Return the CPU with the oldest record (the lowest CPU if times are equal), or -1. */
static int find_oldest(const struct rf_merge *m, struct header *oldest)
{
	struct header h;
	int cpu, found = -1;

	for (cpu = 0; cpu < m->cpus; cpu++) {
		if (!head_of(&m->queue[cpu], &h) ||
		    (found >= 0 && h.t_ns >= oldest->t_ns))
			continue;
		*oldest = h;
		found = cpu;
	}
	return found;
}

/** rf_merge_oldest - get the time of the oldest record; false if there is none */
bool rf_merge_oldest(const struct rf_merge *m, uint64_t *t_ns)
{
	struct header h;

	if (find_oldest(m, &h) < 0)
		return false;
	*t_ns = h.t_ns;
	return true;
}

/**
 * rf_merge_next - remove the oldest record
 * @m: the queues
 * @until: all records up to this time have been added; newer records stay in the queues
 * @r: the record; its data are valid until a record is added
 *
 * Return: false if there is no record, or all records are newer than @until.
 */
bool rf_merge_next(struct rf_merge *m, uint64_t until, struct rf_merge_record *r)
{
	struct rf_merge_queue *q;
	struct header h;
	int cpu = find_oldest(m, &h);

	if (cpu < 0 || h.t_ns > until)
		return false;
	q = &m->queue[cpu];
	*r = (struct rf_merge_record){
		.t_ns = h.t_ns, .cpu = cpu, .len = h.len,
		.data = q->bytes + q->head + sizeof(h),
	};
	q->head += record_size(h.len);
	return true;
}
