// SPDX-License-Identifier: GPL-2.0
/*
 * What the algorithms share: cutting vectors.
 *
 * Why no plan can come to a standstill: take the acts of all ranks in some one
 * order in which each message is taken before @window more of its pair are
 * sent. If there is such an order, then every order of doing them ends, since
 * an act waits only for one other rank's acts, which nothing can take back. So
 * each algorithm needs no more than one such order; its essay says which.
 */
#include "algo.h"

/** cp_share() - the @i th of @parts parts of @count elements, nearly equal */
struct cp_part cp_share(uint64_t count, int parts, int i)
{
	uint64_t each = count / (uint64_t)parts, more = count % (uint64_t)parts;
	uint64_t nth = (uint64_t)i;

	return (struct cp_part){
		.at = nth * each + (nth < more ? nth : more),
		.count = each + (nth < more),
	};
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return a / b + !!(a % b);
}

/**
 * cp_stream() - how to cut blocks of at most @block elements
 * @s: what the plan is made for
 * @block: of the longest block
 * @ahead: messages that may be sent ahead, at least 1
 *
 * Return: as many pieces as fill rounds of up to @ahead of them.
 */
struct cp_stream cp_stream(const struct cp_shape *s, uint64_t block,
			   uint64_t ahead)
{
	uint64_t pieces = divide_up(block, s->piece), rounds;

	if (!pieces)
		pieces = 1;
	rounds = divide_up(pieces, ahead);
	return (struct cp_stream){
		.pieces = rounds * divide_up(pieces, rounds),
		.ahead = divide_up(pieces, rounds),
		.most = s->piece,
	};
}

/** cp_piece() - the @i th piece of @block; it can be empty */
struct cp_part cp_piece(const struct cp_stream *st, struct cp_part block,
			uint64_t i)
{
	uint64_t len = divide_up(block.count, st->pieces);
	uint64_t at, left;

	len = divide_up(len, CP_GRAIN) * CP_GRAIN;
	if (len > st->most)
		len = st->most;
	at = i * len < block.count ? i * len : block.count;
	left = block.count - at;
	return (struct cp_part){ block.at + at, left < len ? left : len };
}
