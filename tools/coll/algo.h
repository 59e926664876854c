/* SPDX-License-Identifier: GPL-2.0 */
/* Types and functions shared by the algorithms, and the algorithms */
#ifndef CP_ALGO_H
#define CP_ALGO_H

#include "coll.h"

/* If possible, pieces start at a multiple of this number of elements. */
#define CP_GRAIN	1024

/* In bytes. For a smaller block, the cost per message matters more than the bandwidth. */
#define CP_BLOCK_MIN	(16 * 1024)

/* A range of @count elements of a memory, starting at element @at */
struct cp_part {
	uint64_t at, count;
};

/**
 * struct cp_stream - blocks that are moved piece by piece
 * @pieces: number of messages per block, the same for all blocks; a multiple of @ahead
 * @ahead: number of messages that a rank sends before it receives one
 * @most: largest number of elements in a message
 */
struct cp_stream {
	uint64_t pieces, ahead, most;
};

struct cp_part cp_share(uint64_t count, int parts, int i);
struct cp_stream cp_stream(const struct cp_shape *s, uint64_t block,
			   uint64_t ahead);
struct cp_part cp_piece(const struct cp_stream *st, struct cp_part block,
			uint64_t i);

/* Divide the whole vector into pieces */
static inline struct cp_stream cp_vector_stream(const struct cp_shape *s)
{
	return cp_stream(s, s->count, s->window);
}

static inline struct cp_part cp_vector_piece(const struct cp_stream *st,
					     const struct cp_shape *s,
					     uint64_t i)
{
	return cp_piece(st, (struct cp_part){ 0, s->count }, i);
}

/* Return the rank that is @i positions after this rank, cyclically. @i is at least -2 * ranks. */
static inline int cp_rank_at(const struct cp_shape *s, int i)
{
	return (s->rank + i + 2 * s->ranks) % s->ranks;
}

static inline struct cp_place cp_result(uint64_t at)
{
	return (struct cp_place){ CP_RECV, at };
}

/*
 * Return element @at of the input. Do not use this for all_gather: its in-place input
 * does not start at element 0.
 */
static inline struct cp_place cp_input(const struct cp_shape *s, uint64_t at)
{
	return (struct cp_place){ s->in_place ? CP_RECV : CP_SEND, at };
}

/* algo_ring.c */
void cp_ring_all_reduce(struct cp_plan *plan, const struct cp_shape *s);
void cp_ring_all_gather(struct cp_plan *plan, const struct cp_shape *s);
void cp_ring_reduce_scatter(struct cp_plan *plan, const struct cp_shape *s);
void cp_ring_broadcast(struct cp_plan *plan, const struct cp_shape *s);
void cp_ring_reduce(struct cp_plan *plan, const struct cp_shape *s);

/* algo_tree.c */
void cp_tree_all_reduce(struct cp_plan *plan, const struct cp_shape *s);
void cp_tree_broadcast(struct cp_plan *plan, const struct cp_shape *s);
void cp_tree_reduce(struct cp_plan *plan, const struct cp_shape *s);

/* algo_recursive.c */
void cp_recursive_all_reduce(struct cp_plan *plan, const struct cp_shape *s);
void cp_recursive_all_gather(struct cp_plan *plan, const struct cp_shape *s);
void cp_recursive_reduce_scatter(struct cp_plan *plan, const struct cp_shape *s);
void cp_recursive_broadcast(struct cp_plan *plan, const struct cp_shape *s);
void cp_recursive_reduce(struct cp_plan *plan, const struct cp_shape *s);

/* algo_direct.c */
void cp_direct_all_reduce(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_all_gather(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_reduce_scatter(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_broadcast(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_reduce(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_alltoall(struct cp_plan *plan, const struct cp_shape *s);
void cp_direct_sendrecv(struct cp_plan *plan, const struct cp_shape *s);

#endif
