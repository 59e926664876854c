/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_TRIGGER_H
#define RF_RULE_TRIGGER_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../rocev2/bth.h"

struct rf_draw_key;
struct rf_rule_states;

/*
 * struct rf_trigger - when a matching packet is hit
 * @set: bit n is set if the attribute n of rdmafault-a-trigger was given
 *
 * The other members are the attributes of their names in the specification.
 * Times are in nanoseconds, probabilities in units of 10^-12.
 */
struct rf_trigger {
	u64 set;
	u32 nth;
	u32 every;
	u32 after;
	u32 count;
	u32 once;
	u32 burst;
	u32 burst_max;
	u64 from;
	u64 duration;
	u64 probability;
	u64 correlation;
	u64 ge_p;
	u64 ge_r;
	u64 ge_bad;
	u64 ge_good;
	u64 p13;
	u64 p31;
	u64 p32;
	u64 p23;
	u64 p14;
};

#define RF_TRIGGER_BIT(field)	BIT_ULL(RDMAFAULT_A_TRIGGER_ ## field)
#define RF_TRIGGER_HAS(trigger, field) \
	(!!((trigger)->set & RF_TRIGGER_BIT(field)))

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
 * struct rf_tally - the counters of a rule
 * @matched: packets that matched
 * @hits: packets that were hit
 * @bytes: bytes of the packets that were hit
 * @missed: packets that matched and were not hit, by enum rf_miss
 * @unanswered: packets that were hit and for which no response could be forged
 * @unchanged: packets that were hit and could not be changed
 */
struct rf_tally {
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

void rf_trigger_complete(struct rf_trigger *trigger);
bool rf_trigger_draws(const struct rf_trigger *trigger);
bool rf_trigger_has_window(const struct rf_trigger *trigger);
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_tally *tally,
		      struct rf_rule_states *states, const struct rf_trigger_ctx *ctx);

#endif
