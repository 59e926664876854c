/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merge the records of several CPUs, sorted by time.
 *
 * The buffers of the CPUs are read one after the other while the kernel writes to them, so
 * the oldest record can be in the buffer that is read last. A record is therefore returned
 * only if no older record can follow. The caller passes the time up to which the buffers of
 * all CPUs have been read, see rf_merge_next().
 */
#ifndef RF_MERGE_H
#define RF_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The records of one CPU, which are sorted by time */
struct rf_merge_queue {
	uint8_t *bytes;
	size_t head, tail, room;
};

struct rf_merge {
	struct rf_merge_queue *queue;	/* one per CPU */
	int cpus;
};

struct rf_merge_record {
	uint64_t t_ns;
	int cpu;
	uint32_t len;
	const void *data;		/* valid until the next record is added */
};

int rf_merge_open(struct rf_merge *m, int cpus);
void rf_merge_close(struct rf_merge *m);
int rf_merge_add(struct rf_merge *m, const struct rf_merge_record *r);
bool rf_merge_oldest(const struct rf_merge *m, uint64_t *t_ns);
bool rf_merge_next(struct rf_merge *m, uint64_t until, struct rf_merge_record *r);

#endif
