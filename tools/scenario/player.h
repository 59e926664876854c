/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plays a scenario's plays, one at a time, each from a proven clean state, and
 * leaves the same behind.
 */
#ifndef RF_PLAYER_H
#define RF_PLAYER_H

#include "cluster.h"
#include "job.h"
#include "scenario.h"
#include "tools/report/record.h"

struct rf_player {
	const struct rf_scenario *scenario;
	struct rf_cluster cluster;
	struct rf_signals signals;
	uint64_t deadline_ns;		/* of one play */
	bool show_progress;
	bool rehearsed;			/* programs are in memory */
	int lock;			/* one run at a time on a machine */
};

int rf_player_open(struct rf_player *p);
void rf_player_close(struct rf_player *p);
int rf_player_play(struct rf_player *p, const struct rf_play *play,
		   const char *label, const char *dir, struct rf_record *rec);

#endif
