// SPDX-License-Identifier: GPL-2.0
/*
 * Additional traffic of a training: loading of data, and checkpoints.
 *
 * Rank 0 emulates the storage server. Before each step, rank 0 sends data to every
 * other rank. Every few steps, all other ranks send a checkpoint to rank 0 at the
 * same time, which is an incast. Rank 0 receives the checkpoints one after the
 * other, so the other ranks wait. The content of the data is not used or verified.
 */
#include <errno.h>
#include <string.h>

#include "train.h"

#define STORE	0

static uint64_t most_bytes(const struct tr_rank *me)
{
	const struct tr_config *cfg = me->cfg;

	return cfg->load_bytes > cfg->checkpoint_bytes ?
	       cfg->load_bytes : cfg->checkpoint_bytes;
}

/** tr_extra_memory() - add the memory for loading and checkpoints to the memory of the mode */
void tr_extra_memory(struct tr_rank *me, uint64_t bytes[COLL_MEMS])
{
	for (int m = 0; m < COLL_MEMS; m++) {
		me->extra_at[m] = bytes[m];
		bytes[m] += most_bytes(me);
	}
}

/** tr_extra_uses() - get the collectives for loading and checkpoints. Return: their number */
int tr_extra_uses(const struct tr_rank *me, struct coll_use *uses)
{
	uses[0] = (struct coll_use){ &tr_star, COLL_DIRECT, 0 };
	return most_bytes(me) ? 1 : 0;
}

/**
 * tr_load() - load data before a step
 * @me: the rank
 *
 * Return: 0, or -EIO after coll_fail().
 */
int tr_load(struct tr_rank *me)
{
	uint64_t bytes = me->cfg->load_bytes;
	int ret = 0;

	if (!bytes)
		return 0;
	if (me->rank != STORE)
		return tr_recv(me, STORE, me->extra_at[COLL_RECV], bytes,
			       "loading");
	for (int r = 0; !ret && r < me->ranks; r++)
		if (r != STORE)
			ret = tr_send(me, r, me->extra_at[COLL_SEND], bytes,
				      "loading");
	return ret;
}

/**
 * tr_checkpoint() - write a checkpoint, if one is due
 * @me: the rank
 * @step: the completed step
 *
 * Return: 0, or -EIO after coll_fail().
 */
int tr_checkpoint(struct tr_rank *me, uint32_t step)
{
	uint64_t bytes = me->cfg->checkpoint_bytes;
	int ret = 0;

	if (!bytes || step % me->cfg->checkpoint_every)
		return 0;
	if (me->rank != STORE)
		return tr_send(me, STORE, me->extra_at[COLL_SEND], bytes,
			       "checkpoint");
	for (int r = 0; !ret && r < me->ranks; r++)
		if (r != STORE)
			ret = tr_recv(me, r, me->extra_at[COLL_RECV], bytes,
				      "checkpoint");
	return ret;
}
