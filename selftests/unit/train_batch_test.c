// SPDX-License-Identifier: GPL-2.0
/*
 * Test the choice of rows for the batches of a training. In each epoch, every row is used
 * once, in another order than in other epochs; all ranks use the same order. Also test that
 * the worker thread does its tasks in order.
 */
#include <stdlib.h>

#include "../../tools/train/batch.c"
#include "../../tools/train/worker.c"
#include "tap.h"

#define ROWS	103u
#define BATCH	10u

static struct tr_config cfg;

uint32_t tr_steps_per_epoch(const struct tr_config *c)
{
	return c->data.train / c->batch;
}

/* Make row i have the value i, so that a row can be identified. */
static void set_up(void)
{
	cfg = (struct tr_config){
		.batch = BATCH,
		.seed = 5,
		.data = { .n = ROWS + 20, .train = ROWS, .width = 1,
			  .x = calloc(ROWS + 20, sizeof(float)),
			  .y = calloc(ROWS + 20, 1) },
	};
	for (uint32_t i = 0; i < cfg.data.n; i++) {
		cfg.data.x[i] = (float)i;
		cfg.data.y[i] = (uint8_t)i;
	}
}

static void epochs_ok(void)
{
	struct tr_rank one = { .cfg = &cfg, .ranks = 1 };
	struct tr_rank other = { .cfg = &cfg, .rank = 2, .ranks = 3 };
	bool twice = false, differ = false, fits = true, test = false;
	uint32_t first[2] = { 0 };

	tr_batch_open(&one);
	tr_batch_open(&other);
	for (uint32_t epoch = 0; epoch < 2; epoch++) {
		bool seen[ROWS + 20] = { false };

		for (uint32_t s = 1; s <= ROWS / BATCH; s++) {
			uint32_t step = epoch * (ROWS / BATCH) + s;

			tr_batch_take(&one, step);
			tr_batch_take(&other, step);
			for (uint32_t i = 0; i < BATCH; i++) {
				uint8_t row = one.batch.y[i];

				twice |= seen[row];
				seen[row] = true;
				test |= row >= ROWS;
				fits &= one.batch.x[i] == (float)row;
				differ |= other.batch.y[i] != row;
			}
		}
		first[epoch] = one.batch.y[0];
	}
	ok(!twice && fits, "no row is used twice in an epoch, and each has its class");
	ok(!test, "no row of the test data is used for training");
	ok(!differ, "all ranks use the same rows");
	ok(first[0] != first[1], "another epoch has another order");
	tr_batch_close(&one);
	tr_batch_close(&other);
}

/* Return in @rows the first row of each of 16 batches. */
static void take_firsts(uint64_t seed, uint8_t rows[16])
{
	struct tr_rank me = { .cfg = &cfg, .ranks = 1 };
	uint64_t usual = cfg.seed;

	cfg.seed = seed;
	tr_batch_open(&me);
	for (uint32_t i = 0; i < 16; i++) {
		tr_batch_take(&me, i + 1);
		rows[i] = me.batch.y[0];
	}
	tr_batch_close(&me);
	cfg.seed = usual;
}

static void seeds_ok(void)
{
	uint8_t five[16], again[16], wide[16];

	take_firsts(5, five);
	take_firsts(5, again);
	take_firsts(5 | 1ull << 32, wide);
	ok(!memcmp(five, again, sizeof(five)), "the same seed gives the same order of rows");
	ok(memcmp(five, wide, sizeof(five)),
	   "a seed that differs above 32 bits gives another order of rows");
}

static struct {
	uint32_t order[100];
	uint32_t n, fails_at;
} jobs;

static int job(void *arg, uint32_t i)
{
	(void)arg;
	if (i == jobs.fails_at)
		return -EIO;
	jobs.order[jobs.n++] = i;
	return 0;
}

static void worker_ok(void)
{
	struct tr_worker w = { .job = job };
	bool ordered = true;
	int ret = 0;

	jobs.fails_at = UINT32_MAX;
	tr_worker_start(&w);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 4; i++)
			tr_worker_give(&w);
		ret |= tr_worker_wait(&w, 4);
	}
	for (uint32_t i = 0; i < jobs.n; i++)
		ordered &= jobs.order[i] == i % 4;
	ok(!ret && jobs.n == 20 && ordered, "the worker does five times four jobs in order");
	jobs.fails_at = 2;
	jobs.n = 0;
	for (int i = 0; i < 4; i++)
		tr_worker_give(&w);
	ok(tr_worker_wait(&w, 4) == -EIO && jobs.n == 2,
	   "the worker returns the error of a failed job and does no later job");
	tr_worker_stop(&w);
	tr_worker_stop(&w);
	ok(!w.started, "tr_worker_stop() ends the thread, also when called twice");
}

int main(void)
{
	set_up();
	epochs_ok();
	seeds_ok();
	worker_ok();
	free(cfg.data.x);
	free(cfg.data.y);
	return done_testing();
}
