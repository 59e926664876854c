// SPDX-License-Identifier: GPL-2.0
/*
 * Select the rows of a step.
 *
 * In each epoch, the examples are shuffled by seed and epoch, and divided into batches.
 * Examples at the end that do not fill a batch are skipped in this epoch. Each rank selects
 * the rows of the whole batch. These rows do not depend on the number of ranks or on the
 * mode, so a training with one rank and a training with eight ranks use the same rows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "train.h"

/** tr_batch_open() - allocate a batch. Return: 0 or -ENOMEM */
int tr_batch_open(struct tr_rank *me)
{
	const struct tr_data *d = &me->cfg->data;

	me->order = malloc(d->train * sizeof(*me->order));
	me->batch = (struct tr_rows){
		.x = malloc((size_t)me->cfg->batch * d->width * sizeof(float)),
		.y = malloc(me->cfg->batch),
		.n = me->cfg->batch,
	};
	return me->order && me->batch.x && me->batch.y ? 0 : -ENOMEM;
}

/** tr_batch_close() - release the resources of tr_batch_open() */
void tr_batch_close(struct tr_rank *me)
{
	free(me->order);
	free((void *)me->batch.x);
	free((void *)me->batch.y);
}

/*
 * Initialize the random numbers of an epoch from the seed and the number of the epoch. A seed
 * of 32 bits has an upper half of 0, which has no effect, because tr_mix(0) is 0.
 */
static struct tr_random of_epoch(uint64_t seed, uint32_t epoch)
{
	return (struct tr_random){
		tr_mix(tr_mix(seed >> 32) ^ (seed << 32 | epoch))
	};
}

static void shuffle(struct tr_rank *me, uint32_t epoch)
{
	struct tr_random r = of_epoch(me->cfg->seed, epoch);
	uint32_t n = me->cfg->data.train, *order = me->order;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = tr_below(&r, i + 1), was = order[i];

		order[i] = order[j];
		order[j] = was;
	}
}

/** tr_batch_take() - copy the rows of @step, counted from 1, into the batch */
void tr_batch_take(struct tr_rank *me, uint32_t step)
{
	const struct tr_data *d = &me->cfg->data;
	uint32_t each = tr_steps_per_epoch(me->cfg);
	uint32_t at = (step - 1) % each;
	const uint32_t *order = me->order + (size_t)at * me->cfg->batch;
	float *x = (float *)me->batch.x;
	uint8_t *y = (uint8_t *)me->batch.y;

	if (!at)
		shuffle(me, (step - 1) / each);
	for (uint32_t i = 0; i < me->cfg->batch; i++) {
		memcpy(x + (size_t)i * d->width,
		       d->x + (size_t)order[i] * d->width,
		       d->width * sizeof(*x));
		y[i] = d->y[order[i]];
	}
}
