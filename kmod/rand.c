// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers. Faults use keyed numbers: a number is a pure function of the port's
 * name, of the rule's seed and key, and of the packet's flow, direction, relative PSN
 * and attempt. There
 * is no shared state, so the same packets are hit in every run, whatever the other
 * traffic, the timing and the number of CPUs.
 */
#include <linux/math64.h>
#include <linux/random.h>
#include <uapi/rdmafault/rdmafault.h>

#include "rand.h"

u32 rf_hash_key;

/**
 * rf_rand_init - choose the key of hash tables
 *
 * Context: module init, before the first packet.
 */
void rf_rand_init(void)
{
	rf_hash_key = get_random_u32();
}

/**
 * rf_draw_port - hash the name of a port
 * @name: the name
 *
 * Return: @port for rf_draw_base().
 */
u64 rf_draw_port(const char *name)
{
	u64 hash = 0;

	while (*name)
		hash = rf_splitmix64(hash, (u8)*name++);
	return hash;
}

/**
 * rf_draw_base - combine what is the same for all packets of a rule
 * @port: rf_draw_port() of the port's name
 * @seed: seed of the rule
 * @rule: key of the rule
 * @direction: RDMAFAULT_DIRECTION_*
 *
 * Return: @base of struct rf_draw_key.
 */
u64 rf_draw_base(u64 port, u64 seed, u32 rule, u32 direction)
{
	return rf_splitmix64(rf_splitmix64(port, seed), (u64)rule << 32 | direction);
}

/**
 * rf_draw - get a random number
 * @key: what the number depends on
 * @what: what it is for, enum rf_draw_what
 *
 * Return: 64 random bits.
 */
u64 rf_draw(const struct rf_draw_key *key, u32 what)
{
	u64 hash = rf_splitmix64(key->base, key->flow);

	hash = rf_splitmix64(hash, (u64)key->serial << 32 | key->attempt);
	return rf_splitmix64(hash, what);
}

/**
 * rf_draw_below - scale a random number to the range from 0 to n - 1
 * @draw: the random number
 * @n: the number of values, at least 1
 *
 * Return: the value; the probabilities of two values differ by at most n / 2^64.
 */
u64 rf_draw_below(u64 draw, u64 n)
{
	return mul_u64_u64_shr(draw, n, 64);
}

/**
 * rf_chance - decide with a probability
 * @draw: a random number
 * @p: the probability in units of 10^-12; RDMAFAULT_PROBABILITY_ONE is 1
 *
 * Return: true with probability @p.
 */
bool rf_chance(u64 draw, u64 p)
{
	return rf_draw_below(draw, RDMAFAULT_PROBABILITY_ONE) < p;
}
