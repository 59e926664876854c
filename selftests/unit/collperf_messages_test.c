// SPDX-License-Identifier: GPL-2.0
/*
 * collperf announces to the module how many messages each queue pair sends. Test the announced
 * numbers for all runs of a job: they must be the same as when the messages are distributed to
 * the queue pairs one by one.
 */
#include <string.h>

#include "../../tools/collperf/bench.c"
#include "../../tools/collperf/spread.c"
#include "../../tools/collperf/sweep.c"
#include "plan.c"
#include "tap.h"

#define QPS_MAX		16u
#define PIECE		2048u	/* elements of a message */
#define WARMUPS		1u
#define ITERS		3u
#define RUNS		(WARMUPS + ITERS)

static const struct coll_type type = { .name = "float", .size = 4 };

static uint64_t once(int ranks)
{
	(void)ranks;
	return 1;
}

static double factor(int ranks)
{
	return ranks;
}

static const struct coll_collective to_the_next = {
	.name = "to_the_next", .sized = true, .sent = once, .received = once,
	.bus_factor = factor,
};

enum coll_algo coll_algo_choose(const struct coll_collective *coll, int ranks,
				uint64_t bytes)
{
	(void)coll;
	(void)ranks;
	(void)bytes;
	return COLL_DIRECT;
}

int coll_plan_make(struct coll_plan *plan, const struct coll_collective *coll,
		   enum coll_algo algo, const struct coll_shape *s)
{
	(void)coll;
	(void)algo;
	coll_plan_free(plan);
	for (uint64_t at = 0; at < s->count; at += s->piece)
		coll_plan_send(plan, 1, (struct coll_place){ COLL_SEND, at }, s->piece);
	return coll_plan_end(plan);
}

int coll_fail(struct coll_state *st, enum coll_status status, const char *fmt, ...)
{
	(void)st;
	(void)status;
	(void)fmt;
	return -EIO;
}

int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all)
{
	for (int r = 0; r < oob->ranks; r++)
		memcpy((char *)all + (size_t)r * len, mine, len);
	return 0;
}

int cp_iters_open(struct cp_iters *it, struct coll_oob *oob, uint32_t max)
{
	(void)it;
	(void)oob;
	(void)max;
	return 0;
}

int cp_iters_gather(struct cp_iters *it, struct coll_oob *oob, double *times_us)
{
	(void)it;
	(void)oob;
	(void)times_us;
	return 0;
}

void cp_iters_close(struct cp_iters *it)
{
	(void)it;
}

int cp_values_open(struct cp_rank *me, const struct cp_case *what)
{
	(void)me;
	(void)what;
	return 0;
}

void cp_values_close(struct cp_rank *me)
{
	(void)me;
}

int cp_measurement_run(struct cp_rank *me, const struct cp_measurement *measured,
		       struct cp_rank_result *part)
{
	(void)me;
	(void)measured;
	(void)part;
	return 0;
}

struct coll_shape coll_comm_shape(const struct coll_comm *comm,
				  const struct coll_type *of, uint64_t count,
				  int root, bool in_place)
{
	(void)of;
	return (struct coll_shape){
		.rank = comm->oob.rank, .ranks = comm->oob.ranks, .root = root,
		.count = count, .piece = PIECE, .window = 8,
		.in_place = in_place,
	};
}

/* Return: what a job of two ranks announces if it sends @messages per step to the peer */
static struct coll_announcer announced(uint32_t messages, uint32_t qps)
{
	struct coll_verbs_options options = { .qps = qps };
	struct cp_config cfg = {
		.coll = &to_the_next, .algo = CP_AUTO, .ranks = 2,
		.types = { &type }, .n_types = 1, .root = CP_NO_ROOT,
		.min_bytes = messages * PIECE * type.size, .blocking = 1,
		.step_bytes = 1, .iters = ITERS, .warmups = WARMUPS,
		.place = CP_OUT_OF_PLACE, .min_bw = -1,
	};
	struct cp_rank me = {
		.cfg = &cfg, .comm = { .options = &options,
				       .oob = { .ranks = 2 } },
	};
	struct cp_row row;

	cfg.max_bytes = cfg.min_bytes;
	if (cp_bench_open(&me) || cp_bench(&me, cfg.min_bytes, &row))
		me.announcer = (struct coll_announcer){ .messages = ~0u };
	cp_bench_close(&me);
	return me.announcer;
}

/*
 * Distribute the messages @from to @to - 1 to @qps queue pairs. Return: the number of messages
 * per queue pair, 0 if not all queue pairs have the same number
 */
static uint32_t dealt(uint64_t from, uint64_t to, uint32_t qps)
{
	uint32_t n[QPS_MAX] = { 0 };

	for (uint64_t m = from; m < to; m++)
		n[m % qps]++;
	for (uint32_t q = 1; q < qps; q++)
		if (n[q] != n[0])
			return 0;
	return n[0];
}

static bool is_dealt(uint32_t messages, uint32_t qps)
{
	struct coll_announcer a = announced(messages, qps);
	bool good = a.messages_total == dealt(0, RUNS * messages, qps);

	for (uint64_t run = 0; run < RUNS; run++)
		good &= a.messages == dealt(run * messages,
					    (run + 1) * messages, qps);
	if (!good)
		printf("# %u messages over %u queue pairs: %u, %u in all\n",
		       messages, qps, a.messages, a.messages_total);
	return good;
}

static void is_announced(uint32_t qps, uint32_t each, uint32_t total)
{
	struct coll_announcer a = announced(10, qps);

	ok(a.messages == each && a.messages_total == total,
	   "of 10 messages per step over %u queue pairs, %u per step and %u in all are announced",
	   qps, each, total);
}

int main(void)
{
	bool good = true;

	is_announced(1, 10, 40);
	is_announced(2, 5, 20);
	is_announced(5, 2, 8);
	is_announced(4, 0, 10);
	is_announced(3, 0, 0);
	for (uint32_t n = 1; n <= 32; n++)
		for (uint32_t qps = 1; qps <= QPS_MAX; qps++)
			good &= is_dealt(n, qps);
	ok(good, "the announced numbers are right for 1 to 32 messages over 1 to 16 queue pairs");
	return done_testing();
}
