/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_H
#define RF_FAULT_H

#include <linux/types.h>

#include "../rule/params.h"
#include "../dir.h"
#include "../rand.h"
#include "../trace.h"

struct rf_headers;
struct rf_pkt;
struct rf_rule;
struct sk_buff;

/**
 * enum rf_verdict - the result of the rules for a packet
 * @RF_PASS: the packet goes on
 * @RF_DROP: the packet is dropped, and its sender sees that it was sent
 * @RF_DELAYED: the delay queue of the direction owns the packet
 * @RF_UNDECIDED: the rules were not evaluated, and the packet goes on
 */
enum rf_verdict {
	RF_PASS,
	RF_DROP,
	RF_DELAYED,
	RF_UNDECIDED,
};

/**
 * struct rf_ctx - a packet and the results of the rules that have hit it
 * @dir: the direction
 * @skb: the packet, which actions change in place
 * @pkt: the packet as it arrived; actions don't change this
 * @rule: the rule whose actions are applied
 * @draw: key of the random numbers of @rule for this packet
 * @at: index of the action in @rule
 * @values: the random values of the actions of @rule, by index: for delay,
 *	nanoseconds with jitter; for corrupt, the offset, with the value in the
 *	upper 32 bits; 0 for the others
 * @unchanged: bits of the actions of @rule that could not change the packet, by index
 * @end: offset of the end of the ICRC, after the actions so far
 * @delay: sum of the delays, in nanoseconds
 * @came: when the packet arrived, in ktime_get_ns(); 0 if no rule needed it
 * @delayed: the packet is to be delayed, perhaps by 0 ns
 * @keep_order: it must not leave the delay queue before packets that were
 *	enqueued earlier
 * @wait: the packets that it waits for
 * @holder: number of the last rule that delays the packet or a copy; the rule can
 *	be deleted before the packet is enqueued
 * @copies: copies that follow the packet, linked by skb->next
 * @last_copy: the last copy, valid if there are copies
 * @ncopies: number of copies
 * @reply: a packet for the sender of the packet
 * @first_rule: number of the first rule that has hit the packet, or 0
 * @frame: the packet as it arrived, for the trace
 *
 * Actions change the packet. What they do outside of it is recorded here, and is done
 * after all rules.
 */
struct rf_ctx {
	struct rf_dir *dir;
	struct sk_buff *skb;
	const struct rf_pkt *pkt;
	struct rf_rule *rule;
	struct rf_draw_key draw;
	u32 at;
	u64 values[RDMAFAULT_ACTIONS_MAX];
	u32 unchanged;
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
	struct sk_buff *reply;
	u32 first_rule;
	struct rf_trace_frame frame;
};

/**
 * struct rf_reply - a packet for the sender of a packet
 * @opcode: its opcode
 * @qp: its destination QP, the QP of the sender
 * @psn: its PSN
 * @becn: BECN is set
 * @headers: what follows the BTH
 * @len: bytes of @headers
 * @dscp: its DSCP, with an ECN field of 0; negative: DSCP and ECN are those of the packet
 */
struct rf_reply {
	u8 opcode;
	u32 qp;
	u32 psn;
	bool becn;
	const u8 *headers;
	u32 len;
	int dscp;
};

/* fault.c: softirq or BH off, under the lock of the direction */
enum rf_verdict rf_fault_apply(struct rf_ctx *ctx);
void rf_fault_unchanged(struct rf_ctx *ctx);

/* fault.c */
bool rf_blackhole_takes(struct rf_dir *dir, u64 until);
void rf_blackhole_end(struct rf_dir *dir);
void rf_blackhole_end_unused(struct rf_dir *dir);

/* corrupt.c, rewrite.c and nak.c: actions, as rf_fault_apply() */
enum rf_verdict rf_fault_corrupt(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_rewrite(struct rf_ctx *ctx, const struct rf_action *action);
enum rf_verdict rf_fault_nak(struct rf_ctx *ctx, const struct rf_action *action);

/* reply.c: softirq or BH off */
bool rf_reply_make(struct rf_ctx *ctx, const struct rf_reply *reply);
/* reply.c: softirq or BH off, no lock of the module held */
void rf_reply_send(struct rf_ctx *ctx);

/* jitter.c */
u64 rf_jitter(const struct rf_action *action, const struct rf_draw_key *key,
	      u32 at);

/* decide.c, which applies the faults: softirq or BH off */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      const struct rf_headers *headers, u64 came);

/**
 * rf_blackhole_drops - test whether a blackhole drops a packet, and count the packet
 * @dir: the direction
 *
 * Context: softirq or BH off.
 * Return: true if it does.
 */
static inline bool rf_blackhole_drops(struct rf_dir *dir)
{
	u64 until = READ_ONCE(dir->blackhole_until);

	return unlikely(until) && rf_blackhole_takes(dir, until);
}

#endif
