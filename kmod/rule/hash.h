/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_HASH_H
#define RF_RULE_HASH_H

#include <linux/types.h>

/*
 * Of the tables that packets fill: random, so that nobody can choose packets that
 * all come to one place. No result depends on it.
 */
extern u32 rf_hash_key;

void rf_hash_init(void);

/**
 * rf_hash - a place in a table that rules fill
 * @value: what is looked for
 * @bits: log2 of the table's places; 1 to 32
 *
 * PSNs and QP numbers count up from anywhere, so what differs may be low bits
 * or high ones: multiplicative hashing (D. Knuth, "The Art of Computer
 * Programming", vol. 3, 6.4), which spreads a row of numbers evenly.
 *
 * Context: any.
 * Return: the place.
 */
static inline u32 rf_hash(u32 value, u32 bits)
{
	return value * 0x9e3779b1u >> (32 - bits);
}

#endif
