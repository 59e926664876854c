/* SPDX-License-Identifier: GPL-2.0 */
/* What the algorithms share: places, pieces; and what they make. */
#ifndef CP_ALGO_H
#define CP_ALGO_H

#include "coll.h"

/* Pieces begin at a multiple of so many elements, where they can. */
#define CP_GRAIN	1024

/* Of shorter blocks, their number counts more than their length; in bytes */
#define CP_BLOCK_MIN	(16 * 1024)

/* A part of a memory, in elements. */
struct cp_part {
	uint64_t at, count;
};

/**
 * struct cp_stream - blocks that are moved piece by piece
 * @pieces: messages that each block is cut into, the same for all blocks
 * @ahead: messages that a rank sends before it takes one; divides @pieces
 * @most: elements in a message
 */
struct cp_stream {
	uint64_t pieces, ahead, most;
};

struct cp_part cp_share(uint64_t count, int parts, int i);
struct cp_stream cp_stream(const struct cp_shape *s, uint64_t block,
			   uint64_t ahead);
struct cp_part cp_piece(const struct cp_stream *st, struct cp_part block,
			uint64_t i);

/* The same for the whole vector */
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

/* The rank that is @i further on; @i from -2 * ranks */
static inline int cp_rank_at(const struct cp_shape *s, int i)
{
	return (s->rank + i + 2 * s->ranks) % s->ranks;
}

static inline struct cp_place cp_result(uint64_t at)
{
	return (struct cp_place){ CP_RECV, at };
}

/* Of all but all_gather, whose input has another place if it's in place */
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
