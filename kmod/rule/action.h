/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_ACTION_H
#define RF_RULE_ACTION_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/*
 * struct rf_action - one of the things that a rule does to a packet
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
};

#define RF_ACTION_BIT(field)	BIT_ULL(RDMAFAULT_A_ACTION_ ## field)
#define RF_ACTION_HAS(action, field) \
	(!!((action)->set & RF_ACTION_BIT(field)))

#define RF_ECN_CE	3	/* RFC 3168, 5 */

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

#endif
