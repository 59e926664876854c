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

#endif
