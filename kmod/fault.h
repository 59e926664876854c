/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_H
#define RF_FAULT_H

#include <linux/types.h>

#include "action.h"
#include "draw.h"

struct rf_pkt;
struct rf_rule;
struct rf_side;
struct sk_buff;

/**
 * enum rf_verdict - what becomes of a packet
 * @RF_PASS: it goes on
 * @RF_DROP: it vanishes, and its sender is told that it went out
 */
enum rf_verdict {
	RF_PASS,
	RF_DROP,
};

/**
 * struct rf_job - a packet on its way through the rules that hit it
 * @side: the direction it takes
 * @skb: the packet, which actions change in place
 * @pkt: what it was when it came; actions don't change this
 * @rule: the rule whose actions are being applied
 * @values: what the actions of @rule have drawn, by their place in the rule:
 *	delay: nanoseconds after jitter; corrupt: the offset, with the value in
 *	the upper 32 bits; 0 for the others
 * @first_rule: number of the first rule that hit the packet, or 0
 * @seq: number of the packet in the trace, 0 if nobody listens
 * @bytes: the packet as it came, from the MAC header on, if it will be told
 * @bytes_len: how many; 0 if they won't
 * @draw: what its draws for this packet depend on
 */
struct rf_job {
	struct rf_side *side;
	struct sk_buff *skb;
	const struct rf_pkt *pkt;
	struct rf_rule *rule;
	u64 values[RDMAFAULT_ACTIONS_MAX];
	u32 first_rule;
	u64 seq;
	u8 *bytes;
	u32 bytes_len;
	struct rf_draw_key draw;
};

bool rf_fault_is_known(u32 type);
enum rf_verdict rf_fault_apply(struct rf_job *job);

/* One file per action. */
enum rf_verdict rf_fault_drop(struct rf_job *job, const struct rf_action *action);
enum rf_verdict rf_fault_watch(struct rf_job *job, const struct rf_action *action);

#endif
