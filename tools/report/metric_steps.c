// SPDX-License-Identifier: GPL-2.0
/* Metrics of steps and ranks: what the job's timeline tells. */
#include "harm.h"
#include "metric_rows.h"
#include "steps.h"

/* The row's argument for figures of steps: the part and the figure. */
#define PART(part, figure) ((RF_PART_ ## part) << 8 | RF_FIGURE_ ## figure)

static bool job_steps(const struct rf_metric_query *q, double *v)
{
	return rf_steps_figure(&q->play->rec.tl, RF_ALL_RANKS, RF_PART_ALL,
			       q->arg & 0xff, v);
}

static bool rank_steps(const struct rf_metric_query *q, double *v)
{
	uint32_t rank;

	return rf_index_rank(q, &rank) &&
	       rf_steps_figure(&q->play->rec.tl, rank, q->arg >> 8,
			       q->arg & 0xff, v);
}

static bool steps_whole(const struct rf_metric_query *q, double *v)
{
	*v = rf_steps_whole(&q->play->rec.tl);
	return true;
}

static bool rank_last(const struct rf_metric_query *q, double *v)
{
	uint32_t rank;

	if (!rf_index_rank(q, &rank))
		return false;
	*v = rf_steps_last(&q->play->rec.tl, rank);
	return true;
}

static bool rank_wrong(const struct rf_metric_query *q, double *v)
{
	const struct rf_rank_end *end = q->play->rec.tl.end;
	uint32_t rank;

	if (!rf_index_rank(q, &rank) || !end[rank].seen)
		return false;
	*v = end[rank].wrong;
	return true;
}

static bool rank_status(const struct rf_metric_query *q, double *v)
{
	const struct rf_rank_end *end = q->play->rec.tl.end;
	uint32_t rank;

	if (!rf_index_rank(q, &rank) || !end[rank].seen)
		return false;
	*v = end[rank].status;
	return true;
}

static bool ranks_failed(const struct rf_metric_query *q, double *v)
{
	const struct rf_timeline *tl = &q->play->rec.tl;
	uint32_t rank;

	*v = 0;
	for (rank = 0; rank < tl->ranks; rank++)
		*v += !tl->end[rank].seen || tl->end[rank].status;
	return true;
}

static bool measure(const struct rf_metric_query *q, double *v)
{
	*v = q->play->an.measure[q->arg];
	return true;
}

static bool play_time(const struct rf_metric_query *q, double *v)
{
	*v = rf_play_ns(q->play);
	return *v > 0;
}

static bool goodput(const struct rf_metric_query *q, double *v)
{
	return rf_goodput(&q->play->rec.tl, v);
}

static bool goodput_share(const struct rf_metric_query *q, double *v)
{
	const struct rf_run_play *clean = rf_run_clean_step(q->run, q->play);
	double usual;

	if (!clean || !rf_goodput(&clean->rec.tl, &usual) || !goodput(q, v) || !usual)
		return false;
	*v /= usual;
	return true;
}

/* What all of a play cost beyond its clean one. */
static bool play_cost(const struct rf_metric_query *q, double *v)
{
	const struct rf_run_play *by = rf_run_clean_whole(q->run, q->play);
	uint64_t now = rf_play_ns(q->play), clean = by ? rf_play_ns(by) : 0;
	const struct rf_price *price = q->run->price;

	if (!price->ngpus || !by)
		return false;
	*v = rf_cost(now > clean ? now - clean : 0, price->gpus[0],
		     price->rate);
	return true;
}

#define FIGURES(_name, _fn, _part, _help)				\
	ROW(_name ".min", TIME, _fn, PART(_part, MIN), 0, _help ", least"), \
	ROW(_name ".p50", TIME, _fn, PART(_part, P50), 0, _help ", median"), \
	ROW(_name ".p90", TIME, _fn, PART(_part, P90), 0,		\
	    _help ", 90th percentile"),					\
	ROW(_name ".p99", TIME, _fn, PART(_part, P99), 0,		\
	    _help ", 99th percentile"),					\
	ROW(_name ".max", TIME, _fn, PART(_part, MAX), 0, _help ", most"), \
	ROW(_name ".mean", TIME, _fn, PART(_part, MEAN), 0, _help ", mean")

#define FIGURES_SUM(_name, _fn, _part, _help)				\
	FIGURES(_name, _fn, _part, _help),				\
	ROW(_name ".sum", TIME, _fn, PART(_part, SUM), 0, _help ", sum")

const struct rf_metric_row rf_step_metrics[] = {
	FIGURES_SUM("step.time", job_steps, ALL, "time that a step takes the job"),
	ROW("step.done", COUNT, steps_whole, 0, 0,
	    "steps that all ranks came through"),
	ROW("play.time", TIME, play_time, 0, 0,
	    "time from the first step's begin to the last one's end"),
	FIGURES("rank[].step.time", rank_steps, ALL,
		"time that a step takes a rank"),
	FIGURES("rank[].arrival", rank_steps, ARRIVAL,
		"time by which a rank begins a step after the first one"),
	FIGURES("rank[].transfer", rank_steps, TRANSFER,
		"time of a rank's step in which it doesn't wait"),
	FIGURES_SUM("rank[].wait", rank_steps, WAIT,
		    "time that a rank waits in a step"),
	FIGURES_SUM("rank[].wait.recv", rank_steps, WAIT_RECV,
		    "time that a rank waits for data in a step"),
	FIGURES_SUM("rank[].wait.send", rank_steps, WAIT_SEND,
		    "time that a rank waits for acknowledges in a step"),
	FIGURES_SUM("rank[].wait.sync", rank_steps, WAIT_SYNC,
		    "time that a rank waits at the barrier in a step"),
	ROW("rank[].last", COUNT, rank_last, 0, 0,
	    "steps to which a rank came last"),
	ROW("rank[].wrong", COUNT, rank_wrong, 0, 0, "wrong sums of a rank"),
	ROW("rank[].status", COUNT, rank_status, 0, 0,
	    "with which a rank ended; 0 is well"),
	ROW("ranks.failed", COUNT, ranks_failed, 0, 0,
	    "ranks that ended badly, or not at all"),
	ROW("wrong", COUNT, measure, RF_WRONG, 0, "wrong sums, over all ranks"),
	ROW("goodput", RATE, goodput, 0, 0,
	    "the job's data in a second of its transfers"),
	ROW("goodput.share", SHARE, goodput_share, 0, 0,
	    "the same as a share of the clean play's"),
	ROW("play.cost", DOLLARS, play_cost, 0, 0,
	    "what the play's time beyond the clean one's costs the smallest cluster"),
	{ }
};
