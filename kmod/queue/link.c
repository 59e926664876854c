// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of a link. It sends one packet after the other, at its rate. A
 * packet arrives when its last bit arrives.
 *
 *   begin   = when the link is free and the packet can be sent
 *   end     = begin + bytes * 8 / rate
 *   arrival = end + delay + a random time of 0 to jitter, and not before the
 *             packet that was sent before it
 *
 * Timers run late. A packet that could have begun before the present begins at
 * that earlier time, because otherwise each late timer would reduce the rate.
 * The remainder of the division is added to the next packet for the same reason.
 */
#include "../rand.h"
#include "link.h"

#define NS_PER_S	1000000000ULL
/*
 * The longest delay of a timer, in nanoseconds, that the link makes up for. After
 * a longer one, for example of a suspended machine, there is no burst.
 */
#define CATCH_UP	(10ULL * 1000 * 1000)

/**
 * rf_link_begin - compute when the link begins to send a packet
 * @state: the state of the link
 * @eligible: when the packet could have been sent if the link had been free
 * @now: the time, not before @eligible
 *
 * Return: the time.
 */
u64 rf_link_begin(const struct rf_link_state *state, u64 eligible, u64 now)
{
	u64 begin = now > CATCH_UP ? now - CATCH_UP : 0;

	if (begin < eligible)
		begin = eligible;
	return begin < state->free_at ? state->free_at : begin;
}

/* These draws are independent of the draws of rules. */
static u64 jitter(const struct rf_link_state *state, const struct rf_link_conf *link)
{
	struct rf_draw_key key = {
		.base = rf_draw_base(link->seed, 0, 0),
		.serial = (u32)state->serial,
		.attempt = state->serial >> 32,
	};

	if (!link->jitter)
		return 0;
	return rf_draw_below(rf_draw(&key, RF_DRAW_LINK), link->jitter + 1);
}

static u64 duration(struct rf_link_state *state, u64 rate, u32 bytes)
{
	u64 bits;

	if (!rate)
		return 0;
	/* If the rate has changed, the remainder can be larger than the rate. */
	bits = bytes * 8 * NS_PER_S + (state->rest < rate ? state->rest : 0);
	state->rest = bits % rate;
	return bits / rate;
}

/**
 * rf_link_send - send a packet over a link
 * @state: the state of the link
 * @link: its configuration
 * @bytes: length of the packet with the overhead of the link
 * @begin: the time that rf_link_begin() returned
 *
 * Return: when the packet arrives at the other end.
 */
u64 rf_link_send(struct rf_link_state *state, const struct rf_link_conf *link,
		 u32 bytes, u64 begin)
{
	u64 arrival;

	state->free_at = begin + duration(state, link->rate, bytes);
	arrival = state->free_at + link->delay + jitter(state, link);
	state->serial++;
	if (state->arrival < arrival)
		state->arrival = arrival;
	return state->arrival;
}
