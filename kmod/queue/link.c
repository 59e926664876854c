// SPDX-License-Identifier: GPL-2.0
/*
 * A link, as arithmetic: packets go onto the wire one behind the other, each
 * takes as long as its bits need, and arrives when its last bit does.
 *
 *   begin   = when the wire is free and the packet there
 *   end     = begin + bytes * 8 / rate
 *   arrival = end + delay + a draw from 0 to jitter, never before the last one
 *
 * Whoever drives it looks at the clock late: a timer takes its time. A packet
 * that could have begun before that begins then and not now, or each look would
 * cost a piece of the rate. What the division leaves goes to the next packet
 * for the same reason.
 */
#include "../rule/draw.h"
#include "link.h"

#define NS_PER_S	1000000000ULL
/*
 * Beyond this a machine hasn't been late but away, and the link behind it doesn't
 * send a burst to make up for it.
 */
#define CATCH_UP	(10ULL * 1000 * 1000)

/**
 * rf_wire_begin - when the next packet begins
 * @wire: the wire
 * @since: when the packet could have begun, had the wire been free
 * @now: the time, not before @since
 *
 * Context: any.
 * Return: the time.
 */
u64 rf_wire_begin(const struct rf_wire *wire, u64 since, u64 now)
{
	u64 begin = now > CATCH_UP ? now - CATCH_UP : 0;

	if (begin < since)
		begin = since;
	return begin < wire->free_at ? wire->free_at : begin;
}

/* The draws of a link and those of rules have nothing in common but the way. */
static u64 jitter(const struct rf_wire *wire, const struct rf_link_conf *link)
{
	struct rf_draw_key key = {
		.seed = link->seed,
		.serial = (u32)wire->serial,
		.turn = wire->serial >> 32,
	};

	if (!link->jitter)
		return 0;
	return rf_draw_below(rf_draw(&key, RF_DRAW_LINK), link->jitter + 1);
}

static u64 duration(struct rf_wire *wire, u64 rate, u32 bytes)
{
	u64 bits;

	if (!rate)
		return 0;
	/* Of another rate it may be more than one. */
	bits = bytes * 8 * NS_PER_S + (wire->rest < rate ? wire->rest : 0);
	wire->rest = bits % rate;
	return bits / rate;
}

/**
 * rf_wire_send - put a packet onto the wire
 * @wire: the wire
 * @link: what it is like
 * @bytes: of the packet, all that the wire carries for it
 * @begin: what rf_wire_begin() has said
 *
 * Context: any.
 * Return: when the packet is at the other end.
 */
u64 rf_wire_send(struct rf_wire *wire, const struct rf_link_conf *link,
		 u32 bytes, u64 begin)
{
	u64 arrival;

	wire->free_at = begin + duration(wire, link->rate, bytes);
	arrival = wire->free_at + link->delay + jitter(wire, link);
	wire->serial++;
	if (wire->arrival < arrival)
		wire->arrival = arrival;
	return wire->arrival;
}
