/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plays a scenario's plays, one at a time, each from a proven clean state, and
 * leaves the same behind.
 *
 * It is in memory that two processes share: what one has made in the cluster,
 * the other can take away when the first was killed.
 */
#ifndef RF_PLAYER_H
#define RF_PLAYER_H

#include "cluster.h"
#include "job.h"
#include "scenario.h"
#include "stage.h"
#include "tools/report/record.h"

struct rf_player {
	const struct rf_scenario *scenario;
	struct rf_cluster cluster;
	struct rf_signals signals;
	uint64_t deadline_ns;		/* of one play */
	bool show_progress;
	bool progress_lines;		/* for a pipe: whole lines, fewer of them */
	bool rehearsed;			/* programs are in memory */
	uint32_t played;		/* plays, and how long they took */
	uint64_t played_ns;
	int lock;			/* one run at a time on a machine */
	size_t size;			/* of this struct and what is behind it */

	/* for whoever has to clear away */
	pid_t job;			/* 0: none */
	const struct rf_play *on_stage;	/* NULL: none */
	struct rf_fault_state faults[];	/* of that play */
};

struct rf_player *rf_player_new(const struct rf_scenario *s);
void rf_player_free(struct rf_player *p);
int rf_player_open(struct rf_player *p);
void rf_player_close(struct rf_player *p);
void rf_player_clear(struct rf_player *p);
int rf_player_play(struct rf_player *p, const struct rf_play *play,
		   const char *label, const char *dir, struct rf_record *rec);

#endif
