/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_LOSS_MODEL_H
#define RF_RULE_LOSS_MODEL_H

#include "../rand.h"
#include "params.h"

/* Number of decisions that are kept for late PSNs; a power of two */
#define RF_LOSS_MODEL_WINDOW	1024

/**
 * struct rf_loss_model - the state of a loss model
 * @next: serial number of the next PSN
 * @known: number of PSNs before @next with a decision in @hit
 * @state: state of the Markov models
 * @left: number of PSNs that the current burst still hits
 * @run: number of consecutive hits before @next
 * @last: the last correlated number
 * @hit: the decisions, by serial number modulo RF_LOSS_MODEL_WINDOW
 */
struct rf_loss_model {
	u32 next;
	u32 known;
	u32 state;
	u32 left;
	u32 run;
	u64 last;
	u64 hit[RF_LOSS_MODEL_WINDOW / 64];
};

bool rf_loss_model_is_needed(const struct rf_trigger *trigger);
bool rf_loss_model_hits(const struct rf_trigger *trigger, struct rf_loss_model *chain,
			const struct rf_draw_key *key);

#endif
