// SPDX-License-Identifier: GPL-2.0
/*
 * Test the sweep of a collperf job, which measures several cases and sizes: the order of the
 * cases, the rounding of sizes to whole elements per rank, the increase from one size to the
 * next, the algorithm for a size, the required memory, and the number of steps.
 */
#include "../../tools/collperf/sweep.c"
#include "tap.h"

static const struct coll_type bytes1 = { .name = "one", .size = 1 };
static const struct coll_type bytes8 = { .name = "eight", .size = 8 };
static const struct coll_op first = { .name = "first" };
static const struct coll_op second = { .name = "second" };

static uint64_t once(int ranks)
{
	(void)ranks;
	return 1;
}

static uint64_t for_each(int ranks)
{
	return (uint64_t)ranks;
}

static const struct coll_collective reduces = {
	.name = "reduces", .reduces = true, .rooted = true, .in_place = true,
	.sized = true, .sent = once, .received = once,
};

static const struct coll_collective gathers = {
	.name = "gathers", .in_place = true, .sized = true, .sent = once,
	.received = for_each,
};

static const struct coll_collective waits = {
	.name = "waits", .sent = once, .received = once,
};

enum coll_algo coll_algo_choose(const struct coll_collective *coll, int ranks,
				uint64_t bytes)
{
	(void)coll;
	(void)ranks;
	return bytes < 100 ? COLL_TREE : COLL_RING;
}

static struct cp_config job(const struct coll_collective *coll)
{
	return (struct cp_config){
		.coll = coll, .ranks = 3, .root = CP_NO_ROOT, .algo = CP_AUTO,
		.types = { &bytes1, &bytes8 }, .n_types = 2,
		.ops = { &first, &second }, .n_ops = 2,
		.min_bytes = 0, .max_bytes = 1000, .step_factor = 10,
		.iters = 5, .warmups = 2, .checks = 1,
		.place = CP_OUT_OF_PLACE | CP_IN_PLACE,
	};
}

static bool is_case(const struct cp_config *cfg, uint32_t i,
		    const struct coll_type *type, const struct coll_op *op,
		    int root)
{
	struct cp_case c = cp_case(cfg, i);

	return c.type == type && c.op == op && c.root == root;
}

static void cases(void)
{
	struct cp_config cfg = job(&reduces);

	cfg.root = CP_ALL_ROOTS;
	ok(cp_cases(&cfg) == 12, "a job of 2 types, 2 operations and 3 roots has 12 cases");
	ok(is_case(&cfg, 0, &bytes1, &first, 0) &&
	   is_case(&cfg, 2, &bytes1, &first, 2), "cases vary the root first");
	ok(is_case(&cfg, 3, &bytes1, &second, 0), "cases vary the operation second");
	ok(is_case(&cfg, 6, &bytes8, &first, 0) &&
	   is_case(&cfg, 11, &bytes8, &second, 2), "cases vary the type last");
	cfg.root = 1;
	ok(cp_cases(&cfg) == 4 && is_case(&cfg, 3, &bytes8, &second, 1),
	   "a job with one root has cases for that root only");
	cfg = job(&gathers);
	ok(cp_cases(&cfg) == 2 && is_case(&cfg, 1, &bytes8, NULL, CP_NO_ROOT),
	   "cases of a collective without reduction have no operation and no root");
}

static void sizes_are_cut(void)
{
	struct cp_config cfg = job(&gathers);
	struct cp_size size = cp_size_of(&cfg, &bytes8, 100);

	ok(size.count == 4 && size.bytes == 96,
	   "100 bytes for 3 ranks are rounded down to 4 elements of 8 bytes per rank");
	size = cp_size_of(&cfg, &bytes8, 23);
	ok(!size.count && !size.bytes, "23 bytes for 3 ranks are rounded down to 0 elements of 8 bytes");
	cfg = job(&waits);
	size = cp_size_of(&cfg, &bytes8, 0);
	ok(!size.count && !size.bytes, "a barrier has no size");
	cfg = job(&reduces);
	size = cp_size_of(&cfg, &bytes1, 101);
	ok(size.count == 101 && size.bytes == 101, "a size that is a whole number of elements is not rounded");
}

static void sizes_follow(void)
{
	struct cp_config cfg = job(&gathers);

	ok(cp_next_size(&cfg, &bytes8, 0) == 24, "the next size after 0 is one element per rank");
	ok(cp_next_size(&cfg, &bytes8, 24) == 240, "the next size is ten times as large with a step factor of 10");
	ok(cp_next_size(&cfg, &bytes8, 240) == CP_NO_SIZE,
	   "there is no size beyond the largest");
	cfg.step_factor = 0;
	cfg.step_bytes = 400;
	ok(cp_next_size(&cfg, &bytes8, 0) == 400 &&
	   cp_next_size(&cfg, &bytes8, 800) == CP_NO_SIZE, "the next size is 400 bytes larger with a step of 400 bytes");
	cfg.max_bytes = UINT64_MAX - 1;
	ok(cp_next_size(&cfg, &bytes8, UINT64_MAX - 2) == CP_NO_SIZE,
	   "the next size does not overflow with a step in bytes");
	cfg.step_factor = 10;
	ok(cp_next_size(&cfg, &bytes8, UINT64_MAX / 5) == CP_NO_SIZE,
	   "the next size does not overflow with a step factor");
}

static void algorithms(void)
{
	struct cp_config cfg = job(&gathers);

	ok(cp_algo_of(&cfg, 10) == COLL_TREE && cp_algo_of(&cfg, 200) == COLL_RING,
	   "the automatic algorithm depends on the size");
	cfg.algo = COLL_DIRECT;
	ok(cp_algo_of(&cfg, 10) == COLL_DIRECT, "an algorithm given by the user is used for all sizes");
}

static void memory(void)
{
	struct cp_config cfg = job(&gathers);
	uint64_t bytes[COLL_MEMS];

	cp_sweep_memory(&cfg, bytes);
	ok(bytes[COLL_SEND] == 333 && bytes[COLL_RECV] == 999,
	   "an all_gather needs memory for a rank's part to send and for all parts to receive");
	cfg.place = CP_IN_PLACE;
	cp_sweep_memory(&cfg, bytes);
	ok(bytes[COLL_SEND] == 0 && bytes[COLL_RECV] == 999,
	   "an in-place all_gather needs no memory to send");
}

static void counts(void)
{
	struct cp_config cfg = job(&gathers);

	/* sizes in bytes: 0 3 30 300 for 1-byte elements; 0 24 240 for 8-byte elements */
	ok(cp_sweep_steps(&cfg) == 7 * 2 * 5, "a job of 7 sizes, 2 places and 5 iterations has 70 steps");
	ok(cp_sweep_runs(&cfg) == 7 * 2 * 8, "the number of runs includes 2 warm-ups and 1 check per size and place");
	cfg.blocking = 1;
	ok(cp_sweep_runs(&cfg) == 7 * 2 * 7, "the number of runs of a blocking job excludes the checks");
	cfg.place = CP_OUT_OF_PLACE;
	ok(cp_sweep_steps(&cfg) == 7 * 5, "a job with one place has half the steps");
	cfg = job(&reduces);
	cfg.root = CP_ALL_ROOTS;
	/* sizes in bytes: 0 1 10 100 1000 for 1-byte elements; 0 8 80 800 for 8-byte elements */
	ok(cp_sweep_steps(&cfg) == 9 * 2 * 3 * 2 * 5,
	   "a job of 9 sizes, 2 operations, 3 roots, 2 places and 5 iterations has the product as steps");
}

int main(void)
{
	cases();
	sizes_are_cut();
	sizes_follow();
	algorithms();
	memory();
	counts();
	return done_testing();
}
