/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of a rule, as the attributes of a request give them, and what follows from
 * them alone. The tools and unit tests include this header.
 */
#ifndef RF_RULE_PARAMS_H
#define RF_RULE_PARAMS_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../report.h"
#include "../rocev2/bth.h"

struct rf_draw_key;
struct rf_rule_states;

/*
 * struct rf_match - the packets that a rule matches
 * @set: bit n is set if the attribute n of rdmafault-a-match was given
 * @qps: number of QPs in @qp
 * @qp: destination QPs; a packet to one of them matches
 * @saddr_len: bytes of @saddr, 4 or 16
 * @daddr_len: bytes of @daddr, 4 or 16
 * @saddr: source address
 * @daddr: destination address
 *
 * The other members are the attributes of their names in the specification.
 * rf_match_complete() fills in the upper end of a range that was not given.
 */
struct rf_match {
	u64 set;
	u32 qps;
	u32 qp[RDMAFAULT_QPS_MAX];
	u32 psn;
	u32 psn_max;
	u32 psn_rel;
	u32 psn_rel_max;
	u32 opcode;
	u32 classes;
	u32 positions;
	u32 attempt_min;
	u32 attempt_max;
	u32 step_min;
	u32 step_max;
	u32 syndrome;
	u32 syndrome_mask;
	u32 flow;
	u32 message;
	u32 message_max;
	u32 message_end;
	u32 step_message;
	u32 step_message_max;
	u32 step_message_end;
	u32 packet;
	u32 packet_max;
	u32 priorities;
	u32 dscp;
	u32 ecn;
	u32 saddr_prefix;
	u32 daddr_prefix;
	u32 sport;
	u32 payload;
	u32 payload_max;
	u32 cms;
	u32 saddr_len;
	u32 daddr_len;
	u8 saddr[16];
	u8 daddr[16];
};

#define RF_MATCH_BIT(field)	BIT_ULL(RDMAFAULT_A_MATCH_ ## field)
#define RF_ASKS(match, field)	(!!((match)->set & RF_MATCH_BIT(field)))

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

/*
 * struct rf_action - an action of a rule
 * @set: bit n is set if the attribute n of rdmafault-a-action was given
 * @type: RDMAFAULT_ACTION_*
 * @flags: RDMAFAULT_ACTION_FLAG_*
 *
 * The other members are the attributes of their names in the specification.
 * Times are in nanoseconds, probabilities in units of 10^-12.
 */
struct rf_action {
	u64 set;
	u32 type;
	u32 flags;
	u64 delay;
	u64 jitter;
	u64 jitter_correlation;
	u32 distribution;
	u32 distance;
	u32 behind_psn;
	u32 behind_psn_rel;
	u32 copies;
	u32 unit;
	u32 offset;
	u32 value;
	u32 length;
	u32 ecn;
	u32 not_ect;
	u32 code;
	u32 peer_qp;
	u32 opcode;
	u32 qp;
	u32 psn;
	u32 pkey;
	u32 rkey;
	u32 dma_length;
	u32 syndrome;
	u32 msn;
	u32 dscp;
};

#define RF_ACTION_BIT(field)	BIT_ULL(RDMAFAULT_A_ACTION_ ## field)
#define RF_ACTION_HAS(action, field) \
	(!!((action)->set & RF_ACTION_BIT(field)))

#define RF_ECN_CE	3	/* RFC 3168, 5 */
#define RF_REORDER_WITHIN	100000000ULL

/**
 * rf_reorder_within - get the longest time that a reordered packet waits
 * @action: the action reorder
 *
 * Return: nanoseconds.
 */
static inline u64 rf_reorder_within(const struct rf_action *action)
{
	return RF_ACTION_HAS(action, DELAY) ? action->delay : RF_REORDER_WITHIN;
}

/**
 * rf_mark_ecn - what the action mark writes into the ECN field
 * @action: the action
 *
 * Return: the value; by default CE.
 */
static inline u32 rf_mark_ecn(const struct rf_action *action)
{
	return RF_ACTION_HAS(action, ECN) ? action->ecn : RF_ECN_CE;
}

/**
 * rf_mark_choice - what the action mark does with a packet
 * @action: the action
 * @ecn: ECN field of the packet
 *
 * CE marks only packets of ECN-capable transports. For other packets, the action
 * says what is done.
 *
 * Return: RDMAFAULT_NOT_ECT_MARK, _LEAVE or _DROP.
 */
static inline u32 rf_mark_choice(const struct rf_action *action, u32 ecn)
{
	if (rf_mark_ecn(action) != RF_ECN_CE || ecn)
		return RDMAFAULT_NOT_ECT_MARK;
	return action->not_ect;
}

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

/* match.c */
void rf_match_complete(struct rf_match *match);
bool rf_match_names_qp(const struct rf_match *match, u32 qp);
bool rf_match_asks_ordinals(const struct rf_match *match);
bool rf_match_is_empty(const struct rf_match *match);
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc);

/* trigger.c */
bool rf_trigger_draws(const struct rf_trigger *trigger);
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_rule_counters *counters,
		      struct rf_rule_states *states, const struct rf_trigger_ctx *ctx);

/* validate.c */
void rf_trigger_complete(struct rf_trigger *trigger);
const struct rf_invalid *rf_match_validate(const struct rf_match *match);
const struct rf_invalid *rf_trigger_validate(const struct rf_trigger *trigger);
const struct rf_invalid *rf_action_validate(const struct rf_action *action);
const struct rf_invalid *rf_actions_validate(const struct rf_action *action, u32 count,
					     u32 *at);
const struct rf_invalid *rf_actions_fit(const struct rf_action *action, u32 count,
					u64 max_hold);
const struct rf_invalid *rf_rule_validate(const struct rf_match *match,
					  const struct rf_trigger *trigger,
					  const struct rf_action *action, u32 flags,
					  u64 expires);

#endif
