/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_TRIGGER_H
#define RF_RULE_TRIGGER_H

#include <linux/types.h>

#include "../rocev2/bth.h"
#include "params.h"

struct rf_draw_key;
struct rf_rule_states;

/* Why a packet that matched was not hit; in the order of rdmafault-a-missed */
enum rf_miss {
	RF_MISS_WINDOW,
	RF_MISS_ORDER,
	RF_MISS_CHANCE,
	RF_MISS_ONCE,
	RF_MISS_COUNT,
	RF_MISSES,
};

/**
 * struct rf_rule_counters - the counters of a rule
 * @matched: packets that matched
 * @hits: packets that were hit
 * @bytes: bytes of the packets that were hit
 * @missed: packets that matched and were not hit, by enum rf_miss
 * @unanswered: packets that were hit and for which no response could be forged
 * @unchanged: packets that were hit and could not be changed
 */
struct rf_rule_counters {
	u64 matched;
	u64 hits;
	u64 bytes;
	u64 missed[RF_MISSES];
	u64 unanswered;
	u64 unchanged;
};

/**
 * struct rf_trigger_ctx - a packet that matches the rule
 * @desc: the packet
 * @draw: the key of its random numbers
 * @age: age of the rule in nanoseconds; 0 if the trigger does not depend on time
 */
struct rf_trigger_ctx {
	const struct rf_desc *desc;
	const struct rf_draw_key *draw;
	u64 age;
};

/**
 * rf_trigger_has_window - test whether a trigger depends on time
 * @trigger: the trigger
 *
 * Return: true if it needs @age of struct rf_trigger_ctx.
 */
static inline bool rf_trigger_has_window(const struct rf_trigger *trigger)
{
	return trigger->set & (RF_TRIGGER_BIT(FROM) | RF_TRIGGER_BIT(FOR));
}

bool rf_trigger_draws(const struct rf_trigger *trigger);
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_rule_counters *counters,
		      struct rf_rule_states *states, const struct rf_trigger_ctx *ctx);

#endif
