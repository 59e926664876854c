// SPDX-License-Identifier: GPL-2.0
/*
 * One measurement in one rank: warm-up, measured iterations, verification.
 *
 * Without barriers (-z 0) the measured iterations run back to back, and their total time
 * is divided by their number. The results of these iterations are not verified,
 * because an in-place result is the input of the next iteration. Instead, additional
 * iterations (-c) run afterwards, and their results are verified.
 *
 * With barriers (-z 1) each iteration is a step of the whole job:
 *
 *     | collective | verify, new input, compute | announce k+1 | barrier |
 *     ^-- start_ns ^-- end_ns                              sync_ns --^
 *
 * Every step is verified (except with -c 0), and the time of a step contains only the
 * collective. No rank enters step k+1 before all ranks have ended step k and announced step
 * k+1, so packets of a step also arrive in that step. The reported time is the mean of
 * end_ns - start_ns. A straggler sleeps before start_ns.
 */
#include <errno.h>

#include "bench.h"
#include "kmod/rand.h"
#include "ranks.h"

static int carry_out(struct cp_rank *me, const struct cp_measurement *measured)
{
	const struct coll_run run = {
		.plan = &me->plan,
		.type = measured->what.type,
		.op = measured->what.op,
	};

	return coll_comm_run(&me->comm, &run);
}

static void leave_steps(struct cp_rank *me)
{
	me->state->step = 0;
	coll_announce(&me->announcer, 0);
}

/*
 * Begin a step. With barriers (-z 1), announce_and_meet() has already announced the step to the
 * module. Without barriers, announce it here.
 */
static void begin_step(struct cp_rank *me)
{
	me->state->step = ++me->steps;
	if (!me->cfg->blocking)
		coll_announce(&me->announcer, me->steps);
}

/* Announce the next step, and wait until all ranks have announced it. */
static int announce_and_meet(struct cp_rank *me, uint64_t *wait_ns)
{
	coll_announce(&me->announcer, me->steps + 1);
	return coll_barrier(&me->comm.oob, wait_ns);
}

static int linger(struct cp_rank *me, uint64_t ns)
{
	uint64_t until = rf_now_ns() + ns;

	if (!ns)
		return 0;
	coll_at(me->state, "compute", 0, 0);
	if (coll_sleep(&me->comm.waiter, NULL, 0, until) == -ETIMEDOUT)
		return 0;
	return coll_fail(me->state, COLL_ENDED, "terminated by a signal");
}

/* Emulate the computation of a training step. */
static int compute(struct cp_rank *me)
{
	return linger(me, me->cfg->compute_ns);
}

/* Draw the delay of this rank in the current iteration, less than --stagger. */
static uint64_t draw_delay(const struct cp_rank *me)
{
	uint64_t hash = rf_splitmix64(me->cfg->seed, (uint64_t)me->comm.oob.rank);

	hash = rf_splitmix64(hash, me->steps);
	return (uint64_t)((__uint128_t)hash * me->cfg->stagger_ns >> 64);
}

/* Sleep if this rank is the straggler of the job, or if all ranks are staggered. */
static int straggle(struct cp_rank *me)
{
	bool stragglers = me->cfg->straggler == (uint32_t)me->comm.oob.rank;

	return linger(me, (stragglers ? me->cfg->late_ns : 0) + draw_delay(me));
}

static int run_once(struct cp_rank *me, const struct cp_measurement *measured,
		    struct coll_record *rec)
{
	const struct coll_transport *tp = &me->comm.tp;
	uint64_t recv_ns = tp->wait_recv_ns, send_ns = tp->wait_send_ns;
	int ret;

	begin_step(me);
	*rec = (struct coll_record){
		.step = me->steps,
		.which = me->which,
		.in_place = measured->shape.in_place,
		.bytes = measured->bytes,
	};
	ret = straggle(me);
	rec->start_ns = rf_now_ns();
	if (!ret)
		ret = carry_out(me, measured);
	rec->end_ns = rf_now_ns();
	rec->sync_ns = rec->end_ns;
	rec->wait_recv_ns = tp->wait_recv_ns - recv_ns;
	rec->wait_send_ns = tp->wait_send_ns - send_ns;
	cp_iters_note(&me->iters, rec);
	return ret;
}

/* Run one measured step and verify it. A barrier with the other ranks ends the step. */
static int run_step(struct cp_rank *me, const struct cp_measurement *measured,
		    struct cp_rank_result *part, bool last)
{
	struct coll_record rec;
	int ret = run_once(me, measured, &rec);

	if (!ret) {
		if (me->cfg->checks)
			rec.wrong = cp_values_check(me, &measured->shape);
		cp_values_prepare(me, &measured->shape);
		ret = compute(me);
	}
	if (!ret)
		ret = last ? coll_barrier(&me->comm.oob, &rec.wait_sync_ns) :
			     announce_and_meet(me, &rec.wait_sync_ns);
	rec.sync_ns = rf_now_ns();
	part->time_ns += (double)(rec.end_ns - rec.start_ns);
	part->wrong += rec.wrong;
	coll_status_page_record(me->state, &rec);
	return ret;
}

static int run_steps(struct cp_rank *me, const struct cp_measurement *measured,
		     struct cp_rank_result *part)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->iters; i++)
		ret = run_step(me, measured, part, i + 1 == me->cfg->iters);
	return ret;
}

static int run_back_to_back(struct cp_rank *me, const struct cp_measurement *measured,
			    struct cp_rank_result *part)
{
	uint64_t start = rf_now_ns();
	struct coll_record rec;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->iters; i++) {
		ret = run_once(me, measured, &rec);
		coll_status_page_record(me->state, &rec);
	}
	part->time_ns = (double)(rf_now_ns() - start);
	return ret;
}

static int run_checks(struct cp_rank *me, const struct cp_measurement *measured,
		      struct cp_rank_result *part)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->checks; i++) {
		cp_values_prepare(me, &measured->shape);
		ret = carry_out(me, measured);
		if (!ret)
			part->wrong += cp_values_check(me, &measured->shape);
	}
	return ret;
}

static int warm_up(struct cp_rank *me, const struct cp_measurement *measured)
{
	int ret = 0;

	cp_values_prepare(me, &measured->shape);
	for (uint32_t i = 0; !ret && i < me->cfg->warmups; i++) {
		ret = carry_out(me, measured);
		if (!ret)
			ret = compute(me);
	}
	cp_values_prepare(me, &measured->shape);
	return ret;
}

/**
 * cp_measurement_run() - warm-up, measured iterations, verification
 * @me: state of this rank, with its plan
 * @measured: the measurement
 * @part: zeros; gets the results of this rank
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_measurement_run(struct cp_rank *me, const struct cp_measurement *measured,
		       struct cp_rank_result *part)
{
	int ret = warm_up(me, measured);

	if (!ret)
		ret = me->cfg->blocking ? announce_and_meet(me, NULL) :
					  coll_barrier(&me->comm.oob, NULL);
	if (!ret && me->cfg->blocking)
		ret = run_steps(me, measured, part);
	else if (!ret)
		ret = run_back_to_back(me, measured, part);
	if (ret)
		return ret;
	leave_steps(me);
	return me->cfg->blocking ? 0 : run_checks(me, measured, part);
}
