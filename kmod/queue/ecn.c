// SPDX-License-Identifier: GPL-2.0
/*
 * The ECN profile is applied when a packet is queued, as in a switch that marks
 * at enqueue.
 */
#include <linux/if_ether.h>
#include <net/inet_ecn.h>

#include "../rocev2/mangle.h"
#include "../rand.h"
#include "../stats.h"
#include "../trace.h"
#include "ecn.h"
#include "prioq.h"

static bool is_ip(const struct rf_class *class)
{
	return class->protocol == htons(ETH_P_IP) ||
	       class->protocol == htons(ETH_P_IPV6);
}

static bool hits(const struct rf_conf *conf, u32 prio, u64 serial, u64 probability)
{
	struct rf_draw_key key = {
		.base = rf_draw_base(conf->link.seed, prio, 0),
		.serial = (u32)serial,
		.attempt = serial >> 32,
	};

	return rf_chance(rf_draw(&key, RF_DRAW_MARK), probability);
}

static bool apply(struct rf_prioq *q, struct sk_buff *skb,
		  const struct rf_class *class, enum rf_ecn_action action)
{
	struct rf_prio_stats *stats = &q->stats[class->band];

	if (action == RF_ECN_LEAVE)
		return true;
	if (action == RF_ECN_DROP) {
		stats->mark_dropped++;
	} else if (rf_ecn_set(skb, class->ip, class->protocol, INET_ECN_CE)) {
		stats->marked++;
		rf_stats_inc(q->tx, RF_STAT_MARKED);
	} else {
		rf_stats_inc(q->tx, RF_STAT_UNCHANGED);
		return true;
	}
	trace_rf_mark(q->dev->ifindex, q->dev->name, class->band, stats->ecn_queue,
		      action == RF_ECN_DROP, qdisc_pkt_len(skb));
	return action != RF_ECN_DROP;
}

/* Mark or drop a packet at random. Return: false if it is to be dropped. */
static noinline bool ecn_mark(struct rf_prioq *q, struct sk_buff *skb,
			      const struct rf_class *class, u64 queue)
{
	const struct rf_conf *conf = rf_prioq_conf(q);
	const struct rf_ecn_conf *ecn = &conf->prio[class->band].ecn;
	u64 probability = rf_ecn_probability(ecn, queue);

	if (!probability || !is_ip(class) ||
	    !hits(conf, class->band, q->ecn[class->band].serial, probability))
		return true;
	return apply(q, skb, class, rf_ecn_action(ecn, class->ecn));
}

/**
 * rf_ecn_pass - apply the ECN profile of a priority to a packet
 * @q: the queues of the port
 * @skb: the packet, which can be marked CE
 * @class: the class of the packet
 * @now: the time; only used with a phantom queue
 *
 * Context: the lock of the qdisc held.
 * Return: false if the packet is to be dropped; it is counted.
 */
bool rf_ecn_pass(struct rf_prioq *q, struct sk_buff *skb,
		 const struct rf_class *class, u64 now)
{
	const struct rf_conf *conf = rf_prioq_conf(q);
	const struct rf_ecn_conf *ecn;
	struct rf_prio_stats *stats;
	struct rf_ecn_state *state;
	u32 bytes = 0;
	u64 queue;

	if (class->band == RF_CONTROL || !conf->prio[class->band].ecn.enabled)
		return true;
	ecn = &conf->prio[class->band].ecn;
	state = &q->ecn[class->band];
	stats = &q->stats[class->band];
	if (ecn->phantom)
		bytes = rf_in_flight_bytes(skb, conf->link.overhead);
	queue = rf_ecn_queue(state, ecn, stats->backlog_bytes, bytes, now);
	stats->ecn_queue = queue;
	return likely(queue <= ecn->kmin) || ecn_mark(q, skb, class, queue);
}
