// SPDX-License-Identifier: GPL-2.0
/*
 * A link that goes down and comes back, without its carrier: for a time all
 * RoCEv2 of the direction, or of both, vanishes. What the carrier does would
 * be seen by the sender (see sch_rdmafault.c), and by every other protocol.
 *
 * The time is looked at without a lock, as it may be the other direction that
 * has begun it.
 */
#include <linux/ktime.h>

#include "fault.h"

/* No blackhole ends another that lasts longer. */
static void begin(struct rf_dir *dir, u64 until)
{
	u64 old = READ_ONCE(dir->blackhole_until);

	while (old < until && !try_cmpxchg64(&dir->blackhole_until, &old, until))
		;
	set_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
}

/* The other direction may begin another one meanwhile. */
static void blackhole_unneed(struct rf_dir *dir)
{
	clear_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
	/* Pairs with try_cmpxchg64() in begin(), which is before set_bit() there. */
	smp_mb__after_atomic();
	if (READ_ONCE(dir->blackhole_until))
		set_bit(RF_NEEDS_BLACKHOLE, &dir->needs);
}

/**
 * rf_fault_blackhole - let this packet and all behind it vanish
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_DROP.
 */
enum rf_verdict rf_fault_blackhole(struct rf_ctx *ctx,
				   const struct rf_action *action)
{
	u64 until = ktime_get_ns() + action->delay;

	begin(ctx->dir, until);
	if (action->flags & RDMAFAULT_ACTION_FLAG_BOTH)
		begin(ctx->dir->other, until);
	rf_stats_inc(ctx->dir->stats, RF_STAT_BLACKHOLED);
	return RF_DROP;
}

/**
 * rf_blackhole_swallows - does a packet vanish in a blackhole?
 * @dir: the direction; what vanishes is counted
 *
 * Context: softirq or BH off.
 * Return: true if it does.
 */
bool rf_blackhole_swallows(struct rf_dir *dir)
{
	u64 until = READ_ONCE(dir->blackhole_until);

	if (likely(!until))
		return false;
	if (ktime_get_ns() >= until) {
		/* Unless the other direction has begun another meanwhile. */
		cmpxchg64(&dir->blackhole_until, until, 0);
		blackhole_unneed(dir);
		return false;
	}
	rf_stats_inc(dir->stats, RF_STAT_BLACKHOLED);
	rf_stats_inc(dir->stats, RF_STAT_DROPPED);
	return true;
}

/**
 * rf_blackhole_end - end it before its time
 * @dir: the direction
 *
 * Context: any.
 */
void rf_blackhole_end(struct rf_dir *dir)
{
	WRITE_ONCE(dir->blackhole_until, 0);
	blackhole_unneed(dir);
}

/**
 * rf_blackhole_orphan - a direction has no rules any more
 * @dir: the direction, whose blackhole ends, and that of the other unless it
 *	has rules of its own
 *
 * Context: process, under rf_ports_lock.
 */
void rf_blackhole_orphan(struct rf_dir *dir)
{
	rf_blackhole_end(dir);
	if (!rcu_access_pointer(dir->other->rules))
		rf_blackhole_end(dir->other);
}
