/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What surrounds the job of a play: its rules, held by a socket of its own,
 * and the counters as they were before. And the files it leaves.
 */
#ifndef RF_STAGE_H
#define RF_STAGE_H

#include <limits.h>
#include "cluster.h"
#include "scenario.h"
#include "tools/report/record.h"

struct rf_fault_rule {
	uint32_t ifindex, id;
};

struct rf_stage {
	const struct rf_cluster *cluster;
	const struct rf_play *play;
	struct rf_nl *nl;			/* holds the rules */
	struct rf_fault_rule *rules;		/* by fault of the play */
	uint64_t before[RF_RANKS_MAX][RF_COUNTERS];
	uint64_t flows_lost;
};

int rf_stage_open(struct rf_stage *st, const struct rf_cluster *cluster,
		  const struct rf_play *play);
int rf_stage_read(struct rf_stage *st, struct rf_record *rec);
void rf_stage_mark_faults(const struct rf_stage *st, struct rf_events *ev);
void rf_stage_close(struct rf_stage *st);

int rf_stage_make_dir(const char *path);	/* and those above it */
int rf_stage_path(char buf[PATH_MAX], const char *dir, const char *file);
void rf_stage_last_line(const char *path, char *buf, size_t len);

#endif
