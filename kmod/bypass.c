// SPDX-License-Identifier: GPL-2.0
/*
 * As long as nothing of a port concerns the packets that leave it, they go past
 * its qdisc, as past pfifo's when that is empty: TCQ_F_CAN_BYPASS tells the core
 * that it may hand them to the driver. A packet that finds the driver busy comes
 * to enqueue() all the same, and ends the bypass until nothing waits again.
 *
 * The flag is set when dequeue() finds nothing, and taken away by whatever
 * begins to concern packets, after it has said so where dequeue() looks. Both
 * happen under one lock, so that neither undoes the other.
 *
 * Behind each packet that went past, the core asks the qdisc for the next one. So
 * dequeue() is another function meanwhile, which knows the answer.
 *
 * What goes past is counted by the core, in the qdisc's own counters. What these
 * have grown by meanwhile is taken over when the bypass is left. Between the
 * flag's end and that, no packet is counted there but those that went past.
 */
#include <net/sch_generic.h>

#include "queue/queueing.h"
#include "stats.h"

/* Is there nothing to do for a packet that leaves? */
static bool is_idle(const struct rf_port *port)
{
	const struct rf_dir *dir = &port->dir[RF_TX];

	return !rf_dir_is_armed(dir, RF_TX) && !rf_queueing_wanted(port) &&
	       !rf_delayq_count(&dir->delayq) && !port->sch->q.qlen;
}

/* What waits, while packets go past */
static struct sk_buff *nothing(struct Qdisc *sch)
{
	return NULL;
}

/**
 * rf_bypass_begin - let packets go past, if nothing concerns them
 * @port: the port
 *
 * Context: the lock of the qdisc held.
 */
void rf_bypass_begin(struct rf_port *port)
{
	struct rf_bypass *bypass = &port->bypass;
	struct Qdisc *sch = port->sch;
	unsigned long flags;

	spin_lock_irqsave(&bypass->lock, flags);
	if (is_idle(port)) {
		bypass->on = true;
		bypass->packets = u64_stats_read(&sch->bstats.packets);
		bypass->bytes = u64_stats_read(&sch->bstats.bytes);
		WRITE_ONCE(sch->dequeue, nothing);
		sch->flags |= TCQ_F_CAN_BYPASS;
	}
	spin_unlock_irqrestore(&bypass->lock, flags);
}

/**
 * rf_bypass_end - no packet goes past any more
 * @port: the port, which says already why
 *
 * Context: any.
 */
void rf_bypass_end(struct rf_port *port)
{
	struct Qdisc *sch = port->sch;
	unsigned long flags;

	spin_lock_irqsave(&port->bypass.lock, flags);
	sch->flags &= ~TCQ_F_CAN_BYPASS;
	WRITE_ONCE(sch->dequeue, sch->ops->dequeue);
	spin_unlock_irqrestore(&port->bypass.lock, flags);
}

/* What went past and isn't in the port's counters yet. */
static void passed(const struct rf_port *port, u64 *packets, u64 *bytes)
{
	const struct rf_bypass *bypass = &port->bypass;
	const struct Qdisc *sch = port->sch;

	*packets = 0;
	*bytes = 0;
	if (!bypass->on)
		return;
	*packets = u64_stats_read(&sch->bstats.packets) - bypass->packets;
	*bytes = u64_stats_read(&sch->bstats.bytes) - bypass->bytes;
}

/**
 * rf_bypass_leave - end it, and count what went past
 * @port: the port, whose bypass is on
 *
 * Context: the lock of the qdisc held.
 */
void rf_bypass_leave(struct rf_port *port)
{
	u64 packets, bytes;

	rf_bypass_end(port);
	passed(port, &packets, &bytes);
	port->bypass.on = false;
	rf_stats_add2(port->dir[RF_TX].stats, RF_STAT_PACKETS, packets, bytes);
}

/* Since the port was made; the lock of the qdisc held */
static void sum_stats(const struct rf_dir *dir, u64 sum[RF_STATS])
{
	u64 packets, bytes;

	rf_stats_sum(dir->stats, sum);
	if (dir->direction != RF_TX)
		return;
	passed(dir->port, &packets, &bytes);
	sum[RF_STAT_PACKETS] += packets;
	sum[RF_STAT_BYTES] += bytes;
}

/**
 * rf_bypass_stats - the counters of a direction, with what went past
 * @dir: the direction
 * @sum: the sums since the last reset, by enum rf_stat
 *
 * Context: process, no lock held that is taken in softirq.
 */
void rf_bypass_stats(const struct rf_dir *dir, u64 sum[RF_STATS])
{
	struct Qdisc *sch = dir->port->sch;
	int i;

	spin_lock_bh(qdisc_lock(sch));
	sum_stats(dir, sum);
	for (i = 0; i < RF_STATS; i++)
		sum[i] -= dir->stats_base[i];
	spin_unlock_bh(qdisc_lock(sch));
}

/**
 * rf_bypass_reset_stats - set the counters of a direction to 0
 * @dir: the direction
 *
 * Each CPU goes on counting in its own counters, which nothing else writes. What
 * they were is subtracted from now on.
 *
 * Context: process, no lock held that is taken in softirq.
 */
void rf_bypass_reset_stats(struct rf_dir *dir)
{
	struct Qdisc *sch = dir->port->sch;

	spin_lock_bh(qdisc_lock(sch));
	sum_stats(dir, dir->stats_base);
	spin_unlock_bh(qdisc_lock(sch));
}

/**
 * rf_bypass_init - everything goes through the qdisc
 * @port: a new port
 *
 * Context: process.
 */
void rf_bypass_init(struct rf_port *port)
{
	spin_lock_init(&port->bypass.lock);
}
