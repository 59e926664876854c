/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of a case while its job runs: the counters from before the job, and the netlink
 * socket of its rules. The module deletes the rules when the socket is closed. Functions for
 * the files of a case are declared here too.
 */
#ifndef RF_STAGE_H
#define RF_STAGE_H

#include <limits.h>
#include "cluster.h"
#include "tools/scenario/scenario.h"
#include "record.h"

/* State of a fault */
struct rf_fault_state {
	uint32_t ifindex, id;		/* port; ID of the fault's rule (0: no rule) */
	bool there;			/* the fault is applied and not undone yet */
	uint64_t hits;			/* hits of the rule when they were last read */
	struct rf_queue_change before;	/* settings to restore after the fault */
};

struct rf_stage {
	const struct rf_cluster *cluster;
	const struct rf_case *test_case;
	struct rf_nl *nl;			/* socket that owns the rules */
	struct rf_fault_state *faults;		/* state of each fault; owned by the caller */
	uint64_t before[RF_RANKS_MAX][RF_COUNTERS];
	uint64_t flows_lost;
	struct rf_port_tally *ports;		/* counters before the job */
};

int rf_stage_open(struct rf_stage *st, const struct rf_cluster *cluster,
		  const struct rf_scenario *s, const struct rf_case *test_case,
		  struct rf_fault_state *faults);
void rf_stage_clear(const struct rf_case *test_case, struct rf_fault_state *faults);
int rf_stage_observe(struct rf_stage *st, const struct rf_scenario *s);
int rf_stage_read(struct rf_stage *st, struct rf_record *rec);
void rf_stage_mark_faults(const struct rf_stage *st, struct rf_events *ev);
void rf_stage_close(struct rf_stage *st);

/* act.c */
int rf_stage_do(struct rf_stage *st, size_t i);
int rf_stage_undo(struct rf_stage *st, size_t i);
int rf_stage_read_rule(struct rf_stage *st, struct rf_fault_state *state);

/* tally.c */
int rf_tally_read(const struct rf_cluster *c, struct rf_nl *nl,
		  struct rf_port_tally **ports);
void rf_tally_since(struct rf_port_tally *ports,
		    const struct rf_port_tally *before, size_t n);

int rf_stage_make_dir(const char *path);
int rf_stage_path(char buf[PATH_MAX], const char *dir, const char *file);
int rf_stage_check_room(const char *dir);
char *rf_stage_last_line(const char *dir, const char *name);

#endif
