// SPDX-License-Identifier: GPL-2.0
/*
 * Emulated computing time.
 *
 * The neural network is small, so its computation is short. --compute extends the
 * computation of a step to the time of a large model: one third in the forward pass and two
 * thirds in the backward pass (TR_FORWARD). The rank sleeps for the rest of the time, or
 * spins to keep the CPU busy.
 */
#include <errno.h>

#include "ranks.h"
#include "train.h"

#define SLICE_NS	COLL_NSEC_PER_MSEC	/* time between two checks for a signal */

static int spin(struct tr_rank *me, uint64_t until)
{
	uint64_t now = rf_now_ns();
	int ret = -ETIMEDOUT;

	while (ret == -ETIMEDOUT && now < until) {
		uint64_t end = now + SLICE_NS < until ? now + SLICE_NS : until;

		while (now < end)
			now = rf_now_ns();
		ret = coll_sleep(&me->comm.waiter, NULL, 0, 0);
	}
	return ret;
}

/**
 * tr_compute_until() - wait until a part of the emulated computing time has passed
 * @me: the rank
 * @begin: time when this part began
 * @share: length of this part, as a fraction of --compute, 0 to 1
 *
 * Return: 0, or -EIO after coll_fail() if the rank was terminated by a signal.
 */
int tr_compute_until(struct tr_rank *me, uint64_t begin, double share)
{
	uint64_t until = begin +
			 (uint64_t)((double)me->cfg->compute_ns * share);
	int ret;

	if (!me->cfg->compute_ns || rf_now_ns() >= until)
		return 0;
	ret = me->cfg->spin ? spin(me, until) :
			      coll_sleep(&me->comm.waiter, NULL, 0, until);
	if (ret == -ETIMEDOUT)
		return 0;
	return coll_fail(me->state, COLL_ENDED, "terminated by a signal");
}
