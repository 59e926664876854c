// SPDX-License-Identifier: GPL-2.0
/*
 * Test the plans of all ranks by executing them together without a network.
 *
 * The simulated engine is as lazy as the real one can be: the payload of a message is read at
 * the sender only when the peer receives it, so that a plan that overwrites a source too early
 * gives a wrong result. The ranks continue in a random order. This order is kept until all
 * ranks wait or are done, so that some ranks run as far ahead as the windows permit.
 *
 * Each element of each rank is a random 64-bit word. Elements are added modulo 2^64, so that a
 * missing, doubled or misplaced contribution is detected. The last addition to a value also
 * multiplies it by 3, so that the test detects a value that is made final twice or never.
 */
#include <stdlib.h>
#include <string.h>

#include "algo.c"
#include "algo_direct.c"
#include "algo_recursive.c"
#include "algo_ring.c"
#include "algo_tree.c"
#include "coll.c"
#include "plan.c"
#include "tap.h"

#define RANKS_MAX	64
#define WINDOW_MAX	8

/* Messages from one rank to another rank that have been sent but not yet received */
struct pair {
	const struct coll_act *sent[WINDOW_MAX];
	uint32_t head, n;
};

static struct {
	const struct coll_collective *coll;
	enum coll_algo algo;
	struct coll_shape s;
	struct coll_plan plan[RANKS_MAX];
	size_t done[RANKS_MAX];
	uint64_t *mem[RANKS_MAX][COLL_MEMS];
	uint64_t len[COLL_MEMS];
	struct pair pair[RANKS_MAX][RANKS_MAX];
	uint64_t sent[RANKS_MAX];
	void (*spoil)(void);
	const char *wrong;
} job;

static uint64_t draw(void)
{
	static uint64_t state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t word(int rank, uint64_t i)
{
	uint64_t h = ((uint64_t)rank + 1) * 0x9e3779b97f4a7c15u +
		     (i + 1) * 0xc2b2ae3d27d4eb4fu;

	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	return h ^ h >> 32;
}

static void wrong(const char *what)
{
	if (!job.wrong)
		job.wrong = what;
}

static uint64_t *place(int rank, struct coll_place p, uint64_t count)
{
	static uint64_t nowhere[1 << 16];

	if (p.at + count <= job.len[p.mem])
		return job.mem[rank][p.mem] + p.at;
	wrong("an act is outside of the memory");
	return nowhere;
}

static bool send_one(int rank, const struct coll_act *act)
{
	struct pair *pair = &job.pair[rank][act->peer];

	if (pair->n == job.s.window)
		return false;
	if (act->count > job.s.piece)
		wrong("a message is longer than a piece");
	pair->sent[(pair->head + pair->n++) % WINDOW_MAX] = act;
	job.sent[rank] += act->count;
	return true;
}

static bool take_one(int rank, const struct coll_act *act)
{
	struct pair *pair = &job.pair[act->peer][rank];
	const struct coll_act *sent = pair->sent[pair->head];
	uint64_t *from, *to, *own = NULL, times = act->final ? 3 : 1;

	if (!pair->n)
		return false;
	pair->head = (pair->head + 1) % WINDOW_MAX;
	pair->n--;
	if (sent->count != act->count)
		wrong("a message is not as long as expected");
	from = place(act->peer, sent->from, act->count);
	to = place(rank, act->to, act->count);
	if (act->kind == COLL_ACT_REDUCE)
		own = place(rank, act->from, act->count);
	for (uint64_t i = 0; i < act->count; i++)
		to[i] = own ? (own[i] + from[i]) * times : from[i];
	return true;
}

static bool copy_one(int rank, const struct coll_act *act)
{
	uint64_t *from = place(rank, act->from, act->count);
	uint64_t *to = place(rank, act->to, act->count);

	for (uint64_t i = 0; i < act->count; i++)
		to[i] = from[i];
	return true;
}

static bool act_once(int rank)
{
	const struct coll_act *act = &job.plan[rank].acts[job.done[rank]];

	if (act->kind != COLL_ACT_SEND && act->to.mem != COLL_RECV)
		wrong("the input is overwritten");
	if (act->kind != COLL_ACT_COPY &&
	    (act->peer == rank || act->peer < 0 || act->peer >= job.s.ranks))
		wrong("a rank has no such peer");
	switch (act->kind) {
	case COLL_ACT_SEND:
		return send_one(rank, act);
	case COLL_ACT_COPY:
		return copy_one(rank, act);
	default:
		return take_one(rank, act);
	}
}

/* Execute the plan of @rank as far as possible. Return: true if the rank made progress */
static bool go_on(int rank)
{
	size_t before = job.done[rank];

	while (job.done[rank] < job.plan[rank].n && act_once(rank))
		job.done[rank]++;
	return job.done[rank] > before;
}

static void draw_order(int *order)
{
	for (int i = 0; i < job.s.ranks; i++)
		order[i] = i;
	for (int i = job.s.ranks - 1; i > 0; i--) {
		int j = (int)(draw() % ((uint64_t)i + 1)), was = order[i];

		order[i] = order[j];
		order[j] = was;
	}
}

/*
 * Draw a random order of the ranks. Then find the first rank in this order that can continue,
 * and execute its plan as far as possible. Repeat this until all ranks wait or are done.
 */
static void run_all(void)
{
	int order[RANKS_MAX], i;

	draw_order(order);
	do {
		for (i = 0; i < job.s.ranks && !go_on(order[i]); i++)
			;
	} while (i < job.s.ranks);
	for (i = 0; i < job.s.ranks; i++)
		if (job.done[i] < job.plan[i].n)
			wrong("ranks wait for each other for ever");
}

/*
 * If a send is marked as the last one to a peer, no other send to this peer may follow. All
 * messages must be received.
 */
static void check_messages(int rank)
{
	const struct coll_plan *plan = &job.plan[rank];
	bool open[RANKS_MAX] = { false };

	for (size_t i = 0; i < plan->n; i++) {
		const struct coll_act *act = &plan->acts[i];

		if (act->kind == COLL_ACT_SEND)
			open[act->peer] = !act->last;
	}
	for (int p = 0; p < job.s.ranks; p++) {
		if (job.pair[rank][p].n)
			wrong("not all that is sent is taken");
		if (open[p])
			wrong("the last message is not marked");
	}
}

static uint64_t wanted(const struct coll_want *want, uint64_t i)
{
	uint64_t sum = 0;

	if (want->from != COLL_ALL_RANKS)
		return word(want->from, want->input_at + i);
	for (int r = 0; r < job.s.ranks; r++)
		sum += word(r, want->input_at + i);
	return sum * (job.s.ranks > 1 ? 3 : 1);
}

static void check_result(int rank)
{
	struct coll_want wants[RANKS_MAX];
	struct coll_shape s = job.s;
	int n;

	s.rank = rank;
	n = job.coll->wants(&s, wants);
	for (int w = 0; w < n; w++)
		for (uint64_t i = 0; i < wants[w].count; i++)
			if (job.mem[rank][COLL_RECV][wants[w].at + i] !=
			    wanted(&wants[w], i))
				wrong("a result is wrong");
}

static void set_up(int rank)
{
	uint64_t n = job.coll->sent(job.s.ranks) * job.s.count;
	struct coll_shape s = job.s;
	uint64_t *input;

	s.rank = rank;
	for (int m = 0; m < COLL_MEMS; m++) {
		job.mem[rank][m] = malloc(job.len[m] * sizeof(uint64_t) + 1);
		memset(job.mem[rank][m], 0xff, job.len[m] * sizeof(uint64_t));
	}
	input = s.in_place ? job.mem[rank][COLL_RECV] + job.coll->input_at(&s) :
			     job.mem[rank][COLL_SEND];
	for (uint64_t i = 0; i < n; i++)
		input[i] = word(rank, i);
	job.done[rank] = 0;
	job.sent[rank] = 0;
	for (int p = 0; p < s.ranks; p++)
		job.pair[rank][p].n = 0;
	if (coll_plan_make(&job.plan[rank], job.coll, job.algo, &s))
		wrong("there is no plan");
}

/* Run a job once, by executing the plans of all its ranks. */
static void run_once(void)
{
	int n = job.s.ranks;

	job.len[COLL_SEND] = job.s.in_place ? 0 : job.coll->sent(n) * job.s.count;
	job.len[COLL_RECV] = job.coll->received(n) * job.s.count;
	for (int r = 0; r < n; r++)
		set_up(r);
	if (job.spoil)
		job.spoil();
	if (!job.wrong)
		run_all();
	for (int r = 0; r < n; r++) {
		check_messages(r);
		check_result(r);
	}
	for (int r = 0; r < n; r++)
		for (int m = 0; m < COLL_MEMS; m++)
			free(job.mem[r][m]);
}

static bool case_places(void)
{
	for (int in_place = 0; in_place <= job.coll->in_place; in_place++) {
		job.s.in_place = in_place;
		run_once();
	}
	if (job.wrong)
		printf("# %d ranks, root %d, count %lu, piece %lu, window %u, in place %d: %s\n",
		       job.s.ranks, job.s.root, job.s.count, job.s.piece,
		       job.s.window, job.s.in_place, job.wrong);
	return !job.wrong;
}

static bool case_roots(void)
{
	const int roots[] = { 0, 1, job.s.ranks / 2, job.s.ranks - 1 };

	for (int i = 0; i < (job.coll->rooted ? 4 : 1); i++) {
		job.s.root = roots[i] % job.s.ranks;
		if (!case_places())
			return false;
	}
	return true;
}

static bool case_windows(void)
{
	static const uint32_t windows[] = { 2, 3, WINDOW_MAX };

	for (int i = 0; i < 3; i++) {
		job.s.window = windows[i];
		if (!case_roots())
			return false;
	}
	return true;
}

static bool case_counts(int ranks)
{
	uint64_t n = (uint64_t)ranks;
	const struct { uint64_t count, piece; } cut[] = {
		{ n + 1, 1 }, { 0, 1 }, { 1, 1 }, { 2, 7 }, { n - 1, 1 },
		{ n, 1 }, { 33, 2 }, { 100, 7 }, { 97, 100 },
		{ 3000 / n, 1100 },
	};
	size_t cuts = ranks > 17 ? 1 : sizeof(cut) / sizeof(*cut);

	job.s.ranks = ranks;
	for (size_t i = 0; i < cuts; i++) {
		job.s.count = cut[i].count;
		job.s.piece = cut[i].piece;
		if (!case_windows())
			return false;
	}
	return true;
}

static void every_shape_ok(void)
{
	int ranks = 1;

	while (ranks <= 17 && case_counts(ranks))
		ranks++;
	ok(ranks > 17 && case_counts(RANKS_MAX),
	   "%s %s: the result is right for 1 to 17 and 64 ranks, any count, piece, window and root",
	   job.coll->name, coll_algo_names[job.algo].name);
	job.wrong = NULL;
}

static void every_plan_ok(void)
{
	for (job.coll = coll_collectives; job.coll->name; job.coll++)
		for (int a = 0; a < COLL_ALGOS; a++)
			if (job.coll->algos[a]) {
				job.algo = (enum coll_algo)a;
				every_shape_ok();
			}
}

static void choose(const char *coll, enum coll_algo algo, int ranks,
		   uint64_t count)
{
	job.coll = coll_find(coll);
	job.algo = algo;
	job.wrong = NULL;
	job.s = (struct coll_shape){ .ranks = ranks, .count = count, .piece = 5,
				   .window = 4 };
}

/*
 * Run the collective. Return: true if each rank sends @elements elements. all_send() returns
 * true if the sum over all ranks is @elements.
 */
static bool each_sends(const char *coll, enum coll_algo algo, int ranks,
		       uint64_t count, uint64_t elements)
{
	bool good = true;

	choose(coll, algo, ranks, count);
	run_once();
	for (int r = 0; r < ranks; r++)
		good &= job.sent[r] == elements;
	return good;
}

static bool all_send(const char *coll, enum coll_algo algo, int ranks,
		     uint64_t count, uint64_t elements)
{
	uint64_t sum = 0;

	choose(coll, algo, ranks, count);
	run_once();
	for (int r = 0; r < ranks; r++)
		sum += job.sent[r];
	return sum == elements;
}

static void no_more_than_needed_ok(void)
{
	bool ring = true, gather = true, scatter = true, all = true;
	bool mesh = true, rooted = true;

	for (uint64_t n = 2; n <= 16; n++) {
		int ranks = (int)n;

		ring &= each_sends("all_reduce", COLL_RING, ranks, 6 * n,
				   2 * (n - 1) * 6);
		mesh &= each_sends("all_reduce", COLL_DIRECT, ranks, 6 * n,
				   2 * (n - 1) * 6);
		gather &= each_sends("all_gather", COLL_RING, ranks, 7, (n - 1) * 7);
		scatter &= each_sends("reduce_scatter", COLL_RING, ranks, 7,
				      (n - 1) * 7);
		for (int a = 0; a < COLL_ALGOS; a++) {
			all &= all_send("all_reduce", (enum coll_algo)a, ranks,
					31, 2 * (n - 1) * 31);
			rooted &= all_send("reduce", (enum coll_algo)a, ranks, 31,
					   (n - 1) * 31);
			rooted &= all_send("broadcast", (enum coll_algo)a, ranks,
					   31, (n - 1) * 31);
		}
	}
	ok(ring, "all_reduce ring: a rank sends 2(n-1)/n of the vector");
	ok(mesh, "all_reduce direct: a rank sends 2(n-1)/n of the vector");
	ok(gather, "all_gather ring: a rank sends (n-1)/n of the result");
	ok(scatter, "reduce_scatter ring: a rank sends (n-1)/n of the input");
	ok(all, "all_reduce with every algorithm: all ranks together send 2(n-1) vectors");
	ok(rooted, "reduce and broadcast with every algorithm: all ranks together send n-1 vectors");
}

static void halving_is_as_short_as_the_ring_ok(void)
{
	bool good = true;

	for (uint64_t n = 2; n <= 16; n *= 2)
		good &= each_sends("all_reduce", COLL_RECURSIVE, (int)n, 6 * n,
				   2 * (n - 1) * 6);
	ok(good, "all_reduce recursive: a rank sends 2(n-1)/n of the vector if n is a power of two");
}

/* If two trees cover an even number of ranks, each rank is a leaf in one of the trees. */
static void trees_share_the_work_ok(void)
{
	bool good = true;

	for (int n = 2; n <= 16; n += 2) {
		choose("all_reduce", COLL_TREE, n, 40);
		run_once();
		for (int r = 0; r < n; r++)
			good &= job.sent[r] > 0 && job.sent[r] <= 2 * 40;
	}
	ok(good, "all_reduce tree: no rank sends more than twice the vector");
}

static void window_of_two(void)
{
	job.s.window = 2;
}

static void not_final(void)
{
	for (size_t i = 0; i < job.plan[1].n; i++)
		job.plan[1].acts[i].final = false;
}

static void broken(void (*spoil)(void), const char *what, const char *why)
{
	choose("all_reduce", COLL_RING, 4, 100);
	job.s.window = WINDOW_MAX;
	job.spoil = spoil;
	run_once();
	ok(job.wrong && !strcmp(job.wrong, why), "control: the simulation finds %s: %s", what, why);
	job.spoil = NULL;
	job.wrong = NULL;
}

static void broken_plans_ok(void)
{
	broken(window_of_two, "a smaller window than the plan's",
	       "ranks wait for each other for ever");
	broken(not_final, "a sum that is never final", "a result is wrong");
}

/* Rank 0 sends an element and overwrites it at once. */
static void early_overwriting(void)
{
	const struct coll_place from = { COLL_SEND, 0 }, to = { COLL_RECV, 0 };

	for (int r = 0; r < 2; r++)
		job.plan[r].n = 0;
	coll_plan_send(&job.plan[0], 1, to, 1);
	coll_plan_copy(&job.plan[0], to, from, 1);
	coll_plan_recv(&job.plan[1], 0, to, 1);
	coll_plan_end(&job.plan[0]);
}

static void payload_is_read_late_ok(void)
{
	choose("broadcast", COLL_RING, 2, 1);
	job.spoil = early_overwriting;
	run_once();
	ok(!job.wrong, "control: the simulation reads a source after it was overwritten too early");
	job.spoil = NULL;
}

static void messages_are_counted_ok(void)
{
	bool good = true;

	choose("all_reduce", COLL_RING, 5, 50);
	run_once();
	for (int r = 0; r < 5; r++) {
		const struct coll_plan *plan = &job.plan[r];
		int next = (r + 1) % 5;

		/*
		 * The plan has 4 phases that reduce and 4 phases that only receive. A block
		 * has 2 pieces.
		 */
		good &= coll_plan_messages(plan, next, COLL_ACT_SEND) == 16 &&
			coll_plan_messages(plan, next, COLL_ACT_RECV) == 0 &&
			coll_plan_messages(&job.plan[next], r, COLL_ACT_REDUCE) == 8 &&
			coll_plan_messages(&job.plan[next], r, COLL_ACT_RECV) == 8;
	}
	ok(good, "coll_plan_messages() counts the messages of a pair by kind");
}

static void what_does_not_exist_fails(void)
{
	struct coll_shape s = { .ranks = 2, .count = 1, .piece = 1, .window = 2 };
	struct coll_plan plan = { 0 };

	ok(coll_plan_make(&plan, coll_find("alltoall"), COLL_TREE, &s) ==
	   -EOPNOTSUPP, "coll_plan_make() refuses an algorithm that the collective lacks");
	s.in_place = true;
	ok(coll_plan_make(&plan, coll_find("alltoall"), COLL_DIRECT, &s) ==
	   -EOPNOTSUPP, "coll_plan_make() refuses in-place for a collective without it");
	ok(!coll_find("all_reduc"), "coll_find() does not accept unknown names");
	coll_plan_free(&plan);
}

static void choice_exists_ok(void)
{
	bool good = true;

	for (const struct coll_collective *c = coll_collectives; c->name; c++)
		for (uint64_t bytes = 0; bytes < 1 << 30; bytes = bytes * 4 + 1)
			for (int n = 1; n <= 16; n++)
				good &= !!c->algos[coll_algo_choose(c, n, bytes)];
	ok(good, "coll_algo_choose() returns an existing algorithm for every collective and size");
	job.coll = coll_find("all_reduce");
	ok(coll_algo_choose(job.coll, 8, 64) == COLL_TREE &&
	   coll_algo_choose(job.coll, 8, 1 << 20) == COLL_RING &&
	   coll_algo_choose(job.coll, 2, 64) == COLL_RING,
	   "coll_algo_choose() returns tree for short vectors and ring for long ones");
}

int main(void)
{
	every_plan_ok();
	no_more_than_needed_ok();
	halving_is_as_short_as_the_ring_ok();
	trees_share_the_work_ok();
	broken_plans_ok();
	payload_is_read_late_ok();
	messages_are_counted_ok();
	what_does_not_exist_fails();
	choice_exists_ok();
	for (int r = 0; r < RANKS_MAX; r++)
		coll_plan_free(&job.plan[r]);
	return done_testing();
}
