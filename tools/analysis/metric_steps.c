// SPDX-License-Identifier: GPL-2.0
/* Metrics of steps and ranks, computed from the timeline of the job */
#include <math.h>

#include "analysis.h"
#include "metric_rows.h"

/* Argument of a row for step times: the part of the step and the statistic */
#define PART(part, figure) ((RF_PART_ ## part) << 8 | RF_FIGURE_ ## figure)

static const char *job_steps(const struct rf_metric_query *q, double *v)
{
	return rf_steps_figure(&q->run_case->rec.tl, RF_ALL_RANKS, RF_PART_ALL,
			       q->arg & 0xff, v) ?
	       NULL : "no step was completed by all ranks";
}

static const char *one_step(const struct rf_metric_query *q, double *v)
{
	const struct rf_timeline *tl = &q->run_case->rec.tl;
	uint32_t step;

	if (!rf_index_number(q->index[0], tl->iters, &step) || !step)
		return "there is no such step";
	*v = rf_timeline_whole_ns(tl, step);
	if (*v)
		return NULL;
	return rf_timeline_broken(tl, step) ? "a rank failed in the step" :
	       "not all ranks completed the step";
}

static const char *rank_steps(const struct rf_metric_query *q, double *v)
{
	uint32_t rank;
	const char *why = rf_index_rank(q, &rank);

	if (why)
		return why;
	if (q->run_case->rec.tl.of_command && q->arg >> 8 >= RF_PART_TRANSFER)
		return rf_why_no_waits;
	return rf_steps_figure(&q->run_case->rec.tl, rank, q->arg >> 8,
			       q->arg & 0xff, v) ?
	       NULL : "the rank completed no step";
}

static const char *steps_whole(const struct rf_metric_query *q, double *v)
{
	*v = rf_steps_whole(&q->run_case->rec.tl);
	return NULL;
}

static const char *rank_last(const struct rf_metric_query *q, double *v)
{
	uint32_t rank;
	const char *why = rf_index_rank(q, &rank);

	if (!why)
		*v = rf_steps_last(&q->run_case->rec.tl, rank);
	return why;
}

/* Get how a rank ended. */
static const char *rank_end(const struct rf_metric_query *q,
			    const struct rf_rank_end **end)
{
	uint32_t rank;
	const char *why = rf_index_rank(q, &rank);

	if (why)
		return why;
	*end = &q->run_case->rec.tl.end[rank];
	return (*end)->seen ? NULL : "the rank left no result";
}

static const char *rank_wrong(const struct rf_metric_query *q, double *v)
{
	const struct rf_rank_end *end;
	const char *why = rank_end(q, &end);

	if (!why && q->run_case->rec.tl.of_command)
		return rf_why_no_sums;
	if (!why)
		*v = end->wrong;
	return why;
}

static const char *rank_status(const struct rf_metric_query *q, double *v)
{
	const struct rf_rank_end *end;
	const char *why = rank_end(q, &end);

	if (!why)
		*v = end->status;
	return why;
}

static const char *ranks_failed(const struct rf_metric_query *q, double *v)
{
	const struct rf_timeline *tl = &q->run_case->rec.tl;
	uint32_t rank;

	*v = 0;
	for (rank = 0; rank < tl->ranks; rank++)
		*v += !tl->end[rank].seen || tl->end[rank].status;
	return NULL;
}

static const char *step_measure(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->an->measure[q->arg];
	return rf_measure_why_not(q->run_case->an, q->arg);
}

static const char *failover_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_failover *failover = &q->run_case->rec.tl.failover;

	*v = failover->time_ns;
	if (!failover->rail)
		return "no rail failed";
	return failover->end_ns ? NULL : "the step was not completed on the other rail";
}

static const char *failover_bytes(const struct rf_metric_query *q, double *v)
{
	const char *why = failover_time(q, v);

	*v = q->run_case->rec.tl.failover.repeated_bytes;
	return why;
}

static const char *failover_rail(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->rec.tl.failover.rail;
	return NULL;
}

static const char *failover_step(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->rec.tl.failover.step;
	return *v ? NULL : "no rail failed in a step";
}

static const char ended_early[] = "the job ended before its last step was complete";

static const char *case_time(const struct rf_metric_query *q, double *v)
{
	*v = rf_case_ns(q->run_case);
	if (!*v)
		return "the job reported no step";
	if (rf_case_is_whole(q->run_case))
		return NULL;
	return q->run_case->rec.tl.iters ? ended_early : "a process of the job failed";
}

/*
 * Get the goodput. If the job ended early, there is no value, because the time and the data
 * of the failed step are unknown.
 */
static const char *goodput(const struct rf_metric_query *q, double *v)
{
	const struct rf_timeline *tl = &q->run_case->rec.tl;

	if (tl->iters && !rf_case_is_whole(q->run_case))
		return ended_early;
	if (tl->iters && !tl->bytes)
		return "the amount of data of the command's steps is unknown";
	return rf_goodput(tl, v) ? NULL : "no step was completed by all ranks";
}

/*
 * Get the goodput of the case divided by the goodput of the clean case. A ratio above 1 is
 * noise and becomes 1.
 */
static const char *goodput_share(const struct rf_metric_query *q, double *v)
{
	const struct rf_run_case *clean = rf_run_clean_step(q->run, q->run_case);
	const char *why = goodput(q, v);
	double usual;

	if (why)
		return why;
	if (!clean)
		return "no case without faults has steps to compare with";
	if (!rf_goodput(&clean->rec.tl, &usual) || !usual)
		return "the case without faults completed no step";
	*v = fmin(*v / usual, 1);
	return NULL;
}

/* Get the cost of the additional time of a case. */
static const char *case_cost(const struct rf_metric_query *q, double *v)
{
	const struct rf_run_case *by = rf_run_clean_job(q->run, q->run_case);
	const char *why = rf_case_why_not_comparable(q->run_case, by);
	const struct rf_price *price = q->run->price;
	uint64_t now, clean;

	if (why || !price->ngpus)
		return why ? why : "the scenario gives no number of GPUs";
	if (!rf_case_has_cost(q->run, q->run_case))
		return "the job has no steps, and the scenario has no \"cost\"";
	now = rf_case_ns(q->run_case);
	clean = rf_case_ns(by);
	*v = rf_cost(now > clean ? now - clean : 0, price->gpus[0],
		     price->rate);
	return NULL;
}

#define FIGURES(_name, _fn, _part, _flags, _help)			\
	ROW(_name ".min", TIME, _fn, PART(_part, MIN), _flags,		\
	    "minimum of all steps: " _help),				\
	ROW(_name ".p50", TIME, _fn, PART(_part, P50), _flags,		\
	    "median of all steps: " _help),				\
	ROW(_name ".p90", TIME, _fn, PART(_part, P90), _flags,		\
	    "90th percentile of all steps: " _help),			\
	ROW(_name ".p99", TIME, _fn, PART(_part, P99), _flags,		\
	    "99th percentile of all steps: " _help),			\
	ROW(_name ".max", TIME, _fn, PART(_part, MAX), _flags,		\
	    "maximum of all steps: " _help),				\
	ROW(_name ".mean", TIME, _fn, PART(_part, MEAN), _flags,		\
	    "mean of all steps: " _help)

#define FIGURES_SUM(_name, _fn, _part, _flags, _help)			\
	FIGURES(_name, _fn, _part, _flags, _help),			\
	ROW(_name ".sum", TIME, _fn, PART(_part, SUM), _flags,		\
	    "total of all steps: " _help)

const struct rf_metric_row rf_step_metrics[] = {
	FIGURES_SUM("step.time", job_steps, ALL, 0,
		    "duration of a step, from the start of the first rank until the last rank leaves the barrier; no value if no step was completed by all ranks"),
	ROW("step[].time", TIME, one_step, 0, 0,
	    "duration of one step, counted from 1, from the start of the first rank until the last rank leaves the barrier; no value if not all ranks completed the step"),
	ROW("step.done", COUNT, steps_whole, 0, 0,
	    "number of steps that all ranks completed"),
	ROW("case.time", TIME, case_time, 0, 0,
	    "time from the start of the first step to the end of the last step; of a command without steps, the time of its last process that ends by itself; no value if the job ended early"),
	FIGURES("rank[].step.time", rank_steps, ALL, RF_ONE_CLOCK,
		"time of the rank from its start of the step until it leaves the barrier; no value if the rank completed no step"),
	FIGURES("rank[].arrival", rank_steps, ARRIVAL, 0,
		"time from the start of the first rank to the start of this rank; no value if the rank completed no step"),
	FIGURES("rank[].transfer", rank_steps, TRANSFER, RF_ONE_CLOCK,
		"time in which the rank does not wait; no value if the rank completed no step"),
	FIGURES_SUM("rank[].wait", rank_steps, WAIT, RF_ONE_CLOCK,
		    "time that the rank waits for data, for ACKs or at the barrier; no value if the rank completed no step"),
	FIGURES_SUM("rank[].wait.recv", rank_steps, WAIT_RECV, RF_ONE_CLOCK,
		    "time that the rank waits for data; no value if the rank completed no step"),
	FIGURES_SUM("rank[].wait.send", rank_steps, WAIT_SEND, RF_ONE_CLOCK,
		    "time that the rank waits for ACKs; no value if the rank completed no step"),
	FIGURES_SUM("rank[].wait.sync", rank_steps, WAIT_SYNC, RF_ONE_CLOCK,
		    "time that the rank waits at the barrier; no value if the rank completed no step"),
	ROW("rank[].last", COUNT, rank_last, 0, 0,
	    "number of steps in which this rank started last"),
	ROW("rank[].wrong", COUNT, rank_wrong, 0, 0, "number of wrong results of the rank; no value if the rank left no result"),
	ROW("rank[].status", COUNT, rank_status, 0, 0,
	    "exit status of the rank, 0 = success; no value if the rank left no result"),
	ROW("ranks.failed", COUNT, ranks_failed, 0, 0,
	    "number of ranks that failed or did not end"),
	ROW("wrong", COUNT, step_measure, RF_WRONG, 0,
	    "number of wrong results of all ranks; no value if a rank left no result"),
	ROW("failover.rail", COUNT, failover_rail, 0, 0,
	    "number of the rail that failed, counted from 1; 0: none"),
	ROW("failover.step", COUNT, failover_step, 0, 0,
	    "step that was repeated on the other rail; no value if no rail failed in a step"),
	ROW("failover.time", TIME, failover_time, 0, 0,
	    "time from the last completion before the error of a queue pair until its rank had completed the step on the other rail; no value if no rail failed, or if the other rail failed as well"),
	ROW("failover.repeated_bytes", BYTES, failover_bytes, 0, 0,
	    "bytes that all ranks sent in the failed attempt of the step, and sent again; no value if no rail failed, or if the other rail failed as well"),
	ROW("goodput", RATE, goodput, 0, 0,
	    "data of the job divided by the time of its transfers; no value if the job ended early or no step was complete"),
	ROW("goodput.share", SHARE, goodput_share, 0, 0,
	    "goodput divided by the goodput of the clean case, at most 1; no value if no clean case has steps to compare with"),
	ROW("case.cost", DOLLARS, case_cost, 0, 0,
	    "cost of the time by which the case took longer than the clean case, for the smallest number of GPUs in the scenario (cost: gpus); no value if no clean case completed the same job, or if the job has no steps and the scenario no cost"),
	{ }
};
