/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run: the cases of a scenario with their records. The analysis adds its results and the
 * verdicts.
 */
#ifndef RF_RUN_H
#define RF_RUN_H

#include <limits.h>
#include <stdio.h>

#include "err.h"
#include "record.h"
#include "tools/scenario/scenario.h"

struct json_object;
struct rf_analysis;

/* A verdict is also the exit status of a run. */
enum rf_verdict {
	RF_VERDICT_PASS = RF_EXIT_OK,
	RF_VERDICT_FAIL = RF_EXIT_FAILED,	/* an expectation is not met */
	RF_VERDICT_BROKEN = RF_EXIT_NO_RESULT,	/* case not run, or not measured */
	RF_VERDICT_ABORTED = RF_EXIT_ABORTED,
};

#define RF_REASONS_MAX 48

struct rf_run_case {
	const struct rf_case *test_case;
	uint32_t round;			/* from 1 */
	char label[64];			/* name of the case, with the round if there are several */
	struct rf_record rec;		/* @others: parts of the record of the owner */
	const struct rf_run_case *owner;	/* of another job: the case; otherwise NULL */
	struct rf_run_case *others;	/* the other jobs, analysed; NULL: none, or not analysed */
	struct rf_analysis *an;		/* NULL: not analysed */
	enum rf_verdict verdict;
	char *reason[RF_REASONS_MAX];	/* allocated; rf_reasons_free() frees it */
	unsigned int nreasons;		/* 0: pass */
	unsigned int not_met;		/* reasons that are expectations */
};

enum rf_time { RF_TIME_UNKNOWN, RF_TIME_REAL, RF_TIME_VIRTUAL };

/* Properties of the machine that executed a run; an empty string: unknown */
struct rf_environment {
	char machine[32];		/* as uname -m */
	char cpu[64];			/* model of the CPU */
	char clocksource[32];
	enum rf_time time;
};

struct rf_run {
	const struct rf_scenario *scenario;
	const struct rf_price *price;
	struct rf_scenario *own;	/* @scenario, if loaded from a record; freed with the run */
	enum rf_verdict ended;		/* how the run ended, for example aborted */
	uint32_t rounds;
	char dir[PATH_MAX];
	char kernel[80];
	unsigned int cpus;
	struct rf_environment env;
	struct json_object *ports;	/* port settings at the start; NULL: not recorded */
	struct json_object *machines;	/* NULL: one machine */
	struct rf_run_case *cases;	/* all cases of round 1, then all cases of round 2, ... */
	size_t ncases;			/* number of cases that were run */
	enum rf_verdict verdict;
	char differs[160];		/* difference between rounds; "": none */
};

/*
 * The record of a run: the scenario as it was read and the environment; in a directory for each
 * case, the timeline as the job has written it, and the events. All other files of a report are
 * generated from them.
 */
#define RF_SCENARIO_FILE "scenario.yaml"
#define RF_ENVIRONMENT_FILE "environment.json"
#define RF_EVENTS_FILE "events.jsonl"
#define RF_RUN_VERSION 6	/* format of the record */
#define RF_RUN_VERSION_MIN 5	/* oldest format that can be read */

/* run.c */
int rf_run_read(struct rf_run *run);
int rf_run_save(const struct rf_run *run);

/* jsonl.c, jsonl_load.c: events.jsonl */
int rf_events_write(const char *path, const struct rf_run_case *p);
void rf_events_print(FILE *f, const struct rf_run_case *p);
int rf_events_take(const char *name, const char *text, struct rf_run_case *p);
int rf_events_read(const char *path, struct rf_run_case *p);

/* environment.c: the machine of a run */
void rf_environment_read(struct rf_run *run);
enum rf_time rf_time_of_machine(const char *conf);
const char *rf_time_name(enum rf_time t);
int rf_environment_write(const char *path, const struct rf_run *run);
struct json_object *rf_environment_open(const char *path);
int rf_environment_take(struct json_object *o, const char *path, struct rf_run *run,
			uint32_t *cases);

/* cases.c: names of cases and verdicts, and the clean case to compare a case with */
const char *rf_verdict_name(enum rf_verdict v);
void rf_run_label(const struct rf_run *run, struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_step(const struct rf_run *run,
					    const struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_job(const struct rf_run *run,
					   const struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_whole(const struct rf_run *run,
					     const struct rf_run_case *p);
bool rf_case_is_whole(const struct rf_run_case *p);
const struct rf_run_case *rf_run_case_job(const struct rf_run_case *p, const char *name);

/* jobs.c */
bool rf_same_step(const struct rf_case *a, const struct rf_case *b);
bool rf_same_job(const struct rf_case *a, const struct rf_case *b);

#endif
