// SPDX-License-Identifier: GPL-2.0
/*
 * Inputs before a run, and verification of the result after it.
 *
 * Every rank can generate the input of every rank, so each rank verifies its own
 * result, element by element; see verify.c.
 */
#include "bench.h"
#include "err.h"

/**
 * cp_values_open() - generate the inputs and expected results of a case
 * @me: state of this rank
 * @what: the case
 *
 * Return: 0, or -EIO after coll_fail().
 */
int cp_values_open(struct cp_rank *me, const struct cp_case *what)
{
	cp_values_close(me);
	if (!coll_pattern_init(&me->pattern, what->type, what->op,
			       me->comm.oob.rank, me->comm.oob.ranks))
		return 0;
	return coll_fail(me->state, COLL_FAILED, "no memory");
}

/**
 * cp_values_close() - release the resources of cp_values_open()
 * @me: state of this rank
 */
void cp_values_close(struct cp_rank *me)
{
	coll_pattern_free(&me->pattern);
}

/**
 * cp_values_prepare() - write a new input, and overwrite an earlier result
 * @me: state of this rank
 * @shape: shape of the plan
 */
void cp_values_prepare(struct cp_rank *me, const struct coll_shape *shape)
{
	const struct coll_mem *mem = me->comm.tp.mem;
	void *const places[COLL_MEMS] = {
		[COLL_SEND] = mem[COLL_SEND].addr,
		[COLL_RECV] = mem[COLL_RECV].addr,
	};

	coll_pattern_prepare(&me->pattern, me->cfg->coll, shape, places,
			     ++me->seed);
}

static void report_mismatch(struct cp_rank *me, const struct coll_mismatch *mismatch,
			    uint64_t of, uint64_t wrong)
{
	if (me->complained)
		return;
	me->complained = true;
	rf_err("rank %d, step %u: element %llu of %llu is %s instead of %s; %llu elements are wrong",
	       me->comm.oob.rank, me->state->step,
	       (unsigned long long)mismatch->at, (unsigned long long)of, mismatch->got,
	       mismatch->want, (unsigned long long)wrong);
}

/**
 * cp_values_check() - verify the result of a run
 * @me: state of this rank; the function adds to its total number of wrong elements
 * @shape: shape of the plan
 *
 * Return: number of wrong elements. The first wrong element of the job is printed.
 */
uint64_t cp_values_check(struct cp_rank *me, const struct coll_shape *shape)
{
	const struct coll_collective *coll = me->cfg->coll;
	struct coll_mismatch mismatch;
	uint64_t wrong;

	wrong = coll_pattern_check(&me->pattern, coll, shape,
				   me->comm.tp.mem[COLL_RECV].addr, me->seed,
				   &mismatch);
	if (wrong)
		report_mismatch(me, &mismatch,
				shape->count * coll->received(shape->ranks), wrong);
	me->state->wrong += wrong;
	return wrong;
}
