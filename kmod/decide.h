/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DECIDE_H
#define RF_DECIDE_H

#include "fault/fault.h"

struct rf_flow;
struct rf_opcode;

/* Softirq or BH off */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      struct rf_pkt *pkt, u64 came);
enum rf_verdict rf_decide_next(struct rf_dir *dir, struct sk_buff *skb, const u8 *bth,
			       u32 len, const struct rf_opcode *op, u64 came,
			       const struct rf_flow *flow) __releases(&dir->lock);

/* Softirq or BH off; for packets whose rules are all RF_QUICK_* */
bool rf_quick_triggers(struct rf_rule *rule, const struct rf_flow *flow);
enum rf_verdict rf_quick_mark(struct rf_dir *dir, struct sk_buff *skb,
			      const struct rf_rule *rule, const struct rf_flow *flow);
enum rf_verdict rf_quick_end(struct rf_dir *dir, struct sk_buff *skb, u32 len, u64 came,
			     const struct rf_flow *flow, u64 delay, u32 rule)
	__releases(&dir->lock);

/**
 * rf_decide_count - count a plain packet
 * @dir: the direction
 * @frame: bytes of its frame
 * @len: bytes from the IP header to the ICRC
 * @hit: a rule has hit it
 * @verdict: what the rules have decided
 *
 * Context: softirq or BH off.
 */
static __always_inline void rf_decide_count(struct rf_dir *dir, u32 frame, u32 len,
					    bool hit, enum rf_verdict verdict)
{
	struct rf_stats *s = this_cpu_ptr(dir->stats);

	u64_stats_update_begin(&s->syncp);
	rf_stats_add_roce(s, frame, len);
	if (hit)
		u64_stats_inc(&s->n[RF_STAT_HITS]);
	if (verdict == RF_DROP)
		u64_stats_inc(&s->n[RF_STAT_DROPPED]);
	u64_stats_update_end(&s->syncp);
}

#endif
