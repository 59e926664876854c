// SPDX-License-Identifier: GPL-2.0
/*
 * Measure one size, out-of-place and in-place. Each rank executes the plan (measurement.c). Then
 * the ranks combine their results: the time of an iteration, the numbers of wrong elements,
 * and the times of single iterations. The option -a selects the time of an iteration: of rank
 * 0, or the mean, the shortest or the longest time of all ranks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "ranks.h"

/*
 * Return the number of messages that the rank sends to each of its peers; 0 if it sends
 * different numbers to two peers. Ranks to which it sends no message are ignored.
 */
static uint64_t messages_of(const struct coll_plan *plan, int ranks)
{
	uint64_t most = 0, n;

	for (int r = 0; r < ranks; r++) {
		n = coll_plan_messages(plan, r, COLL_ACT_SEND);
		if (n && most && n != most)
			return 0;
		most = n ? n : most;
	}
	return most;
}

static int make_plan(struct cp_rank *me, enum coll_algo algo,
		     const struct coll_shape *shape)
{
	int ret = coll_plan_make(&me->plan, me->cfg->coll, algo, shape);

	if (ret)
		return coll_fail(me->state, COLL_FAILED,
				 "the plan cannot be made: %s", strerror(-ret));
	me->announcer.messages =
		coll_messages_each(messages_of(&me->plan, shape->ranks),
				   me->comm.options->qps);
	return 0;
}

/*
 * Return the time of one iteration. The option -a selects how the times of the ranks are
 * combined.
 */
static double reported_ns(const struct cp_config *cfg, const struct cp_rank_result *all,
			  int ranks)
{
	double least = all[0].time_ns, most = least, sum = 0;

	for (int r = 0; r < ranks; r++) {
		least = all[r].time_ns < least ? all[r].time_ns : least;
		most = all[r].time_ns > most ? all[r].time_ns : most;
		sum += all[r].time_ns;
	}
	switch (cfg->average) {
	case CP_OF_RANK_0:	return all[0].time_ns / cfg->iters;
	case CP_LEAST:		return least / cfg->iters;
	case CP_MOST:		return most / cfg->iters;
	default:		return sum / ranks / cfg->iters;
	}
}

/* Combine the times and the numbers of wrong elements of all ranks into @m. */
static int conclude(struct cp_rank *me, const struct cp_rank_result *part,
		    const struct cp_row *row, struct cp_measure *m)
{
	bool proven = me->cfg->checks && me->cfg->coll->sized;
	struct cp_rank_result all[COLL_RANKS_MAX];
	int ret = coll_allgather(&me->comm.oob, part, sizeof(*part), all);
	double ns;

	if (ret)
		return ret;
	m->wrong = proven ? 0 : CP_NOT_VERIFIED;
	for (int r = 0; proven && r < me->comm.oob.ranks; r++)
		m->wrong += (int64_t)all[r].wrong;
	ns = reported_ns(me->cfg, all, me->comm.oob.ranks);
	m->done = true;
	m->time_us = ns / COLL_NSEC_PER_USEC;
	m->alg_bw = ns > 0 ? (double)row->size.bytes / ns : 0;
	m->bus_bw = m->alg_bw * me->cfg->coll->bus_factor(me->comm.oob.ranks);
	return 0;
}

/*
 * Combine the recorded iterations of all ranks: count the stragglers. With "-I 1", rank 0
 * also computes statistics of the iteration times (struct cp_spread).
 */
static int gather_iters(struct cp_rank *me, struct cp_measure *m)
{
	uint32_t n = me->iters.n, skip = me->cfg->skip;
	size_t rows = 1 + (size_t)me->comm.oob.ranks;
	int ret = 0;

	if (me->cfg->per_iter && !me->comm.oob.rank) {
		m->times_us = calloc(rows * n, sizeof(*m->times_us));
		ret = m->times_us ? 0 : -ENOMEM;
	}
	if (!ret && cp_iters_gather(&me->iters, &me->comm.oob, m->times_us))
		return -EIO;
	if (!ret && m->times_us)
		ret = cp_spread_of(m->times_us + skip, n - skip, &m->spread);
	return ret ? coll_fail(me->state, COLL_FAILED, "no memory for %u iterations",
			       n) : 0;
}

/* Make one measurement. @i: 0 for out-of-place, 1 for in-place */
static int measure(struct cp_rank *me, struct cp_row *row, int i)
{
	struct cp_measurement measured = {
		.what = row->what,
		.shape = coll_comm_shape(&me->comm, row->what.type,
					 row->size.count,
					 cp_root_of(row->what), i == 1),
		.bytes = row->size.bytes,
	};
	struct cp_rank_result part = { 0 };
	int ret = make_plan(me, row->algo, &measured.shape);

	if (!ret)
		ret = cp_measurement_run(me, &measured, &part);
	if (!ret)
		ret = conclude(me, &part, row, &row->place[i]);
	return ret ? ret : gather_iters(me, &row->place[i]);
}

/**
 * cp_bench() - measure and verify one size
 * @me: state of this rank, after cp_bench_case()
 * @bytes: the requested size
 * @row: gets the results; call cp_row_free() in all cases
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_bench(struct cp_rank *me, uint64_t bytes, struct cp_row *row)
{
	struct cp_case what = cp_case(me->cfg, me->which);
	int ret = 0;

	*row = (struct cp_row){
		.what = what,
		.size = cp_size_of(me->cfg, what.type, bytes),
	};
	row->algo = cp_algo_of(me->cfg, row->size.bytes);
	for (int i = 0; !ret && i < CP_PLACES; i++)
		if (me->cfg->place & 1u << i)
			ret = measure(me, row, i);
	return ret;
}

/**
 * cp_row_free() - free the memory of a row
 * @row: filled in by cp_bench()
 */
void cp_row_free(struct cp_row *row)
{
	for (int i = 0; i < CP_PLACES; i++)
		free(row->place[i].times_us);
}

/*
 * Compute the number of messages that each flow has in the whole job. The result is 0
 * (unknown) if the job has several cases or sizes, because their numbers can differ.
 */
static int count_messages(struct cp_rank *me)
{
	const struct cp_config *cfg = me->cfg;
	struct cp_case what = cp_case(cfg, 0);
	struct cp_size size = cp_size_of(cfg, what.type, cfg->min_bytes);
	struct coll_shape shape = coll_comm_shape(&me->comm, what.type, size.count,
						  cp_root_of(what),
						  !(cfg->place & CP_OUT_OF_PLACE));
	uint64_t total, each;

	if (make_plan(me, cp_algo_of(cfg, size.bytes), &shape))
		return -EIO;
	each = messages_of(&me->plan, shape.ranks);
	if (cp_cases(cfg) > 1 || cfg->min_bytes != cfg->max_bytes ||
	    __builtin_mul_overflow(cp_sweep_runs(cfg), each, &total))
		total = 0;
	me->announcer.messages_total =
		coll_messages_each(total, me->comm.options->qps);
	return 0;
}

/**
 * cp_bench_open() - allocate resources for all cases
 * @me: state of this rank, connected
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_bench_open(struct cp_rank *me)
{
	int ret = cp_iters_open(&me->iters, &me->comm.oob, me->cfg->iters);

	return ret ? ret : count_messages(me);
}

/**
 * cp_bench_close() - release the resources of cp_bench_open()
 * @me: state of this rank
 */
void cp_bench_close(struct cp_rank *me)
{
	cp_iters_close(&me->iters);
	cp_values_close(me);
	coll_plan_free(&me->plan);
}

/**
 * cp_bench_case() - select the case (type, operation, root) for the next calls of
 * cp_bench()
 * @me: state of this rank
 * @which: index of the case, less than cp_cases()
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_bench_case(struct cp_rank *me, uint32_t which)
{
	struct cp_case what = cp_case(me->cfg, which);

	me->which = which;
	return cp_values_open(me, &what);
}
