// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of rules. The actions of a rule are applied in their order, until one
 * consumes the packet. An action that changes the packet does so at once. What it does
 * outside of the packet (delay, copies, a forged NAK) is recorded in struct rf_ctx, and
 * is done after all rules.
 */
#include <linux/build_bug.h>
#include <linux/if_ether.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../compat/qdisc.h"
#include "../rocev2/rocev2.h"
#include "../rule/rule.h"
#include "fault.h"

/*
 * The most copies of one packet, for all of its rules together, because copies are made
 * under a lock: twice the number that one rule can make.
 */
#define COPIES_MAX	256

/* The packet is lost. The hooks drop it silently, see hook.c. */
static enum rf_verdict fault_drop(struct rf_ctx *ctx, const struct rf_action *action)
{
	return RF_DROP;
}

/* No fault, but the hit is counted and traced: for a control run with the same rules. */
static enum rf_verdict fault_observe(struct rf_ctx *ctx, const struct rf_action *action)
{
	return RF_PASS;
}

/* The delays of several rules add up, as those of several links do, up to max-hold. */
static enum rf_verdict fault_delay(struct rf_ctx *ctx, const struct rf_action *action)
{
	u64 delay = action->delay;

	if (action->jitter)
		delay = rf_jitter(action, &ctx->draw, ctx->at);
	delay = min(delay, READ_ONCE(ctx->dir->max_hold));
	ctx->values[ctx->at] = delay;
	ctx->delay += delay;
	ctx->delayed = true;
	ctx->holder = ctx->rule->id;
	if (action->flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER)
		ctx->keep_order = true;
	return RF_PASS;
}

/*
 * The packet waits until a number of later packets of its flow have passed, or until
 * the packet with a given PSN has passed, but no longer than a time limit.
 */
static enum rf_verdict fault_reorder(struct rf_ctx *ctx, const struct rf_action *action)
{
	const struct rf_desc *desc = &ctx->pkt->desc;
	struct rf_wait *wait = &ctx->wait;

	ctx->delayed = true;
	ctx->holder = ctx->rule->id;
	wait->active = true;
	wait->within = ctx->delay + rf_reorder_within(action);
	wait->distance = action->distance;
	if (RF_ACTION_HAS(action, BEHIND_PSN_REL))
		wait->behind = desc->psn - desc->psn_rel + action->behind_psn_rel;
	else
		wait->behind = action->behind_psn;
	return RF_PASS;
}

static void ctx_add_copy(struct rf_ctx *ctx, struct sk_buff *copy)
{
	copy->next = NULL;
	if (ctx->copies)
		ctx->last_copy->next = copy;
	else
		ctx->copies = copy;
	ctx->last_copy = copy;
	ctx->ncopies++;
}

/*
 * Copy the packet, with the changes of earlier actions and without those of later ones.
 * Rules are not evaluated for copies.
 */
static enum rf_verdict fault_duplicate(struct rf_ctx *ctx, const struct rf_action *action)
{
	u32 copies = RF_ACTION_HAS(action, COPIES) ? action->copies : 1;
	u32 room = COPIES_MAX - ctx->ncopies;
	struct sk_buff *copy;

	if (copies > room) {
		rf_stats_add(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL, copies - room);
		copies = room;
	}
	ctx->holder = ctx->rule->id;
	while (copies--) {
		copy = skb_clone(ctx->skb, GFP_ATOMIC | __GFP_NOWARN);
		if (!copy) {
			rf_fault_unchanged(ctx);
			break;
		}
		rf_skb_cb(copy)->release = ctx->delay + action->delay;
		ctx_add_copy(ctx, copy);
	}
	return RF_PASS;
}

/* Shorten the payload. Return: false if the packet is unchanged, and counted so. */
static bool shorten(struct rf_ctx *ctx, u32 payload)
{
	u32 end = 0;

	if (payload < ctx->pkt->desc.payload && ctx->end == ctx->pkt->end)
		end = rf_mangle_truncate(ctx->skb, ctx->pkt, ctx->end, payload);
	if (!end) {
		rf_fault_unchanged(ctx);
		return false;
	}
	/* If this fails, receivers take the rest for the padding of a short frame. */
	if (!pskb_trim(ctx->skb, end) && ctx->dir->direction == RF_TX)
		rf_qdisc_frame_cut(ctx->skb, ctx->end - end);
	ctx->end = end;
	return true;
}

/*
 * With its old ICRC the shorter packet is damaged; with a valid ICRC it is a packet that
 * its sender has built wrongly.
 */
static enum rf_verdict fault_truncate(struct rf_ctx *ctx, const struct rf_action *action)
{
	if (!shorten(ctx, action->length))
		return RF_PASS;
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		rf_mangle_icrc(ctx->skb, ctx->pkt, ctx->end);
	rf_stats_inc(ctx->dir->stats, RF_STAT_TRUNCATED);
	return RF_PASS;
}

/*
 * A switch without buffer for a packet sends its start, in another queue, instead of
 * dropping it. A trimmed packet is valid; its DSCP tells the receiver that it was trimmed.
 */
static enum rf_verdict fault_trim(struct rf_ctx *ctx, const struct rf_action *action)
{
	if (!shorten(ctx, action->length))
		return RF_PASS;
	if (RF_ACTION_HAS(action, DSCP))
		rf_mangle_dscp(ctx->skb, ctx->pkt, action->dscp);
	rf_mangle_icrc(ctx->skb, ctx->pkt, ctx->end);
	rf_stats_inc(ctx->dir->stats, RF_STAT_TRIMMED);
	return RF_PASS;
}

/*
 * Set the ECN field of the IP header, as a congested switch does (RFC 3168, 5). The ICRC
 * does not cover this field, so it stays valid. What the action does depends on the
 * field as earlier actions have left it, as at a later switch.
 */
static enum rf_verdict fault_mark(struct rf_ctx *ctx, const struct rf_action *action)
{
	__be16 protocol = htons(ctx->pkt->desc.addr_len == 4 ? ETH_P_IP : ETH_P_IPV6);
	u32 ecn = rf_ecn_get(ctx->skb, ctx->pkt->ip, protocol);

	switch (rf_mark_choice(action, ecn)) {
	case RDMAFAULT_NOT_ECT_LEAVE:
		rf_fault_unchanged(ctx);
		return RF_PASS;
	case RDMAFAULT_NOT_ECT_DROP:
		return RF_DROP;
	}
	if (rf_ecn_set(ctx->skb, ctx->pkt->ip, protocol, rf_mark_ecn(action)))
		rf_stats_inc(ctx->dir->stats, RF_STAT_MARKED);
	else
		rf_fault_unchanged(ctx);
	return RF_PASS;
}

/* A blackhole that lasts longer stays. */
static void blackhole_begin(struct rf_dir *dir, u64 until)
{
	u64 old = READ_ONCE(dir->blackhole_until);

	while (old < until && !try_cmpxchg64(&dir->blackhole_until, &old, until))
		;
	set_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
}

/* The other direction can begin another blackhole at the same time. */
static void blackhole_clear_need(struct rf_dir *dir)
{
	clear_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
	/* Pairs with try_cmpxchg64() in blackhole_begin(), which is before set_bit(). */
	smp_mb__after_atomic();
	if (READ_ONCE(dir->blackhole_until))
		set_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
}

/*
 * A link that goes down and comes back, without a change of its carrier: the sender
 * would see the carrier, and so would other protocols. For a time, all RoCEv2 packets
 * of the direction, or of both directions, are dropped.
 */
static enum rf_verdict fault_blackhole(struct rf_ctx *ctx, const struct rf_action *action)
{
	u64 until = ktime_get_ns() + action->delay;

	blackhole_begin(ctx->dir, until);
	if (action->flags & RDMAFAULT_ACTION_FLAG_BOTH)
		blackhole_begin(ctx->dir->other, until);
	rf_stats_inc(ctx->dir->stats, RF_STAT_BLACKHOLED);
	return RF_DROP;
}

/**
 * rf_blackhole_takes - test whether a blackhole drops a packet, and count the packet
 * @dir: the direction
 * @until: when its blackhole ends, in ktime_get_ns()
 *
 * Context: softirq or BH off.
 * Return: true if it does; false if the blackhole is over.
 */
bool rf_blackhole_takes(struct rf_dir *dir, u64 until)
{
	if (ktime_get_ns() >= until) {
		/* Fails if the other direction has begun another blackhole. */
		cmpxchg64(&dir->blackhole_until, until, 0);
		blackhole_clear_need(dir);
		return false;
	}
	rf_stats_inc(dir->stats, RF_STAT_BLACKHOLED);
	rf_stats_inc(dir->stats, RF_STAT_DROPPED);
	return true;
}

/**
 * rf_blackhole_end - end the blackhole of a direction
 * @dir: the direction
 */
void rf_blackhole_end(struct rf_dir *dir)
{
	WRITE_ONCE(dir->blackhole_until, 0);
	blackhole_clear_need(dir);
}

/**
 * rf_blackhole_end_unused - end the blackholes of directions without rules
 * @dir: a direction without rules; the other one can have rules
 *
 * Context: process, rf_ports_lock held.
 */
void rf_blackhole_end_unused(struct rf_dir *dir)
{
	rf_blackhole_end(dir);
	if (!rcu_access_pointer(dir->other->rules))
		rf_blackhole_end(dir->other);
}

/* By RDMAFAULT_ACTION_* */
static enum rf_verdict (*const faults[])(struct rf_ctx *ctx,
					 const struct rf_action *action) = {
	[RDMAFAULT_ACTION_DROP] = fault_drop,
	[RDMAFAULT_ACTION_OBSERVE] = fault_observe,
	[RDMAFAULT_ACTION_DELAY] = fault_delay,
	[RDMAFAULT_ACTION_REORDER] = fault_reorder,
	[RDMAFAULT_ACTION_DUPLICATE] = fault_duplicate,
	[RDMAFAULT_ACTION_CORRUPT] = rf_fault_corrupt,
	[RDMAFAULT_ACTION_TRUNCATE] = fault_truncate,
	[RDMAFAULT_ACTION_MARK] = fault_mark,
	[RDMAFAULT_ACTION_REWRITE] = rf_fault_rewrite,
	[RDMAFAULT_ACTION_NAK] = rf_fault_nak,
	[RDMAFAULT_ACTION_RNR] = rf_fault_nak,
	[RDMAFAULT_ACTION_BLACKHOLE] = fault_blackhole,
	[RDMAFAULT_ACTION_TRIM] = fault_trim,
};

/* The netlink policy accepts each number of the specification. */
static_assert(ARRAY_SIZE(faults) == RDMAFAULT_ACTION_MAX + 1);

/**
 * rf_fault_unchanged - count a packet that an action could not change
 * @ctx: the packet
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_fault_unchanged(struct rf_ctx *ctx)
{
	rf_stats_inc(ctx->dir->stats, RF_STAT_UNCHANGED);
	ctx->rule->counters.unchanged++;
	ctx->unchanged |= BIT(ctx->at);
}

/**
 * rf_fault_apply - apply the actions of a rule
 * @ctx: the packet, and the rule that has hit it
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: RF_DROP if an action consumes the packet, otherwise RF_PASS.
 */
enum rf_verdict rf_fault_apply(struct rf_ctx *ctx)
{
	const struct rf_rule *rule = ctx->rule;
	enum rf_verdict verdict = RF_PASS;

	for (ctx->at = 0; ctx->at < rule->actions; ctx->at++) {
		const struct rf_action *action = &rule->action[ctx->at];

		ctx->values[ctx->at] = 0;
		verdict = faults[action->type](ctx, action);
		if (verdict != RF_PASS)
			break;
	}
	return verdict;
}
