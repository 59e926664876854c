/* SPDX-License-Identifier: GPL-2.0 */
/* Sentences about a run that all reports have */
#ifndef RF_REPORT_WORDS_H
#define RF_REPORT_WORDS_H

#include "tools/analysis/analysis.h"

/* case_text.c */
char *rf_timer_expires(const struct rf_run_case *p, const struct rf_loss *l, char *buf, size_t len);
char *rf_case_text(const struct rf_run_case *p, char *buf, size_t len);
char *rf_case_partition_text(const struct rf_run_case *p, char *buf, size_t len);
char *rf_failover_text(const struct rf_failover *failover, char *buf, size_t len);
char *rf_case_cost_text(const struct rf_run *run, const struct rf_run_case *p, char *buf,
			size_t len);
const char *rf_pause_period(const struct rf_run_case *p);
char *rf_event_place(const struct rf_event *e, char buf[48]);
const struct rf_prio_tally *rf_most_paused(const struct rf_record *rec,
					   const struct rf_port_tally **port);

/* first_wait.c */
char *rf_first_wait_text(const struct rf_run_case *p, char *buf, size_t len);

/* jobwords.c */
char *rf_job_sentence(const struct rf_workload *w, const struct rf_qp_attr *qp,
		      char *buf, size_t len);

/* other_job.c */
char *rf_other_job_text(const struct rf_run_case *other, char *buf, size_t len);

/* summary_line.c: what a reader must know first */
struct rf_summary_text {
	char impact[320];		/* what was lost, how many ranks waited, how long */
	char lead[1152];			/* how much worse than without the fault, and why */
	char verdict[192];
};

void rf_summarize(const struct rf_run *run, struct rf_summary_text *t);
char *rf_summary_line(const struct rf_run *run, char *buf, size_t len);
const char *rf_hit_participle(const struct rf_event *e);
void rf_end_reason(const struct rf_rank_end *end, const char *until, char *buf, size_t len);

/* deadlock_text.c */
bool rf_say_deadlock(const struct rf_run *run, char *buf, size_t len);

/* fault_name.c */
char *rf_fault_name(const struct rf_fault *fault, char *buf, size_t len);

/* compare_summary.c */
char *rf_compare_summary_line(const struct rf_compared *c, char *buf, size_t len);

/* machine.c */
char *rf_environment_text(const struct rf_run *run, char *buf, size_t len);
char *rf_advice(const struct rf_run *run, char *buf, size_t len);

/* process_text.c */
char *rf_process_text(const struct rf_run *run, const struct rf_run_case *run_case,
		      const struct rf_process *p, char *buf, size_t len);

/* portwords.c */
char *rf_ports_sentence(const struct rf_run *run);

#endif
