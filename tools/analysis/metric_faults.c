// SPDX-License-Identifier: GPL-2.0
/* Metrics of single faults. The faults of a case are numbered from 1. */
#include "analysis.h"
#include "metric_rows.h"

/* Get the index of the fault in the case. Return: NULL, or the reason if it has no effect. */
static const char *queried_fault(const struct rf_metric_query *q, uint32_t *fault)
{
	if (!rf_index_number(q->index[0], q->run_case->test_case->nfaults, fault) || !*fault)
		return "there is no such fault";
	return rf_fault_came(q->run_case, --*fault) ? NULL : "the fault did not begin";
}

enum { MATCHED, HIT, HIT_SHARE };

static const char *fault_packets(const struct rf_metric_query *q, double *v)
{
	const struct rf_rule_tally *rule;
	uint32_t fault;
	const char *why = queried_fault(q, &fault);

	if (why)
		return why;
	if (!rf_fault_has_rule(&q->run_case->test_case->faults[fault]))
		return "the fault is no rule";
	rule = rf_record_find_rule(&q->run_case->rec, fault);
	if (!rule)
		return "the counters of the rule were not read";
	if (q->arg == HIT_SHARE && !rule->matched)
		return "no packet matched the rule";
	*v = q->arg == MATCHED ? rule->matched : rule->hits;
	if (q->arg == HIT_SHARE)
		*v /= rule->matched;
	return NULL;
}

static const char *time_to_end(const struct rf_metric_query *q, double *v)
{
	const struct rf_timeline *tl = &q->run_case->rec.tl;
	uint64_t from, start, end;
	uint32_t fault;
	const char *why = queried_fault(q, &fault);

	if (!why)
		why = rf_fault_began(q->run_case, fault, &from);
	if (why)
		return why;
	if (!rf_timeline_span(tl, 1, tl->iters, &start, &end))
		return "the job reported no step";
	if (end < from)
		return "the job had ended before";
	*v = end - from;
	return NULL;
}

static const char *fault_lost_time(const struct rf_metric_query *q, double *v)
{
	struct rf_lost_time lost;
	uint32_t fault;
	const char *why = queried_fault(q, &fault);

	if (why)
		return why;
	why = rf_lost_time(q->run_case, &lost);
	if (!why && q->arg && !lost.total_ns)
		why = "no step took longer than clean steps";
	if (!why)
		*v = lost.cause_ns[fault] / (q->arg ? lost.total_ns : 1);
	rf_lost_time_free(&lost);
	return why;
}

enum { TOTAL, UNEXPLAINED, STRAGGLER };

static const char *case_lost_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_case *test_case = q->run_case->test_case;
	struct rf_lost_time lost;
	const char *why;

	if (q->arg == STRAGGLER && !rf_options_have(&test_case->workload, "straggler"))
		return "the job has no straggler";
	why = rf_lost_time(q->run_case, &lost);
	if (!why)
		*v = q->arg == TOTAL ? lost.total_ns :
		     q->arg == UNEXPLAINED ? lost.unexplained_ns :
		     lost.cause_ns[test_case->nfaults];
	rf_lost_time_free(&lost);
	return why;
}

const struct rf_metric_row rf_fault_metrics[] = {
	ROW("lost_time", TIME, case_lost_time, TOTAL, 0,
	    "time of all steps that took longer than the slowest clean step, minus the median of clean steps for each; no value if no clean case has steps to compare with, or if the job ended early"),
	ROW("lost_time.unexplained", TIME, case_lost_time, UNEXPLAINED, RF_TRACED,
	    "part of lost_time in which no fault held a packet; no value if lost_time has no value"),
	ROW("lost_time.straggler", TIME, case_lost_time, STRAGGLER, RF_TRACED,
	    "part of lost_time that the straggler of the job caused; no value if the job has no straggler"),
	ROW("fault[].lost_time", TIME, fault_lost_time, 0, RF_TRACED,
	    "part of lost_time that this fault caused; no value if lost_time has no value"),
	ROW("fault[].lost_time.share", SHARE, fault_lost_time, 1, RF_TRACED,
	    "fault[].lost_time divided by lost_time; no value if lost_time is 0"),
	ROW("fault[].matched", COUNT, fault_packets, MATCHED, 0,
	    "number of packets that matched the rule of this fault; the faults of a case are numbered from 1; no value if the fault is no rule"),
	ROW("fault[].hit", COUNT, fault_packets, HIT, 0,
	    "number of packets that the rule of this fault hit; no value if the fault is no rule"),
	ROW("fault[].hit.share", SHARE, fault_packets, HIT_SHARE, 0,
	    "fault[].hit divided by fault[].matched; no value if the fault is no rule, or if no packet matched"),
	ROW("fault[].time_to_end", TIME, time_to_end, 0, RF_TRACED,
	    "time from the first packet that this fault hit to the end of the last step, also if the job ended early; for a fault that is no rule, from its begin; no value if it hit no packet"),
	{ }
};
