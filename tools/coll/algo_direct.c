// SPDX-License-Identifier: GPL-2.0
/*
 * Direct: every rank sends to all ranks that need its data, at the same time.
 *
 * The advantage: an input reaches a result in at most two consecutive messages. The cost:
 * each rank needs queue pairs to all n - 1 other ranks.
 *
 * A rank sends pieces to its peers in turn, starting with the next rank, so that the ranks
 * do not all send to the same rank. It sends @ahead pieces to each peer before it receives
 * the first piece from each:
 *
 *	send 0 .. ahead-1 to all;  receive 0 from all, send ahead to all; ...
 *
 * If all ranks execute these operations in the same order, at most @ahead
 * messages of a pair of ranks are in flight.
 *
 * In an all-reduce each rank reduces one block of all ranks' vectors (A) and
 * sends the result to all ranks (B). Each element is therefore reduced by one
 * rank, in one order, and all ranks get the same bits. A and B overlap:
 *
 *	send A 0 .. ahead-1;
 *	for each i:  receive A i, send B i, receive B i-ahead+1, send A i+ahead
 *
 * Messages are sent and received in this order. At most 2 ahead - 1 messages of
 * a pair are in flight, which is at most the window. A result overwrites a block
 * only after the rank that sends the result has received the block.
 */
#include "algo.h"

/* The blocks of each rank, and their pieces */
struct mesh {
	struct coll_plan *plan;
	const struct coll_shape *s;
	struct coll_stream st;
	bool shared;
};

/*
 * Each rank has a block of @s->count elements. A rank sends @ahead pieces of it to each
 * peer before it receives the first piece.
 */
static struct mesh mesh_of(struct coll_plan *plan, const struct coll_shape *s,
			   uint64_t ahead)
{
	return (struct mesh){ plan, s, coll_stream(s, s->count, ahead), false };
}

/* Divide the vector into one block per rank. */
static struct mesh shared_mesh(struct coll_plan *plan, const struct coll_shape *s,
			       uint64_t ahead)
{
	uint64_t block = coll_share(s->count, s->ranks, 0).count;

	return (struct mesh){ plan, s, coll_stream(s, block, ahead), true };
}

static struct coll_part mesh_block(const struct mesh *mesh, int rank, uint64_t piece)
{
	const struct coll_shape *s = mesh->s;
	struct coll_part whole = { (uint64_t)rank * s->count, s->count };

	if (mesh->shared)
		whole = coll_share(s->count, s->ranks, rank);
	return coll_piece(&mesh->st, whole, piece);
}

/* Return part @p of this rank's block in the input; in all_gather the input is only that block. */
static struct coll_place own_input(const struct mesh *mesh, struct coll_part p)
{
	const struct coll_shape *s = mesh->s;

	return s->in_place ? coll_result(p.at) :
		coll_input(s, p.at - (uint64_t)s->rank * s->count);
}

/* Send one piece to each rank. The input contains a separate block for each rank. */
static void scatter(const struct mesh *mesh, uint64_t piece)
{
	const struct coll_shape *s = mesh->s;

	for (int j = 1; j < s->ranks; j++) {
		int peer = coll_rank_at(s, j);
		struct coll_part p = mesh_block(mesh, peer, piece);

		coll_plan_send(mesh->plan, peer, coll_input(s, p.at), p.count);
	}
}

/* Send one piece of this rank's block to all ranks */
static void spread(const struct mesh *mesh, struct coll_place from,
		   uint64_t count)
{
	for (int j = 1; j < mesh->s->ranks; j++)
		coll_plan_send(mesh->plan, coll_rank_at(mesh->s, j), from, count);
}

static void spread_result(const struct mesh *mesh, uint64_t piece)
{
	struct coll_part p = mesh_block(mesh, mesh->s->rank, piece);

	spread(mesh, coll_result(p.at), p.count);
}

static void spread_input(const struct mesh *mesh, uint64_t piece)
{
	struct coll_part p = mesh_block(mesh, mesh->s->rank, piece);

	spread(mesh, own_input(mesh, p), p.count);
}

/* Receive from each other rank one piece of that rank's block */
static void gather(const struct mesh *mesh, uint64_t piece)
{
	const struct coll_shape *s = mesh->s;

	for (int j = 1; j < s->ranks; j++) {
		int peer = coll_rank_at(s, -j);
		struct coll_part p = mesh_block(mesh, peer, piece);

		coll_plan_recv(mesh->plan, peer, coll_result(p.at), p.count);
	}
}

/* Receive one piece of this rank's block from each other rank, and add these contributions */
static void add_up(const struct mesh *mesh, uint64_t piece)
{
	const struct coll_shape *s = mesh->s;
	struct coll_part p = mesh_block(mesh, s->rank, piece);

	for (int j = 1; j < s->ranks; j++)
		coll_plan_reduce(mesh->plan, coll_rank_at(s, -j), coll_result(p.at),
				 j == 1 ? coll_input(s, p.at) : coll_result(p.at),
				 p.count, j == s->ranks - 1);
}

/** coll_direct_all_reduce() - each rank reduces one block and sends the result to all */
void coll_direct_all_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct mesh mesh = shared_mesh(plan, s, (s->window + 1) / 2);
	uint64_t n = mesh.st.pieces, ahead = mesh.st.ahead;

	coll_plan_at(plan, "reduce-scatter", 1, 1);
	for (uint64_t i = 0; i < ahead; i++)
		scatter(&mesh, i);
	for (uint64_t i = 0; i < n + ahead - 1; i++) {
		coll_plan_at(plan, "reduce-scatter", 1, 1);
		if (i < n)
			add_up(&mesh, i);
		coll_plan_at(plan, "all-gather", 1, 1);
		if (i < n)
			spread_result(&mesh, i);
		if (i + 1 >= ahead)
			gather(&mesh, i + 1 - ahead);
		coll_plan_at(plan, "reduce-scatter", 1, 1);
		if (i + ahead < n)
			scatter(&mesh, i + ahead);
	}
}

/** coll_direct_reduce_scatter() - each rank reduces its own block */
void coll_direct_reduce_scatter(struct coll_plan *plan, const struct coll_shape *s)
{
	struct mesh mesh = mesh_of(plan, s, s->window);
	uint64_t n = mesh.st.pieces, ahead = mesh.st.ahead;

	coll_plan_at(plan, "reduce-scatter", 1, 1);
	for (uint64_t i = 0; i < n + ahead; i++) {
		if (i >= ahead)
			add_up(&mesh, i - ahead);
		if (i < n)
			scatter(&mesh, i);
	}
}

static void copy_to_result(const struct mesh *mesh, struct coll_part p,
			   struct coll_place from)
{
	coll_plan_copy(mesh->plan, coll_result(p.at), from, p.count);
}

/** coll_direct_all_gather() - each rank sends its block to all */
void coll_direct_all_gather(struct coll_plan *plan, const struct coll_shape *s)
{
	struct mesh mesh = mesh_of(plan, s, s->window);
	uint64_t n = mesh.st.pieces, ahead = mesh.st.ahead;

	coll_plan_at(plan, "all-gather", 1, 1);
	for (uint64_t i = 0; i < n + ahead; i++) {
		if (i >= ahead)
			gather(&mesh, i - ahead);
		if (i >= n)
			continue;
		spread_input(&mesh, i);
		copy_to_result(&mesh, mesh_block(&mesh, s->rank, i),
			       own_input(&mesh, mesh_block(&mesh, s->rank, i)));
	}
}

/** coll_direct_alltoall() - each rank sends a different block to each rank */
void coll_direct_alltoall(struct coll_plan *plan, const struct coll_shape *s)
{
	struct mesh mesh = mesh_of(plan, s, s->window);
	uint64_t n = mesh.st.pieces, ahead = mesh.st.ahead;

	coll_plan_at(plan, "alltoall", 1, 1);
	for (uint64_t i = 0; i < n + ahead; i++) {
		struct coll_part own = mesh_block(&mesh, s->rank, i);

		if (i >= ahead)
			gather(&mesh, i - ahead);
		if (i >= n)
			continue;
		scatter(&mesh, i);
		copy_to_result(&mesh, own, coll_input(s, own.at));
	}
}

/** coll_direct_broadcast() - the root sends to all */
void coll_direct_broadcast(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream st = coll_vector_stream(s);
	struct mesh mesh = { plan, s, st, false };

	coll_plan_at(plan, "broadcast", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);

		if (s->rank == s->root) {
			spread(&mesh, coll_input(s, p.at), p.count);
			copy_to_result(&mesh, p, coll_input(s, p.at));
		} else {
			coll_plan_recv(plan, s->root, coll_result(p.at), p.count);
		}
	}
}

/** coll_direct_reduce() - all ranks send to the root, which adds all vectors in a fixed order */
void coll_direct_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream st = coll_vector_stream(s);

	coll_plan_at(plan, "reduce", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);
		struct coll_place in = coll_input(s, p.at), out = coll_result(p.at);

		if (s->rank != s->root)
			coll_plan_send(plan, s->root, in, p.count);
		for (int j = 1; s->rank == s->root && j < s->ranks; j++)
			coll_plan_reduce(plan, coll_rank_at(s, j), out,
					 j == 1 ? in : out, p.count,
					 j == s->ranks - 1);
	}
}

static void take_piece(struct coll_plan *plan, const struct coll_shape *s,
		       struct coll_part p)
{
	coll_plan_recv(plan, coll_rank_at(s, -1), coll_result(p.at), p.count);
}

/** coll_direct_sendrecv() - each rank sends its vector to the next rank */
void coll_direct_sendrecv(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream st = coll_vector_stream(s);

	coll_plan_at(plan, "sendrecv", 1, 1);
	for (uint64_t i = 0; i < st.pieces + st.ahead; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);
		uint64_t before = i - st.ahead;

		if (i >= st.ahead)
			take_piece(plan, s, coll_vector_piece(&st, s, before));
		if (i < st.pieces)
			coll_plan_send(plan, coll_rank_at(s, 1),
				       coll_input(s, p.at), p.count);
	}
}
