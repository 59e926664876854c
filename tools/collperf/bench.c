// SPDX-License-Identifier: GPL-2.0
/*
 * One size, out-of-place and in-place: warm-up, measured iterations,
 * verification.
 *
 * Without barriers (-z 0) the measured iterations run back to back, the time
 * is that of all divided by their number, and separate iterations (-c) are
 * verified afterwards, since an in-place result is the next input.
 *
 * With barriers (-z 1) each iteration is a step of the whole job:
 *
 *     announce k | collective | verify, new input, compute | barrier |
 *     start_ns --^            ^-- end_ns                             ^-- sync_ns
 *
 * so that every step is verified, the time of a step holds the collective
 * only, and no rank enters step k+1 before all have ended step k. The time is
 * the mean of end - start.
 */
#include <errno.h>
#include <string.h>

#include "bench.h"
#include "clock.h"
#include "err.h"

/* What a rank knows of a measurement before it is put together. */
struct part {
	double time_ns;
	uint64_t wrong;
};

static struct cp_run new_run(struct cp_rank *me, uint64_t count, bool in_place)
{
	return (struct cp_run){
		.tp = &me->tp,
		.rank = me->oob.rank,
		.ranks = me->oob.ranks,
		.type = me->cfg->type,
		.op = me->cfg->op,
		.count = count,
		.in_place = in_place,
	};
}

static void enter_step(struct cp_rank *me, uint32_t step)
{
	me->state->step = step;
	cp_announce(&me->announcer, step);
}

/* New input; no result is there before it is computed. */
static void prepare(struct cp_rank *me, const struct cp_run *run)
{
	struct cp_mem *mem = me->tp.mem;

	me->seed++;
	cp_pattern_fill(&me->pattern,
			mem[run->in_place ? CP_RECV : CP_SEND].addr,
			run->count, me->seed);
	if (!run->in_place)
		cp_poison(mem[CP_RECV].addr, run->count * run->type->size);
}

static void complain(struct cp_rank *me, const struct cp_run *run,
		     uint64_t first, uint64_t wrong)
{
	char got[40], want[40];

	if (me->complained)
		return;
	me->complained = true;
	run->type->format(got, sizeof(got), me->tp.mem[CP_RECV].addr, first);
	run->type->format(want, sizeof(want), me->pattern.want,
			  cp_pattern_index(first, me->seed));
	rf_err("rank %d, step %u: element %llu of %llu is %s and must be %s; %llu are wrong",
	       run->rank, me->state->step, (unsigned long long)first,
	       (unsigned long long)run->count, got, want,
	       (unsigned long long)wrong);
}

static uint64_t verify(struct cp_rank *me, const struct cp_run *run)
{
	uint64_t first, wrong;

	wrong = cp_pattern_check(&me->pattern, me->tp.mem[CP_RECV].addr,
				 run->count, me->seed, &first);
	if (wrong)
		complain(me, run, first, wrong);
	me->state->wrong += wrong;
	return wrong;
}

static int run_once(struct cp_rank *me, const struct cp_run *run,
		    struct cp_record *rec)
{
	uint64_t recv_ns = me->tp.wait_recv_ns, send_ns = me->tp.wait_send_ns;
	int ret;

	enter_step(me, ++me->steps);
	*rec = (struct cp_record){
		.step = me->steps,
		.in_place = run->in_place,
		.bytes = run->count * run->type->size,
		.start_ns = cp_now(),
	};
	ret = me->cfg->coll->algo->run(run);
	rec->end_ns = cp_now();
	rec->sync_ns = rec->end_ns;
	rec->wait_recv_ns = me->tp.wait_recv_ns - recv_ns;
	rec->wait_send_ns = me->tp.wait_send_ns - send_ns;
	return ret;
}

/* The rest of a training step, as far as the network can tell. */
static int compute(struct cp_rank *me)
{
	int ret;

	if (!me->cfg->compute_ns)
		return 0;
	cp_at(me->state, "compute", 0, 0);
	ret = cp_sleep(&me->waiter, NULL, 0, cp_now() + me->cfg->compute_ns);
	if (ret == -ETIMEDOUT)
		return 0;
	return cp_fail(me->state, CP_ENDED, "told to end");
}

/* A step of its own: verified, and ended by a barrier. */
static int run_step(struct cp_rank *me, const struct cp_run *run,
		    struct part *part)
{
	struct cp_record rec;
	int ret = run_once(me, run, &rec);

	if (!ret) {
		if (me->cfg->checks)
			rec.wrong = verify(me, run);
		prepare(me, run);
		ret = compute(me);
	}
	if (!ret)
		ret = cp_barrier(&me->oob, &rec.wait_sync_ns);
	rec.sync_ns = cp_now();
	part->time_ns += (double)(rec.end_ns - rec.start_ns);
	part->wrong += rec.wrong;
	cp_board_record(me->state, &rec);
	return ret;
}

static int run_steps(struct cp_rank *me, const struct cp_run *run,
		     struct part *part)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->iters; i++)
		ret = run_step(me, run, part);
	return ret;
}

static int run_back_to_back(struct cp_rank *me, const struct cp_run *run,
			    struct part *part)
{
	uint64_t start = cp_now();
	struct cp_record rec;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->iters; i++) {
		ret = run_once(me, run, &rec);
		cp_board_record(me->state, &rec);
	}
	part->time_ns = (double)(cp_now() - start);
	return ret;
}

static int run_checks(struct cp_rank *me, const struct cp_run *run,
		      struct part *part)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->checks; i++) {
		prepare(me, run);
		ret = me->cfg->coll->algo->run(run);
		if (!ret)
			part->wrong += verify(me, run);
	}
	return ret;
}

static int warm_up(struct cp_rank *me, const struct cp_run *run)
{
	int ret = 0;

	prepare(me, run);
	for (uint32_t i = 0; !ret && i < me->cfg->warmups; i++) {
		ret = me->cfg->coll->algo->run(run);
		if (!ret)
			ret = compute(me);
	}
	return ret;
}

static int run_all(struct cp_rank *me, const struct cp_run *run,
		   struct part *part)
{
	int ret = warm_up(me, run);

	prepare(me, run);
	if (!ret)
		ret = cp_barrier(&me->oob, NULL);
	if (!ret && me->cfg->blocking)
		ret = run_steps(me, run, part);
	else if (!ret)
		ret = run_back_to_back(me, run, part);
	if (ret)
		return ret;
	enter_step(me, 0);
	return me->cfg->blocking ? 0 : run_checks(me, run, part);
}

/* Put the ranks' parts together: mean time, wrong elements of all. */
static int conclude(struct cp_rank *me, const struct part *part,
		    const struct cp_row *row, struct cp_measure *m)
{
	struct part all[CP_RANKS_MAX];
	double ns = 0;
	int ret = cp_allgather(&me->oob, part, sizeof(*part), all);

	if (ret)
		return ret;
	m->wrong = me->cfg->checks ? 0 : CP_NOT_VERIFIED;
	for (int r = 0; r < me->oob.ranks; r++) {
		ns += all[r].time_ns / me->cfg->iters / me->oob.ranks;
		m->wrong += (int64_t)all[r].wrong;
	}
	m->done = true;
	m->time_us = ns / CP_NSEC_PER_USEC;
	m->alg_bw = ns > 0 ? (double)row->bytes / ns : 0;
	m->bus_bw = m->alg_bw * me->cfg->coll->bus_factor(me->oob.ranks);
	return 0;
}

/**
 * cp_bench() - measure and verify one size
 * @bytes: as asked for; what is used is a multiple of the element size
 * Return: 0, or -EIO after cp_fail().
 */
int cp_bench(struct cp_rank *me, uint64_t bytes, struct cp_row *row)
{
	uint64_t count = bytes / me->cfg->type->size;
	int ret = 0;

	*row = (struct cp_row){
		.count = count,
		.bytes = count * me->cfg->type->size,
	};
	for (int i = 0; !ret && i < CP_PLACES; i++) {
		struct cp_run run = new_run(me, count, i == 1);
		struct part part = { 0 };

		if (!(me->cfg->place & 1u << i))
			continue;
		ret = run_all(me, &run, &part);
		if (!ret)
			ret = conclude(me, &part, row, &row->place[i]);
	}
	return ret;
}
