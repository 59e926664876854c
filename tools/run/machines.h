/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run on several machines: a launcher with PMIx (mpirun, srun) starts one "rdmafault run" on
 * each. Each process controls the ports of its machine and starts the ranks of its nodes. Process 0
 * decides what happens next, and gets the records of the others.
 *
 * If no launcher started the run, it has one machine, and the functions return at once.
 */
#ifndef RF_MACHINES_H
#define RF_MACHINES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fabric.h"
#include "tools/coll/ranks.h"

struct rf_case;
struct rf_events;
struct rf_record;
struct rf_run;
struct rf_scenario;
struct rf_signals;

#define RF_MACHINES_MAX 32
#define RF_MACHINES_ADDRESS 64

/*
 * clock.c: the clock of a machine, compared with that of process 0, before and after a case. Times
 * are CLOCK_MONOTONIC in ns. At the time @at_ns of the machine, the clock of process 0 minus its
 * clock is @offset_ns, with an error of at most @error_ns.
 */
struct rf_clock_look {
	uint64_t at_ns;
	int64_t offset_ns;
	uint64_t error_ns;
};

struct rf_machine_clock {
	struct rf_clock_look before, after;
};

/* The bounds of an offset while clocks are compared */
struct rf_clock_bounds {
	bool any;
	int64_t low, high;
	uint64_t at_ns;
};

void rf_clock_take(struct rf_clock_bounds *b, uint64_t sent_ns, uint64_t answer_ns,
		   uint64_t arrived_ns);
struct rf_clock_look rf_clock_result(const struct rf_clock_bounds *b);
int64_t rf_clock_offset(const struct rf_machine_clock *c, uint64_t at_ns);
uint64_t rf_clock_error(const struct rf_machine_clock *c);
double rf_clock_drift(const struct rf_machine_clock *c);

/* machines.c */

/* What each process tells all others when it joins, and the clock of its machine */
struct rf_machine {
	char host[COLL_NAME_LEN];
	char boot[COLL_BOOT_LEN];
	char kernel[80];
	uint32_t cpus;
	uint32_t nodes, first, last;	/* of the whole fabric, and the nodes of this machine */
	struct rf_machine_clock clock;	/* known to process 0 only */
};

struct rf_machines {
	uint32_t n;			/* number of machines; 0 or 1: only this one */
	uint32_t own;			/* number of this process */
	struct rf_machine m[RF_MACHINES_MAX];
	struct rf_signals *sig;
	int fds[COLL_RANKS_MAX];	/* process 0: socket to each other; others: fds[0] */
	struct coll_waiter waiter;
	bool over;			/* process 0 has ended the job of the case */
	bool failed[RF_MACHINES_MAX];	/* process 0: has already got the result of this process, */
	int failure[RF_MACHINES_MAX];	/* an error, while the job ran */
};

/* Whether the run has several machines, and whether another process decides */
static inline bool rf_machines_are_several(const struct rf_machines *ms)
{
	return ms->n > 1;
}

static inline bool rf_machines_follow(const struct rf_machines *ms)
{
	return ms->own > 0;
}

int rf_machines_join(struct rf_machines *ms, const struct rf_scenario *s, struct rf_signals *sig);
uint32_t rf_machines_of_port(const struct rf_machines *ms, const struct rf_scenario *s,
			     const char *port);
int rf_machines_check_fabric(const struct rf_machines *ms, const struct rf_fabric *want);
void rf_machines_leave(struct rf_machines *ms);
int rf_machines_agree(struct rf_machines *ms, int err);
int rf_machines_share(struct rf_machines *ms, const void *mine, size_t len, void *all);
int rf_machines_measure(struct rf_machines *ms, bool after);
int rf_machines_rendezvous(struct rf_machines *ms, char address[RF_MACHINES_ADDRESS],
			   char timeline[PATH_MAX]);

/* Process 0 says which case is next, and the verdict at the end; the others wait for it. */
int rf_machines_say_next(struct rf_machines *ms, uint32_t index);
void rf_machines_say_end(struct rf_machines *ms, uint32_t verdict);
int rf_machines_await_next(struct rf_machines *ms, bool *end, uint32_t *value);

/* While the job of a case runs */
struct rf_machines_faults {
	int (*act)(void *arg, uint32_t fault, bool undo);
	void *arg;
};

int rf_machines_act(struct rf_machines *ms, uint32_t machine, uint32_t fault, bool undo);
int rf_machines_look(struct rf_machines *ms);
int rf_machines_serve(struct rf_machines *ms, const struct rf_machines_faults *faults);
int rf_machines_end_job(struct rf_machines *ms, int err, const struct rf_machines_faults *faults);

/* Texts of any length. Process 0 gets that of each other machine, as memory to be freed. */
int rf_machines_send(struct rf_machines *ms, const char *text, size_t len);
int rf_machines_receive(struct rf_machines *ms, uint32_t machine, char **text);

/* gather.c */
int rf_machines_gather(struct rf_machines *ms, const struct rf_scenario *s,
		       const struct rf_case *test_case, struct rf_record *rec);
int rf_machines_convert_timeline(const struct rf_machines *ms, const char *dir);
int rf_machines_environment(struct rf_machines *ms, struct rf_run *run);

#endif
