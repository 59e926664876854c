/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_LOSS_MODEL_H
#define RF_RULE_LOSS_MODEL_H

#include "draw.h"
#include "trigger.h"

/* Decisions that are remembered for PSNs that come late; a power of two. */
#define RF_CHAIN_WINDOW	1024

/**
 * struct rf_chain - where a chain of decisions about a flow stands
 * @next: serial of the first PSN that isn't decided on yet
 * @known: how many PSNs before it have been
 * @state: of the Markov models, enum in chain.c
 * @left: PSNs that the present burst still takes
 * @run: hits in a row up to now
 * @last: the last correlated number
 * @hit: decisions about the last RF_CHAIN_WINDOW PSNs, by serial modulo that
 */
struct rf_chain {
	u32 next;
	u32 known;
	u32 state;
	u32 left;
	u32 run;
	u64 last;
	u64 hit[RF_CHAIN_WINDOW / 64];
};

bool rf_chain_is_needed(const struct rf_trigger *trigger);
bool rf_chain_hits(const struct rf_trigger *trigger, struct rf_chain *chain,
		   const struct rf_draw_key *key);

#endif
