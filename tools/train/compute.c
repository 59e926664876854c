// SPDX-License-Identifier: GPL-2.0
/*
 * Time that computing takes.
 *
 * The network is small, and what it computes is done in a moment. --compute
 * stretches the computing of a step to what a large model takes: a third for
 * the way forward and two thirds for the way back, as is usual (TR_FORWARD). The rank sleeps
 * for what is left, or spins, to have the processor as busy as it would be.
 */
#include <errno.h>

#include "clock.h"
#include "rank.h"

#define SLICE_NS	CP_NSEC_PER_MSEC	/* of spinning, till a look around */

static int spin(struct tr_rank *me, uint64_t until)
{
	uint64_t now = cp_now();
	int ret = -ETIMEDOUT;

	while (ret == -ETIMEDOUT && now < until) {
		uint64_t end = now + SLICE_NS < until ? now + SLICE_NS : until;

		while (now < end)
			now = cp_now();
		ret = cp_sleep(&me->comm.waiter, NULL, 0, 0);
	}
	return ret;
}

/**
 * tr_compute_until() - let no less time go by than computing takes
 * @me: the rank
 * @begin: when this part of the computing began
 * @share: of a step's computing that this part is, from 0 to 1
 *
 * Return: 0, or -EIO after cp_fail() when the rank must end.
 */
int tr_compute_until(struct tr_rank *me, uint64_t begin, double share)
{
	uint64_t until = begin +
			 (uint64_t)((double)me->cfg->compute_ns * share);
	int ret;

	if (!me->cfg->compute_ns || cp_now() >= until)
		return 0;
	ret = me->cfg->spin ? spin(me, until) :
			      cp_sleep(&me->comm.waiter, NULL, 0, until);
	if (ret == -ETIMEDOUT)
		return 0;
	return cp_fail(me->state, CP_ENDED, "terminated by a signal");
}
