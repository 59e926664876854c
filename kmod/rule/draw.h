/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_DRAW_H
#define RF_RULE_DRAW_H

#include "../rocev2/bth.h"

/**
 * struct rf_draw_key - all that a random number depends on
 * @base: seed, rule and direction: rf_draw_base()
 * @flow: key of the packet's flow, struct rf_desc's @key64
 * @serial: relative PSN of the packet; this and the next as in struct rf_desc
 * @turn: its attempt
 */
struct rf_draw_key {
	u64 base;
	u64 flow;
	u32 serial;
	u32 turn;
};

/**
 * enum rf_draw_what - what is drawn for
 * @RF_DRAW_CHANCE: the trigger's chance
 * @RF_DRAW_STATE: a chain's transition
 * @RF_DRAW_LOSS: a hit in the state that the chain is in
 * @RF_DRAW_START: the state that a chain begins in
 * @RF_DRAW_LAST: the number before its first
 * @RF_DRAW_JITTER: a delay
 * @RF_DRAW_JITTER_2: a delay of a distribution that takes two numbers
 * @RF_DRAW_UNIT: which bit or byte
 * @RF_DRAW_VALUE: what becomes of it
 * @RF_DRAW_LINK: how much longer a packet is on the wire
 * @RF_DRAW_MARK: CE by the length of a queue
 *
 * Draws of one packet and rule are independent of one another if this tells
 * them apart. Several actions of one rule add RF_DRAW_ACTION(their index).
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

u64 rf_draw_base(u64 seed, u32 rule, u32 direction);
u64 rf_draw(const struct rf_draw_key *key, u32 what);
u64 rf_draw_below(u64 draw, u64 n);
bool rf_chance(u64 draw, u64 p);

#endif
