// SPDX-License-Identifier: GPL-2.0
/*
 * The ring over a network that delivers at once: every message is in the
 * peer's memory before the send returns, which is the earliest that it can
 * overwrite anything. Ranks are threads that run several times in a row
 * without a barrier, so that fast ones get ahead of slow ones as far as the
 * algorithm lets them.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "../../tools/collperf/datatype.c"
#include "../../tools/collperf/ring.c"
#include "../../tools/collperf/verify.c"
#include "tap.h"

#define RANKS_MAX	9
#define RUNS		4

struct fake {
	struct cp_transport tp;		/* first: the algorithm sees this */
	struct cp_pattern pattern;
	uint64_t sent, received, expected, most_ahead, longest;
	int rank;
};

static struct {
	struct fake ranks[RANKS_MAX];
	int n;
	uint64_t count;
	const struct cp_type *type;
	const struct cp_op *op;
	bool in_place;
	uint64_t wrong;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

void cp_at(struct cp_state *st, const char *doing, uint32_t phase,
	   uint32_t phases)
{
	(void)st, (void)doing, (void)phase, (void)phases;
}

int cp_write(struct cp_transport *tp, int link, struct cp_span from,
	     struct cp_span to, uint64_t len, bool signal)
{
	struct fake *me = (struct fake *)tp;
	struct fake *peer = &job.ranks[(me->rank + 1) % job.n];

	(void)signal;
	pthread_mutex_lock(&lock);
	if (link != NEXT || to.off + len > peer->tp.mem[to.mem].len)
		abort();
	memcpy(peer->tp.mem[to.mem].addr + to.off,
	       tp->mem[from.mem].addr + from.off, len);
	peer->received++;
	if (peer->received - peer->expected > peer->most_ahead)
		peer->most_ahead = peer->received - peer->expected;
	if (len > me->longest)
		me->longest = len;
	me->sent++;
	pthread_cond_broadcast(&arrived);
	pthread_mutex_unlock(&lock);
	return 0;
}

int cp_recv_next(struct cp_transport *tp, int link)
{
	struct fake *me = (struct fake *)tp;

	if (link != PREV)
		abort();
	pthread_mutex_lock(&lock);
	me->expected++;
	while (me->received < me->expected)
		pthread_cond_wait(&arrived, &lock);
	pthread_mutex_unlock(&lock);
	if ((me->rank + me->expected) % 3 == 0)
		sched_yield();
	return 0;
}

int cp_flush_sends(struct cp_transport *tp, int link)
{
	(void)tp, (void)link;
	return 0;
}

static void one_run(struct fake *me, uint64_t seed)
{
	struct cp_run run = {
		.tp = &me->tp, .rank = me->rank, .ranks = job.n,
		.type = job.type, .op = job.op, .count = job.count,
		.in_place = job.in_place,
	};
	struct cp_mem *mem = me->tp.mem;
	uint64_t first, wrong;

	cp_pattern_fill(&me->pattern,
			mem[job.in_place ? CP_RECV : CP_SEND].addr, job.count,
			seed);
	if (!job.in_place)
		cp_poison(mem[CP_RECV].addr, mem[CP_RECV].len);
	cp_ring_all_reduce.run(&run);
	wrong = cp_pattern_check(&me->pattern, mem[CP_RECV].addr, job.count,
				 seed, &first);
	__atomic_add_fetch(&job.wrong, wrong, __ATOMIC_RELAXED);
}

static void *be_rank(void *arg)
{
	struct fake *me = arg;

	for (uint64_t seed = 1; seed <= RUNS; seed++)
		one_run(me, seed);
	return NULL;
}

static void set_up(int rank)
{
	struct fake *me = &job.ranks[rank];
	size_t size = job.type->size;
	uint64_t len[CP_MEMS] = {
		job.count * size, job.count * size,
		cp_ring_all_reduce.scratch(job.count, size, job.n),
	};

	*me = (struct fake){ .rank = rank };
	for (int m = 0; m < CP_MEMS; m++) {
		me->tp.mem[m].len = len[m];
		me->tp.mem[m].addr = malloc(len[m]);
	}
	cp_pattern_init(&me->pattern, job.type, job.op, rank, job.n);
}

static void tear_down(int rank)
{
	for (int m = 0; m < CP_MEMS; m++)
		free(job.ranks[rank].tp.mem[m].addr);
	cp_pattern_free(&job.ranks[rank].pattern);
}

static void play(int n, uint64_t count, bool in_place)
{
	pthread_t threads[RANKS_MAX];

	job.n = n;
	job.count = count;
	job.in_place = in_place;
	for (int r = 0; r < n; r++)
		set_up(r);
	for (int r = 0; r < n; r++)
		pthread_create(&threads[r], NULL, be_rank, &job.ranks[r]);
	for (int r = 0; r < n; r++)
		pthread_join(threads[r], NULL);
	for (int r = 0; r < n; r++)
		tear_down(r);
}

static void sums_are_right_ok(void)
{
	static const uint64_t counts[] = { 0, 1, 2, 7, 64, 1000, 12345 };

	for (int n = 1; n <= RANKS_MAX; n++) {
		job.wrong = 0;
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
			play(n, counts[i], false);
			play(n, counts[i], true);
		}
		ok(!job.wrong, "%d ranks, odd counts, both places: no value is wrong", n);
	}
}

static void messages_are_as_many_as_told_ok(void)
{
	bool many = true, ahead = true, length = true;

	for (int n = 2; n <= RANKS_MAX; n++) {
		play(n, 1000, false);
		for (int r = 0; r < n; r++) {
			const struct fake *f = &job.ranks[r];
			uint64_t each = cp_ring_all_reduce.messages(n);

			many &= f->sent == each * RUNS && each == 2u * (n - 1);
			ahead &= f->most_ahead <= 2 * each;
			length &= f->longest == cp_ring_all_reduce.longest(
						1000, job.type->size, n);
		}
	}
	ok(many, "a rank sends 2(n-1) messages a run");
	ok(ahead, "a predecessor is never further ahead than receives are posted");
	ok(length, "the longest message is as long as told");
}

static void types_and_ops_ok(void)
{
	for (const struct cp_type *t = cp_types; t->name; t++)
		for (const struct cp_op *o = cp_ops; o->name; o++) {
			job.type = t;
			job.op = o;
			job.wrong = 0;
			play(5, 4099, false);
			ok(!job.wrong, "%s %s: no value is wrong", t->name,
			   o->name);
		}
}

static void wrong_values_are_counted_ok(void)
{
	struct cp_pattern p;
	uint64_t first;
	float got[10000];

	cp_pattern_init(&p, cp_type_find("float"), cp_op_find("sum"), 0, 1);
	cp_pattern_fill(&p, got, 10000, 3);
	ok(cp_pattern_check(&p, got, 10000, 3, &first) == 0,
	   "with one rank the result is the input");
	got[5000] += 1;
	got[9999] += 1;
	ok(cp_pattern_check(&p, got, 10000, 3, &first) == 2 && first == 5000,
	   "two wrong values are two, and the first is named");
	cp_pattern_fill(&p, got, 10000, 2);
	ok(cp_pattern_check(&p, got, 10000, 3, &first) > 9000,
	   "what an earlier run left behind is wrong");
	cp_poison(got, sizeof(got));
	ok(cp_pattern_check(&p, got, 10000, 3, &first) == 10000,
	   "poison is wrong everywhere");
	cp_pattern_free(&p);
}

int main(void)
{
	job.type = cp_type_find("float");
	job.op = cp_op_find("sum");
	sums_are_right_ok();
	messages_are_as_many_as_told_ok();
	types_and_ops_ok();
	wrong_values_are_counted_ok();
	return done_testing();
}
