/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scenario as its file describes it, with a case for each combination of its
 * matrix. All values have been checked when it was loaded.
 */
#ifndef RF_SCENARIO_H
#define RF_SCENARIO_H

#include <stddef.h>
#include <stdint.h>
#include "expr.h"
#include "fabric_shape.h"
#include "queue.h"
#include "rule.h"

/* What a fault does; the members of struct rf_fault that say it. */
enum rf_deed {
	RF_DEED_RULE,			/* dir, spec */
	RF_DEED_CHANGE,			/* change: link, prio, ecn, watchdog */
	RF_DEED_PAUSE,			/* prios, quanta; 0: XON */
	RF_DEED_STORM,			/* storm */
	RF_DEED_STOP,			/* prios: storms end; 0: all */
};

enum rf_clock {
	RF_CLOCK_NONE,			/* from before the job to its end */
	RF_CLOCK_STEP,			/* steps of the job, counted from 1 */
	RF_CLOCK_TIME,			/* ns, from the job's first step on; if */
					/* it announces none, from its start on */
};

/*
 * When a fault is there. What begins with a step is done when the job announces
 * that; a change of a port is undone at the end. A rule by steps has no clock:
 * its match has the steps.
 */
struct rf_when {
	enum rf_clock clock;
	uint64_t begin;
	uint64_t end;			/* it is gone then; 0: it stays */
};

struct rf_fault {
	enum rf_deed deed;
	char *port;			/* "v2", "rxe2", "p2" at a switch, "s1s2" */
	char *words;			/* the command line, without rdmafault */
	struct rf_when when;
	uint32_t dir;			/* enum rdmafault_direction */
	struct rf_rule_spec spec;
	struct rf_queue_change change;
	bool seeded;			/* of it, the seed is the scenario's */
	struct rf_storm_spec storm;
	uint32_t prios, quanta;
};

enum rf_work { RF_WORK_COLLECTIVE, RF_WORK_TRAIN, RF_WORK_COMMAND };

struct rf_workload {
	enum rf_work kind;
	char *collective;		/* one word for it: "train", "command" */
	char *parallel;			/* train: dp, tp or pp */
	char *command;			/* a line for the shell */
	char *options;			/* more words for the program, or NULL */
	char *background;			/* a line for the shell, or NULL */
	uint32_t ranks;			/* rank r on node r + 1; 0: unknown */
	uint64_t size;			/* bytes; 0: as the program does */
	uint32_t steps;			/* measured, from 1; 0: none are known */
	uint32_t warmup;		/* before them, not measured */
	uint64_t compute_ns;		/* pause between steps */
};

struct rf_qp_attr {
	uint32_t timeout;		/* 4.096 us * 2^timeout */
	uint32_t retry_cnt;
	uint32_t mtu;
};

struct rf_case {
	char *name;
	struct rf_workload workload;	/* the scenario's, as the case has it */
	struct rf_qp_attr qp;		/* likewise */
	struct rf_fault *faults;	/* none: a clean case */
	size_t nfaults;
	struct rf_check *checks;	/* expectations, with the scenario's */
	size_t nchecks;
};

/* A setting of a port before the first case, in this order. */
struct rf_setting {
	char *port;			/* v, or one of a switch */
	char *words;
	struct rf_queue_change change;
};

struct rf_price {
	uint32_t *gpus;			/* sizes of cluster for the cost estimate */
	size_t ngpus;
	double rate;			/* dollars per GPU and hour */
	uint64_t every_ns;		/* assumed: one such stall in this time */
};

/* Where neither the scenario nor the command line says it, a stall a minute */
#define RF_STALL_EVERY_NS 60000000000ull
#define RF_STALL_EVERY_MIN 1000000ull
#define RF_STALL_EVERY_MAX (366 * 86400ull * 1000000000)

struct rf_scenario {
	char *path;
	char *name;
	char *title;
	struct rf_fabric fabric;	/* settled */
	struct rf_workload workload;
	struct rf_qp_attr qp;
	struct rf_price price;
	uint64_t seed;			/* of all that is drawn (0) */
	bool seeded;			/* the file says it */
	uint32_t repeat;		/* rounds */
	uint64_t deadline_ns;		/* of one case */
	struct rf_setting *settings;
	size_t nsettings;
	struct rf_case *cases;
	size_t ncases;
};

#define RF_REPEAT_MAX	1000
#define RF_DEADLINE_MIN	1000000000ull
#define RF_DEADLINE_MAX	3600000000000ull

uint64_t rf_fault_over(const struct rf_fault *f, uint64_t begin, uint64_t end);

int rf_scenario_load(const char *path, struct rf_scenario *s);
const uint64_t *rf_scenario_seed(const struct rf_scenario *s);
void rf_scenario_free(struct rf_scenario *s);

/* Is it a port of the scenario's fabric? A number that it alone has, or 0 */
uint32_t rf_port_number(const struct rf_scenario *s, const char *port);

/* The program and its words; see workload.c */
struct rf_places {
	const char *devices;		/* of the ranks, with commas between */
	const char *timeline;		/* file for the steps */
	uint64_t deadline_ns;
	const uint64_t *seed;		/* of a training; NULL: its own */
};

int rf_workload_argv(const struct rf_workload *w, const struct rf_qp_attr *qp,
		     const struct rf_places *places, char ***argv);
void rf_workload_argv_free(char **argv);

/* "256, 1024" or "256,1024": also for the command line; -EINVAL, -ENOMEM */
int rf_price_parse_gpus(const char *text, struct rf_price *price);
int rf_price_parse_rate(const char *text, double *rate);
int rf_price_parse_every(const char *text, uint64_t *ns);

/* The metrics that expectations may be about: tools/report */
extern const struct rf_metric_source rf_metrics;

#endif
