/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_H
#define RF_FAULT_H

#include <linux/types.h>

#include "../rule/action.h"
#include "../rule/draw.h"

struct netlink_ext_ack;
struct rf_pkt;
struct rf_rule;
struct rf_dir;
struct rf_skb_cb;
struct sk_buff;

/**
 * enum rf_verdict - what becomes of a packet
 * @RF_PASS: it goes on
 * @RF_DROP: it vanishes, and its sender is told that it went out
 * @RF_DELAYED: it is in the hold of its direction, which owns it now
 */
enum rf_verdict {
	RF_PASS,
	RF_DROP,
	RF_DELAYED,
};

/**
 * struct rf_wait - what a held packet waits for beside its time
 * @asked: it does
 * @distance: so many packets of its flow have passed; 0: @behind has
 * @behind: PSN of a later packet of its flow
 * @within: nanoseconds that it waits at most
 */
struct rf_wait {
	bool asked;
	u32 distance;
	u32 behind;
	u64 within;
};

/**
 * struct rf_ctx - a packet on its way through the rules that hit it
 * @dir: the direction it takes
 * @skb: the packet, which actions change in place
 * @pkt: what it was when it came; actions don't change this
 * @rule: the rule whose actions are being applied
 * @draw: what the draws of @rule for this packet depend on
 * @at: place of the action in @rule
 * @values: what the actions of @rule have drawn, by their place in the rule:
 *	delay: nanoseconds after jitter; corrupt: the offset, with the value in
 *	the upper 32 bits; 0 for the others
 * @end: offset of the end of the ICRC, as actions have left it
 * @delay: nanoseconds that the packet shall be held
 * @came: when it came, in ktime_get_ns(); 0 if no rule seemed to need it
 * @delayed: the packet shall be held, be it for 0 ns
 * @keep_order: and not leave the hold before those that came there before
 * @wait: what else it shall wait for
 * @holder: number of the last rule that wants something held, as the rule
 *	itself may be gone when it is done
 * @copies: copies that shall follow it, by skb->next
 * @last_copy: the last of them, if there are any
 * @ncopies: how many there are
 * @answer: packet that shall go back to its sender
 * @first_rule: number of the first rule that hit the packet, or 0
 * @seq: number of the packet in the trace, 0 if nobody listens
 * @bytes: the packet as it came, from the MAC header on, if it will be told
 * @bytes_len: how many; 0 if they won't
 *
 * Actions say what shall happen outside of the packet, and rf_settle() does
 * it when all rules have been asked.
 */
struct rf_ctx {
	struct rf_dir *dir;
	struct sk_buff *skb;
	const struct rf_pkt *pkt;
	struct rf_rule *rule;
	struct rf_draw_key draw;
	u32 at;
	u64 values[RDMAFAULT_ACTIONS_MAX];
	u32 end;
	u64 delay;
	u64 came;
	bool delayed;
	bool keep_order;
	struct rf_wait wait;
	u32 holder;
	struct sk_buff *copies;
	struct sk_buff *last_copy;
	u32 ncopies;
	struct sk_buff *answer;
	u32 first_rule;
	u64 seq;
	u8 *bytes;
	u32 bytes_len;
};

bool rf_fault_holds(const struct rf_rule *rule);
bool rf_fault_draws(const struct rf_rule *rule);
enum rf_verdict rf_fault_apply(struct rf_ctx *ctx);
void rf_fault_unchanged(struct rf_ctx *ctx);
enum rf_verdict rf_delay(struct rf_dir *dir, struct sk_buff *skb,
			 const struct rf_skb_cb *cb, const struct rf_wait *wait);
enum rf_verdict rf_settle(struct rf_ctx *ctx, enum rf_verdict verdict);

/* One file per action; nak and rnr share theirs. */
enum rf_verdict rf_fault_drop(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_observe(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_delay(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_reorder(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_duplicate(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_corrupt(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_truncate(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_mark(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_rewrite(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_answer(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_blackhole(struct rf_ctx *ctx, const struct rf_action *action);

bool rf_blackhole_swallows(struct rf_dir *dir);
void rf_blackhole_end(struct rf_dir *dir);
void rf_blackhole_orphan(struct rf_dir *dir);

#endif
