/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RAND_H
#define RF_RAND_H

#include <linux/types.h>

/**
 * struct rf_draw_key - all that a random number depends on
 * @base: port, seed, rule and direction: rf_draw_base()
 * @flow: key of the packet's flow, @key64 of struct rf_desc
 * @serial: PSN of the packet, @serial of struct rf_desc
 * @attempt: attempt of the PSN, @draw_attempt of struct rf_desc
 */
struct rf_draw_key {
	u64 base;
	u64 flow;
	u32 serial;
	u32 attempt;
};

/**
 * enum rf_draw_what - what a random number is for
 * @RF_DRAW_CHANCE: the trigger "probability"
 * @RF_DRAW_STATE: a transition between the states of a loss model
 * @RF_DRAW_LOSS: a hit in the state of a loss model
 * @RF_DRAW_START: the state in which a loss model begins
 * @RF_DRAW_LAST: the number before the first one of a correlated probability
 * @RF_DRAW_JITTER: jitter of a delay
 * @RF_DRAW_JITTER_2: jitter of a distribution that needs two numbers
 * @RF_DRAW_UNIT: the bit or byte that is corrupted
 * @RF_DRAW_VALUE: the corrupted value
 * @RF_DRAW_LINK: jitter of a link
 * @RF_DRAW_MARK: a CE mark by an ECN profile
 *
 * Two numbers for the same packet and rule are independent if they have different
 * purposes. The actions of a rule add RF_DRAW_ACTION(index of the action).
 */
enum rf_draw_what {
	RF_DRAW_CHANCE,
	RF_DRAW_STATE,
	RF_DRAW_LOSS,
	RF_DRAW_START,
	RF_DRAW_LAST,
	RF_DRAW_JITTER,
	RF_DRAW_JITTER_2,
	RF_DRAW_UNIT,
	RF_DRAW_VALUE,
	RF_DRAW_LINK,
	RF_DRAW_MARK,
};

#define RF_DRAW_ACTION(index)	(((index) + 1) << 8)

/*
 * The key of hash tables that packets fill. It is random, so that a sender cannot
 * choose packets that all have the same bucket. No result depends on it.
 */
extern u32 rf_hash_key;

void rf_rand_init(void);
u64 rf_draw_port(const char *name);
u64 rf_draw_base(u64 port, u64 seed, u32 rule, u32 direction);
u64 rf_draw(const struct rf_draw_key *key, u32 what);
u64 rf_draw_below(u64 draw, u64 n);
bool rf_chance(u64 draw, u64 p);

/**
 * rf_splitmix64 - add a word to a hash
 * @hash: hash of the words before, 0 at first
 * @word: the word
 *
 * The finalizer of splitmix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014; variant 13 of D. Stafford, "Better
 * Bit Mixing", 2011). It can be inverted, so it protects no secret.
 *
 * Return: the hash.
 */
static inline u64 rf_splitmix64(u64 hash, u64 word)
{
	u64 z = (hash + 0x9e3779b97f4a7c15ULL) ^ word;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

#endif
