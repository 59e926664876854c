/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_SKB_CB_H
#define RF_FAULT_SKB_CB_H

#include <linux/build_bug.h>
#include <linux/skbuff.h>

#include "../trace.h"

struct delayq_waiter;

/**
 * struct rf_skb_cb - what the delay queue keeps in skb->cb of a packet
 * @release: when the packet is due, in ktime_get_ns()
 * @came: when it arrived at the hook, in ktime_get_ns()
 * @flow: number of its flow; 0 if the packet releases no waiting packets, because
 *	it is untracked, a copy, or has been reordered itself
 * @waiter: replaces @flow while the packet waits for other packets
 * @seq: number of the packet in the trace, 0 if no tracepoint was enabled
 * @len: bytes from the IP header to the ICRC
 * @keep_order: do not release it before packets that were enqueued earlier
 * @waits: @waiter is valid
 * @arrival: orders packets that are due at the same time; it wraps around
 * @rule: number of the rule that delays the packet
 * @psn: PSN on arrival, before any action
 * @attempt: attempt
 * @qp: destination QP on arrival
 * @opcode: opcode on arrival
 *
 * The core and qdiscs use skb->cb before and after the delay queue, not while the
 * packet is in it. dev_queue_xmit() sets what a qdisc needs; code that passes the
 * packet to a qdisc without it must set that.
 */
struct rf_skb_cb {
	u64 release;
	u64 came;
	union {
		u64 flow;
		struct delayq_waiter *waiter;
	};
	u64 seq : 45;
	u64 len : 17;
	u64 keep_order : 1;
	u64 waits : 1;
	u32 arrival;
	u32 rule;
	u32 psn : 24;
	u32 attempt : 8;
	u32 qp : 24;
	u32 opcode : 8;
};

static_assert(sizeof(struct rf_skb_cb) <= sizeof_field(struct sk_buff, cb));

static inline struct rf_skb_cb *rf_skb_cb(const struct sk_buff *skb)
{
	return (struct rf_skb_cb *)skb->cb;
}

/**
 * rf_skb_cb_label - what the tracepoints of the delay queue show of a packet
 * @cb: the state of the packet
 *
 * Return: the label.
 */
static inline struct rf_label rf_skb_cb_label(const struct rf_skb_cb *cb)
{
	return (struct rf_label){
		.seq = cb->seq,
		.rule = cb->rule,
		.qp = cb->qp,
		.psn = cb->psn,
		.opcode = cb->opcode,
		.attempt = cb->attempt,
		.len = cb->len,
	};
}

#endif
