// SPDX-License-Identifier: GPL-2.0
/*
 * Keyed randomness: a draw is a pure function of the rule's seed and key and
 * of the packet's flow, direction, relative PSN and attempt. No state is shared,
 * so neither other traffic nor timing nor the number of CPUs can move it.
 *
 */
#include <linux/math64.h>
#include <uapi/rdmafault/rdmafault.h>

#include "draw.h"
#include "mix.h"

/**
 * rf_draw_base - the part of random numbers that is the same for all packets
 * @seed: seed of the rule
 * @rule: key of the rule
 * @direction: RDMAFAULT_DIRECTION_*
 *
 * Context: any.
 * Return: what goes into struct rf_draw_key.
 */
u64 rf_draw_base(u64 seed, u32 rule, u32 direction)
{
	return rf_mix(rf_mix(0, seed), (u64)rule << 32 | direction);
}

/**
 * rf_draw - draw a number
 * @key: what it depends on
 * @what: enum rf_draw_what; tells draws of one packet and rule apart
 *
 * Context: any.
 * Return: 64 bits, each as likely 0 as 1.
 */
u64 rf_draw(const struct rf_draw_key *key, u32 what)
{
	u64 hash = rf_mix(key->base, key->flow);

	hash = rf_mix(hash, (u64)key->serial << 32 | key->turn);
	return rf_mix(hash, what);
}

/**
 * rf_draw_below - make a number from 0 to n - 1 of a draw
 * @draw: the draw
 * @n: how many numbers there are to choose from, at least 1
 *
 * Context: any.
 * Return: the number; none is likelier than another by more than n / 2^64.
 */
u64 rf_draw_below(u64 draw, u64 n)
{
	return mul_u64_u64_shr(draw, n, 64);
}

/**
 * rf_chance - decide with a probability
 * @draw: the draw
 * @p: the probability in units of 10^-12; RDMAFAULT_PROBABILITY_ONE is always
 *
 * Context: any.
 * Return: true with probability @p.
 */
bool rf_chance(u64 draw, u64 p)
{
	return rf_draw_below(draw, RDMAFAULT_PROBABILITY_ONE) < p;
}
