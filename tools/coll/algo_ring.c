// SPDX-License-Identifier: GPL-2.0
/*
 * The ring: each rank sends to the next rank and receives from the previous one.
 *
 * The vector is divided into one block per rank. In a reduce-scatter a block
 * starts at one rank and passes all ranks. Each rank adds its own part, and after
 * n - 1 phases the block is complete at the last rank. In an all-gather complete
 * blocks pass all ranks. An all-reduce is a reduce-scatter and an all-gather. In
 * phase p a rank sends the block that it received in phase p - 1.
 *
 * A block is sent in pieces, so that a rank adds to one piece while others are in flight.
 * Long vectors are sent in rounds. A round has as many pieces of each block as a rank can
 * send ahead. In a round, the piece that a rank receives as message i is the piece that
 * it sends as message i + ahead:
 *
 *	send 0 .. ahead-1;  receive 0, send ahead;  receive 1, send ahead + 1; ...
 *
 * If all ranks execute these operations in the same order, at most @ahead
 * messages of a pair of ranks are in flight, which is at most the window.
 *
 * A rank overwrites a block only with a later version of the same block. That version
 * has passed the next rank, so the next rank has already received the earlier one.
 *
 * Broadcast and reduce use the ring as a chain from or to the root. All ranks except the
 * ends receive a piece and forward it. If the operations are executed piece by piece, and
 * rank by rank for each piece, at most one message of a pair is in flight.
 *
 * In an all-reduce each rank sends 2 (n - 1) blocks, which is the lower bound.
 * See Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters
 * of workstations", 2009.
 */
#include "algo.h"

/**
 * struct ring - a ring collective, as one rank sees it
 * @plan: the plan to extend
 * @s: the shape of the plan
 * @st: pieces of a block
 * @reduces: number of phases that reduce
 * @phases: number of all phases
 * @first: number of the block that is sent first, relative to this rank
 * @own: the element of COLL_RECV that corresponds to element 0 of COLL_SEND
 * @shared: true: the blocks divide the @s->count elements; false: each block has
 *	@s->count elements
 */
struct ring {
	struct coll_plan *plan;
	const struct coll_shape *s;
	struct coll_stream st;
	int reduces, phases, first;
	uint64_t own;
	bool shared;
};

/* A message of the ring: its round, the piece of the block, and the phase. */
struct turn {
	uint64_t round, piece;
	int phase;
};

static struct turn turn_of(const struct ring *ring, uint64_t i)
{
	uint64_t ahead = ring->st.ahead, phases = (uint64_t)ring->phases;
	uint64_t round = i / (ahead * phases);

	return (struct turn){
		.round = round,
		.piece = round * ahead + i % ahead,
		.phase = (int)(i / ahead % phases),
	};
}

static struct coll_part ring_part(const struct ring *ring, int block, uint64_t piece)
{
	const struct coll_shape *s = ring->s;
	struct coll_part whole = { (uint64_t)block * s->count, s->count };

	if (ring->shared)
		whole = coll_share(s->count, s->ranks, block);
	return coll_piece(&ring->st, whole, piece);
}

static struct coll_place ring_input(const struct ring *ring, uint64_t at)
{
	return ring->s->in_place ? coll_result(at) :
				   coll_input(ring->s, at - ring->own);
}

/*
 * Set the phase that is reported if one of the following operations fails. Reducing and
 * gathering phases are counted separately.
 */
static void ring_at(const struct ring *ring, struct turn t)
{
	bool reduces = t.phase < ring->reduces;
	uint64_t rounds = ring->st.pieces / ring->st.ahead;
	uint64_t each = (uint64_t)ring->s->ranks - 1;
	uint64_t phase = (uint64_t)t.phase % each;

	coll_plan_at(ring->plan, reduces ? "reduce-scatter" : "all-gather",
		     (uint32_t)(t.round * each + phase + 1),
		     (uint32_t)(rounds * each));
}

static void ring_send(const struct ring *ring, struct turn t)
{
	int block = coll_rank_at(ring->s, ring->first - t.phase);
	struct coll_part p = ring_part(ring, block, t.piece);

	ring_at(ring, t);
	coll_plan_send(ring->plan, coll_rank_at(ring->s, 1),
		       t.phase ? coll_result(p.at) : ring_input(ring, p.at), p.count);
}

static void keep_own(const struct ring *ring, uint64_t piece)
{
	struct coll_part p = ring_part(ring, ring->s->rank, piece);

	coll_plan_copy(ring->plan, coll_result(p.at), ring_input(ring, p.at), p.count);
}

static void ring_take(const struct ring *ring, struct turn t)
{
	int block = coll_rank_at(ring->s, ring->first - t.phase - 1);
	struct coll_part p = ring_part(ring, block, t.piece);
	int prev = coll_rank_at(ring->s, -1);

	ring_at(ring, t);
	if (t.phase < ring->reduces)
		coll_plan_reduce(ring->plan, prev, coll_result(p.at),
				 ring_input(ring, p.at), p.count,
				 t.phase == ring->reduces - 1);
	else
		coll_plan_recv(ring->plan, prev, coll_result(p.at), p.count);
	if (!ring->reduces && !t.phase)
		keep_own(ring, t.piece);
}

static void go_round(struct ring *ring)
{
	const struct coll_shape *s = ring->s;
	uint64_t block = ring->shared ? coll_share(s->count, s->ranks, 0).count :
					s->count;
	uint64_t n, ahead;

	ring->st = coll_stream(s, block, s->window);
	n = ring->st.pieces * (uint64_t)ring->phases;
	ahead = ring->st.ahead;
	for (uint64_t i = 0; i < n + ahead; i++) {
		if (i >= ahead)
			ring_take(ring, turn_of(ring, i - ahead));
		if (i < n)
			ring_send(ring, turn_of(ring, i));
	}
}

/** coll_ring_all_reduce() - the vector is divided into n blocks, one per rank; 2 (n - 1) phases */
void coll_ring_all_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct ring ring = {
		.plan = plan, .s = s, .shared = true,
		.reduces = s->ranks - 1, .phases = 2 * (s->ranks - 1),
	};

	go_round(&ring);
}

/** coll_ring_reduce_scatter() - each block ends at its own rank after n - 1 phases */
void coll_ring_reduce_scatter(struct coll_plan *plan, const struct coll_shape *s)
{
	struct ring ring = {
		.plan = plan, .s = s, .first = -1,
		.reduces = s->ranks - 1, .phases = s->ranks - 1,
	};

	go_round(&ring);
}

/** coll_ring_all_gather() - a block starts at its own rank and passes all ranks in n - 1 phases */
void coll_ring_all_gather(struct coll_plan *plan, const struct coll_shape *s)
{
	struct ring ring = {
		.plan = plan, .s = s, .phases = s->ranks - 1,
		.own = (uint64_t)s->rank * s->count,
	};

	go_round(&ring);
}

/** coll_ring_broadcast() - a chain of ranks that starts at the root; pieces follow one another */
void coll_ring_broadcast(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream st = coll_vector_stream(s);
	bool root = s->rank == s->root;
	bool end = coll_rank_at(s, 1) == s->root;

	coll_plan_at(plan, "broadcast", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);
		struct coll_place from = root ? coll_input(s, p.at) : coll_result(p.at);

		if (!root)
			coll_plan_recv(plan, coll_rank_at(s, -1), from, p.count);
		if (!end)
			coll_plan_send(plan, coll_rank_at(s, 1), from, p.count);
		if (root)
			coll_plan_copy(plan, coll_result(p.at), from, p.count);
	}
}

/** coll_ring_reduce() - a chain of ranks that ends at the root; pieces follow one another */
void coll_ring_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream st = coll_vector_stream(s);
	bool begin = coll_rank_at(s, -1) == s->root;
	bool root = s->rank == s->root;

	coll_plan_at(plan, "reduce", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);
		struct coll_place in = coll_input(s, p.at), out = coll_result(p.at);

		if (!begin)
			coll_plan_reduce(plan, coll_rank_at(s, -1), out, in, p.count,
					 root);
		if (!root)
			coll_plan_send(plan, coll_rank_at(s, 1), begin ? in : out,
				       p.count);
	}
}
