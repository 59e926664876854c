/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run: the cases of a scenario with their records, analyses and verdicts.
 */
#ifndef RF_RUN_H
#define RF_RUN_H

#include <limits.h>
#include <stdio.h>
#include "tools/analysis/analyse.h"
#include "exit.h"
#include "tools/scenario/scenario.h"

struct json_object;

/* A verdict is also the exit status of a run. */
enum rf_verdict {
	RF_VERDICT_PASS = RF_EXIT_OK,
	RF_VERDICT_FAIL = RF_EXIT_FAILED,	/* an expectation is not met */
	RF_VERDICT_BROKEN = RF_EXIT_NO_RESULT,	/* case not run, or not measured */
	RF_VERDICT_ABORTED = RF_EXIT_ABORTED,
};

#define RF_REASONS_MAX 48

struct rf_run_case {
	const struct rf_case *kase;
	uint32_t round;			/* from 1 */
	char label[64];			/* name of the case, with the round if there are several */
	struct rf_record rec;
	struct rf_analysis an;
	enum rf_verdict verdict;
	char *reason[RF_REASONS_MAX];	/* allocated; rf_reasons_free() frees it */
	unsigned int nreasons;		/* 0: pass */
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
	struct rf_scenario *own;	/* @scenario, if read from run.json; freed with the run */
	enum rf_verdict ended;		/* how the run ended, for example aborted */
	uint32_t rounds;
	char dir[PATH_MAX];
	char kernel[80];
	unsigned int cpus;
	struct rf_environment env;
	struct json_object *ports;	/* port settings at the start; NULL: not recorded */
	struct rf_run_case *cases;	/* all cases of round 1, then all cases of round 2, ... */
	size_t ncases;			/* number of cases that were run */
	enum rf_verdict verdict;
	char differs[160];		/* difference between rounds; "": none */
};

/* The records of a run are in two files. All other files of a report are generated from them. */
#define RF_SETUP_FILE "run.json"
#define RF_EVENTS_FILE "events.jsonl"
#define RF_SETUP_VERSION 3	/* format of run.json; other versions are refused */

int rf_run_load(const char *dir, struct rf_run *run);
int rf_run_save(const struct rf_run *run);
void rf_run_free(struct rf_run *run);
int rf_run_analyse(const struct rf_run *run, struct rf_run_case *p);
void rf_hits_settle(const struct rf_scenario *s, const struct rf_case *kase,
		    struct rf_events *ev);	/* hits.c */
void rf_run_label(const struct rf_run *run, struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_step(const struct rf_run *run,
					    const struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_job(const struct rf_run *run,
					   const struct rf_run_case *p);
const struct rf_run_case *rf_run_clean_whole(const struct rf_run *run,
					     const struct rf_run_case *p);
bool rf_case_is_whole(const struct rf_run_case *p);
bool rf_same_step(const struct rf_case *a, const struct rf_case *b);
bool rf_same_job(const struct rf_case *a, const struct rf_case *b);
int rf_setup_write(const char *path, const struct rf_run *run);
int rf_setup_read(const char *path, struct rf_run *run);
int rf_events_write(const char *path, const struct rf_run *run);
int rf_events_read(const char *path, struct rf_run *run);

/* environment.c: the machine of a run */
void rf_environment_read(struct rf_run *run);
char *rf_environment_text(const struct rf_run *run, char *buf, size_t len);
enum rf_time rf_time_of_machine(const char *conf);
const char *rf_time_name(enum rf_time t);
bool rf_time_parse(const char *word, enum rf_time *t);

/* render.c: the files that are generated from run.json and events.jsonl */
#define RF_FORMATS_ALL UINT32_MAX
int rf_formats_parse(const char *list, uint32_t *formats);
int rf_run_render(const struct rf_run *run, uint32_t formats);

void rf_judge_case(struct rf_run_case *p);
void rf_reasons_free(struct rf_run_case *p);
void rf_judge_run(struct rf_run *run);
bool rf_case_is_recorded(const struct rf_run_case *p);
bool rf_case_expects_ends(const struct rf_case *kase);
bool rf_fault_came(const struct rf_run_case *p, size_t i);
const char *rf_verdict_name(enum rf_verdict v);

void rf_page_write(FILE *f, const struct rf_run *run);
void rf_page_case(FILE *f, const struct rf_run *run,
		  const struct rf_run_case *p);
void rf_page_ranks(FILE *f, const struct rf_run_case *p);	/* page_ranks.c */
void rf_page_ports(FILE *f, const struct rf_record *rec);
int rf_html_write(const char *path, const struct rf_run *run);
void rf_page_rounds(FILE *f, const struct rf_run *run);
#define RF_SUMMARY_VERSION 1	/* format of summary.json */
int rf_summary_write(const char *path, const struct rf_run *run);
char *rf_ports_sentence(const struct rf_run *run);
struct json_object *rf_summary_json(const struct rf_run *run);

/* sentences */
char *rf_story(const struct rf_run_case *p, char *buf, size_t len);
bool rf_stall_is_noise(const struct rf_analysis *an);
char *rf_advice(const struct rf_run *run, char *buf, size_t len);

/* What a reader must know first; see summary_line.c */
struct rf_summary_text {
	char impact[320];		/* what was lost, how many ranks waited, how long */
	char lead[512];			/* how much worse than without the fault, and why */
	char verdict[192];
};

void rf_summarize(const struct rf_run *run, struct rf_summary_text *t);
char *rf_summary_line(const struct rf_run *run, char *buf, size_t len);
char *rf_job_sentence(const struct rf_workload *w, const struct rf_qp_attr *qp,
		      char *buf, size_t len);
const char *rf_hit_participle(const struct rf_event *e);
const struct rf_run_case *rf_run_worst(const struct rf_run *run);
bool rf_case_network(const struct rf_run *run, const struct rf_run_case *p, uint32_t step,
		     uint64_t *now, uint64_t *clean);
size_t rf_run_order(const struct rf_run *run, size_t *order);
bool rf_case_is_told(const struct rf_run *run, const struct rf_run_case *p);
uint64_t rf_case_ns(const struct rf_run_case *p);
bool rf_case_is_one_packet(const struct rf_run_case *p);
bool rf_case_impact_is_known(const struct rf_run *run,
			     const struct rf_run_case *p);
uint64_t rf_case_impact_ns(const struct rf_run *run, const struct rf_run_case *p);
const char *rf_case_impact_why_not(const struct rf_run *run,
				   const struct rf_run_case *p);
bool rf_case_worst_step(const struct rf_run_case *p, struct rf_worst_step *w);
const char *rf_case_why_not_comparable(const struct rf_run_case *p,
				       const struct rf_run_case *by);
const struct rf_prio_tally *rf_most_paused(const struct rf_record *rec,
					   const struct rf_port_tally **port);

/* cost */
double rf_cost(uint64_t ns, uint32_t gpus, double rate);
double rf_cost_of_day(uint64_t ns, uint32_t gpus, double rate, uint64_t every_ns);
char *rf_fmt_dollars(double dollars, char buf[32]);
char *rf_fmt_count(uint64_t n, char buf[32]);
void rf_page_cost(FILE *f, const struct rf_price *price, uint64_t stall_ns);

/* lines of the text page */
#define RF_PAGE_WIDTH 80
bool rf_text_is_colored(FILE *f);
size_t rf_text_columns(const char *s);
void rf_text_wrap(FILE *f, const char *head, size_t indent, const char *text);
void rf_text_rule(FILE *f, const char *left, const char *right);
void rf_spark(FILE *f, const struct rf_timeline *tl, uint64_t max_ns);
size_t rf_spark_column(const struct rf_timeline *tl, uint32_t step);

#endif
