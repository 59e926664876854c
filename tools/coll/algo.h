/* SPDX-License-Identifier: GPL-2.0 */
/* Types and functions shared by the algorithms, and the algorithms */
#ifndef COLL_ALGO_H
#define COLL_ALGO_H

#include "plan.h"

/* If possible, pieces start at a multiple of this number of elements. */
#define COLL_GRAIN	1024

/* In bytes. For a smaller block, the cost per message matters more than the bandwidth. */
#define COLL_BLOCK_MIN	(16 * 1024)

/* A range of @count elements of a memory, starting at element @at */
struct coll_part {
	uint64_t at, count;
};

/**
 * struct coll_stream - blocks that are moved piece by piece
 * @pieces: number of messages per block, the same for all blocks; a multiple of @ahead
 * @ahead: number of messages that a rank sends before it receives one
 * @most: largest number of elements in a message
 */
struct coll_stream {
	uint64_t pieces, ahead, most;
};

struct coll_part coll_share(uint64_t count, int parts, int i);
struct coll_stream coll_stream(const struct coll_shape *s, uint64_t block,
			       uint64_t ahead);
struct coll_part coll_piece(const struct coll_stream *st, struct coll_part block,
			    uint64_t i);

/* Divide the whole vector into pieces */
static inline struct coll_stream coll_vector_stream(const struct coll_shape *s)
{
	return coll_stream(s, s->count, s->window);
}

static inline struct coll_part coll_vector_piece(const struct coll_stream *st,
						 const struct coll_shape *s,
						 uint64_t i)
{
	return coll_piece(st, (struct coll_part){ 0, s->count }, i);
}

/* Return the rank that is @i positions after this rank, cyclically. @i is at least -2 * ranks. */
static inline int coll_rank_at(const struct coll_shape *s, int i)
{
	return (s->rank + i + 2 * s->ranks) % s->ranks;
}

static inline struct coll_place coll_result(uint64_t at)
{
	return (struct coll_place){ COLL_RECV, at };
}

/*
 * Return element @at of the input. Do not use this for all_gather: its in-place input
 * does not start at element 0.
 */
static inline struct coll_place coll_input(const struct coll_shape *s, uint64_t at)
{
	return (struct coll_place){ s->in_place ? COLL_RECV : COLL_SEND, at };
}

/* algo_ring.c */
void coll_ring_all_reduce(struct coll_plan *plan, const struct coll_shape *s);
void coll_ring_all_gather(struct coll_plan *plan, const struct coll_shape *s);
void coll_ring_reduce_scatter(struct coll_plan *plan, const struct coll_shape *s);
void coll_ring_broadcast(struct coll_plan *plan, const struct coll_shape *s);
void coll_ring_reduce(struct coll_plan *plan, const struct coll_shape *s);

/* algo_tree.c */
void coll_tree_all_reduce(struct coll_plan *plan, const struct coll_shape *s);
void coll_tree_broadcast(struct coll_plan *plan, const struct coll_shape *s);
void coll_tree_reduce(struct coll_plan *plan, const struct coll_shape *s);

/* algo_recursive.c */
void coll_recursive_all_reduce(struct coll_plan *plan, const struct coll_shape *s);
void coll_recursive_all_gather(struct coll_plan *plan, const struct coll_shape *s);
void coll_recursive_reduce_scatter(struct coll_plan *plan, const struct coll_shape *s);
void coll_recursive_broadcast(struct coll_plan *plan, const struct coll_shape *s);
void coll_recursive_reduce(struct coll_plan *plan, const struct coll_shape *s);

/* algo_direct.c */
void coll_direct_all_reduce(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_all_gather(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_reduce_scatter(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_broadcast(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_reduce(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_alltoall(struct coll_plan *plan, const struct coll_shape *s);
void coll_direct_sendrecv(struct coll_plan *plan, const struct coll_shape *s);

#endif
