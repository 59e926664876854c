// SPDX-License-Identifier: GPL-2.0
/*
 * Code shared by the algorithms: dividing vectors into blocks and pieces.
 *
 * No plan deadlocks, whatever the timing of the ranks. The header of each algorithm shows
 * that the operations of all ranks can be put into one order in which each message is received
 * before its sender has sent @window more messages to the same receiver. Then an operation
 * waits for at most one other rank, and only for operations of this rank that are earlier in
 * the order. Completed operations stay completed. So the first operation in the order that has
 * not completed can always complete.
 */
#include "algo.h"

/** coll_share() - divide @count elements into @parts parts of nearly equal size; return part @i */
struct coll_part coll_share(uint64_t count, int parts, int i)
{
	uint64_t each = count / (uint64_t)parts, more = count % (uint64_t)parts;
	uint64_t nth = (uint64_t)i;

	return (struct coll_part){
		.at = nth * each + (nth < more ? nth : more),
		.count = each + (nth < more),
	};
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return a / b + !!(a % b);
}

/**
 * coll_stream() - divide blocks into pieces
 * @s: the shape of the plan
 * @block: number of elements in the longest block
 * @ahead: number of messages that can be sent before one is received, at least 1
 *
 * Return: the number and maximum size of the pieces. They are sent in rounds. All rounds have
 * the same number of pieces, at most @ahead.
 */
struct coll_stream coll_stream(const struct coll_shape *s, uint64_t block,
			       uint64_t ahead)
{
	uint64_t pieces = divide_up(block, s->piece), rounds;

	if (!pieces)
		pieces = 1;
	rounds = divide_up(pieces, ahead);
	return (struct coll_stream){
		.pieces = rounds * divide_up(pieces, rounds),
		.ahead = divide_up(pieces, rounds),
		.most = s->piece,
	};
}

/** coll_piece() - return piece @i of @block; it can be empty */
struct coll_part coll_piece(const struct coll_stream *st, struct coll_part block,
			    uint64_t i)
{
	uint64_t len = divide_up(block.count, st->pieces);
	uint64_t at, left;

	len = divide_up(len, COLL_GRAIN) * COLL_GRAIN;
	if (len > st->most)
		len = st->most;
	at = i * len < block.count ? i * len : block.count;
	left = block.count - at;
	return (struct coll_part){ block.at + at, left < len ? left : len };
}
