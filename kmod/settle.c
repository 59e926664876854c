// SPDX-License-Identifier: GPL-2.0
/*
 * Does what the actions have asked for outside of the packet, when all rules
 * have been asked and the lock of the direction is free: the packet goes into
 * the hold, its copies behind it, an answer goes back to its sender.
 *
 * Copies go through the hold even if they shall follow at once: the hook that
 * has brought the packet sends it on after this, and then looks into the hold.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>

#include "fault/nak.h"
#include "fault/skb_cb.h"
#include "rocev2/packet.h"
#include "port.h"
#include "trace.h"

/**
 * rf_settle_watch - look at the clock when a packet comes, if rules need it
 * @side: the direction whose rules have changed
 *
 * A delay counts from the packet's coming, so that what it takes to decide
 * about it adds nothing.
 *
 * Context: process, under rf_ports_lock.
 */
void rf_settle_watch(struct rf_side *side)
{
	const struct rf_ruleset *rules = side->rules;
	bool timed = false;
	u32 i;

	for (i = 0; rules && i < rules->count && !timed; i++)
		timed = rf_fault_holds(rules->rule[i]);
	WRITE_ONCE(side->timed, timed);
}

static struct rf_parking parking_of(const struct rf_job *job)
{
	u64 cap = READ_ONCE(job->side->port->max_hold);
	struct rf_parking parking = {
		.skb = job->skb,
		.label = rf_label_of(job),
		.flow = job->pkt->desc.flow_id,
		/* A rule may have been made since */
		.came = job->came ?: ktime_get_ns(),
		.delay = min(job->delay, cap),
		.keep_order = job->keep_order,
		.wait = job->wait,
	};

	parking.wait.within = min(parking.wait.within, cap);
	return parking;
}

static enum rf_verdict no_room(struct rf_job *job, int err)
{
	if (err == -ENOBUFS) {
		rf_stats_inc(job->side->stats, RF_STAT_DELAY_QUEUE_FULL);
		return RF_DROP;
	}
	rf_stats_inc(job->side->stats, RF_STAT_UNCHANGED);
	return RF_PASS;
}

static enum rf_verdict hold(struct rf_job *job)
{
	struct rf_parking parking = parking_of(job);
	int err = rf_hold_park(&job->side->hold, &parking);

	if (err)
		return no_room(job, err);
	trace_rf_hold(job->side, &parking.label, parking.delay);
	if (job->wait.asked)
		rf_stats_inc(job->side->stats, RF_STAT_REORDERED);
	else
		rf_stats_inc(job->side->stats, RF_STAT_DELAYED);
	return RF_HOLD;
}

/* Each carries in its cb how long after the packet's coming it follows. */
static void hold_copies(struct rf_job *job)
{
	struct rf_parking parking = parking_of(job);
	u64 cap = READ_ONCE(job->side->port->max_hold);
	struct sk_buff *copy;

	parking.is_copy = true;
	parking.wait.asked = false;
	while ((copy = job->copies)) {
		job->copies = copy->next;
		skb_mark_not_on_list(copy);
		parking.skb = copy;
		parking.delay = min(*rf_copy_delay(copy), cap);
		if (!rf_hold_park(&job->side->hold, &parking)) {
			rf_stats_inc(job->side->stats, RF_STAT_DUPLICATED);
			continue;
		}
		rf_stats_inc(job->side->stats, RF_STAT_DELAY_QUEUE_FULL);
		kfree_skb(copy);
	}
}

/**
 * rf_settle - do what the actions of all rules have asked for
 * @job: the packet
 * @verdict: what became of it in the rules, RF_PASS or RF_DROP
 *
 * Context: softirq or BH off, no lock of ours held.
 * Return: what becomes of it; after RF_HOLD its skb is not ours any more.
 */
enum rf_verdict rf_settle(struct rf_job *job, enum rf_verdict verdict)
{
	struct rf_hold *parked = &job->side->hold;

	if (verdict == RF_PASS && job->hold)
		verdict = hold(job);
	if (verdict == RF_PASS && rf_hold_is_waited(parked))
		rf_hold_passed(parked, job->pkt->desc.flow_id,
			       job->pkt->desc.psn, job->came ?: U64_MAX);
	if (job->copies)
		hold_copies(job);
	if (job->answer)
		rf_answer_send(job);
	return verdict;
}
