/* SPDX-License-Identifier: GPL-2.0 */
/* The analysis of a run: verdicts, the impact of the faults of each case, and their cost */
#ifndef RF_RUN_ANALYSIS_H
#define RF_RUN_ANALYSIS_H

#include "analyse.h"
#include "tools/run/run.h"

int rf_run_load(const char *dir, struct rf_run *run);
void rf_run_free(struct rf_run *run);
int rf_run_analyse(const struct rf_run *run, struct rf_run_case *p);
void rf_hits_settle(const struct rf_scenario *s, const struct rf_case *test_case,
		    struct rf_events *ev);	/* hits.c */

/* verdict.c */
void rf_case_set_verdict(struct rf_run_case *p);
void rf_reasons_free(struct rf_run_case *p);
void rf_run_set_verdict(struct rf_run *run);
bool rf_case_is_recorded(const struct rf_run_case *p);
bool rf_case_expects_ends(const struct rf_case *test_case);
bool rf_fault_came(const struct rf_run_case *p, size_t i);

/* case_impact.c: the time that faults cost. Times that differ by less than 1/RF_NOISE are equal. */
#define RF_NOISE 50
uint64_t rf_case_ns(const struct rf_run_case *p);
bool rf_case_has_ended(const struct rf_run_case *p);
bool rf_case_ended_by(const struct rf_run_case *p, const struct rf_loss *l);
bool rf_case_is_all_hits(const struct rf_run_case *p);
bool rf_case_is_one_packet(const struct rf_run_case *p);
bool rf_case_impact_is_known(const struct rf_run *run,
			     const struct rf_run_case *p);
uint64_t rf_case_whole_impact_ns(const struct rf_run *run, const struct rf_run_case *p);
uint64_t rf_case_impact_ns(const struct rf_run *run, const struct rf_run_case *p);
const char *rf_case_impact_why_not(const struct rf_run *run,
				   const struct rf_run_case *p);
const char *rf_case_why_not_comparable(const struct rf_run_case *p,
				       const struct rf_run_case *by);
bool rf_case_worst_step(const struct rf_run_case *p, struct rf_worst_step *w);
bool rf_case_network(const struct rf_run *run, const struct rf_run_case *p, uint32_t step,
		     uint64_t *now, uint64_t *clean);
const struct rf_run_case *rf_run_worst(const struct rf_run *run);
size_t rf_run_order(const struct rf_run *run, size_t *order);
bool rf_case_is_detailed(const struct rf_run *run, const struct rf_run_case *p);

/* cost.c: dollars */
double rf_cost(uint64_t ns, uint32_t gpus, double rate);
double rf_cost_of_day(uint64_t ns, uint32_t gpus, double rate, uint64_t every_ns);

#endif
