/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read and print the queues of the ports that the command line names, and the counters of
 * the eight priorities, one column per priority.
 */
#ifndef RF_QUEUELIST_H
#define RF_QUEUELIST_H

#include <stdbool.h>
#include <stddef.h>

#include "rule.h"

struct rf_nl;
struct rf_target;

/* A counter that exists per priority. A table of counters ends with a NULL key. */
struct rf_prio_row {
	const char *key;
	size_t off;		/* offset in struct rf_prio_stats */
	enum { RF_ROW_U64, RF_ROW_U32, RF_ROW_BOOL } kind;
};

extern const struct rf_prio_row rf_queue_rows[];	/* queues */
extern const struct rf_prio_row rf_ecn_rows[];
extern const struct rf_prio_row rf_pause_rows[];	/* pauses and the watchdog */

void rf_prio_rows_json(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats);
void rf_prio_rows_text(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats);
void rf_prios_json(const char *key, uint32_t prios);	/* a list of numbers */

/* @argv: the verb, and optionally a device. Return: the exit status of the command. */
int rf_queues_show(char **argv, void (*print)(const struct rf_queue_info *info));
int rf_open_queues(const char *dev, struct rf_target *t, struct rf_nl **nl);
int rf_queue_change(const char *dev, const struct rf_queue_change *change,
		    const char *object, char **words);

#endif
