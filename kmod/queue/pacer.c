// SPDX-License-Identifier: GPL-2.0
/*
 * The rate limiter of DCQCN. A flow that has received a CNP has a rate, and its packets wait
 * here before they enter the queue of their priority. Each flow has one queue in the order of
 * arrival, and the port has one timer, that of the qdisc.
 *
 * Locally generated requests stay charged to their socket while they wait. rxe stops a queue
 * pair at 65 such packets. So it sends at the rate of its flow without a loss, and no more
 * than these packets are left when it is destroyed. READ responses have no such limit, and
 * those that wait would stop the requests of the queue pair. So they are not charged, and
 * the pacer drops those above a limit.
 *
 * Rules:
 *
 *   - CNPs, connection management and datagrams are never paced.
 *   - ACKs and NAKs are not paced. But while READ responses of the flow wait, they wait behind
 *     them: an ACK that overtakes a response makes rxe retry.
 *   - No packet waits longer than the max-hold of the port. Then it departs.
 */
#include <linux/if_ether.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <net/net_debug.h>
#include <net/pkt_sched.h>

#include "../dcqcn/np.h"
#include "../rand.h"
#include "../rocev2/rocev2.h"
#include "../stats.h"
#include "../trace.h"
#include "pacer.h"
#include "sched.h"

/* How many flows are examined to make room for a new one */
#define EVICT_LOOKS	8
/* A flow that is brought up to date has no more events than this; later changes are one event. */
#define RATE_EVENTS	64

/**
 * struct pacer_cb - data of a packet that waits, in its control buffer
 * @arrived: when it arrived
 * @classes: its class, RDMAFAULT_CLASS_*
 */
struct pacer_cb {
	u64 arrived;
	u32 classes;
} __packed __aligned(4);

static struct pacer_cb *pacer_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct pacer_cb));
	return (struct pacer_cb *)qdisc_skb_cb(skb)->data;
}

static bool pacer_is_paced(u32 classes)
{
	return !(classes & (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR));
}

static void pacer_describe(const struct rf_pacer *pacer, const struct rf_pacer_flow *flow,
			   struct rf_dcqcn_flow *info)
{
	*info = (struct rf_dcqcn_flow){
		.addr_len = flow->key.addr_len,
		.qp = flow->key.qp,
		.rate = rf_rp_rate(&pacer->scaled, flow->rp.rate),
		.target = rf_rp_rate(&pacer->scaled, flow->rp.target),
		.alpha = mul_u64_u64_shr(flow->rp.alpha, RDMAFAULT_PROBABILITY_ONE, RF_RP_SHIFT),
		.cnps = flow->cnps,
		.cuts = flow->rp.cuts,
		.time_stage = flow->rp.time_stage,
		.byte_stage = flow->rp.byte_stage,
		.held = flow->fifo.qlen,
		.paced = flow->paced,
	};
	memcpy(info->saddr, flow->key.saddr, sizeof(info->saddr));
	memcpy(info->daddr, flow->key.daddr, sizeof(info->daddr));
}

static enum rf_rate_cause pacer_cause(const struct rf_dcqcn_flow *before,
				      const struct rf_dcqcn_flow *after)
{
	if (after->cuts != before->cuts)
		return RF_RATE_CUT;
	if (after->rate < before->rate)
		return RF_RATE_FIRST_CNP;
	return after->byte_stage != before->byte_stage ? RF_RATE_BYTES : RF_RATE_TIMER;
}

/* Trace the change of a flow at the time @at, if there was one. */
static void pacer_trace(const struct rf_pacer *pacer, const struct rf_pacer_flow *flow,
			const struct rf_dcqcn_flow *before, u64 at)
{
	struct rf_dcqcn_flow after;

	pacer_describe(pacer, flow, &after);
	if (after.rate == before->rate && after.target == before->target &&
	    after.cuts == before->cuts)
		return;
	trace_rf_rate(pacer->dev, pacer_cause(before, &after), at, before->rate, &after);
}

static noinline void pacer_advance_traced(struct rf_pacer *pacer, struct rf_pacer_flow *flow,
					  u64 now)
{
	struct rf_dcqcn_flow before;
	u32 n;
	u64 at;

	for (n = 1, at = 0; at < now; n++) {
		at = n < RATE_EVENTS ? min(rf_rp_next(&flow->rp, &pacer->scaled), now) : now;
		pacer_describe(pacer, flow, &before);
		rf_rp_advance(&flow->rp, &pacer->scaled, at);
		pacer_trace(pacer, flow, &before, at);
	}
}

static void pacer_advance(struct rf_pacer *pacer, struct rf_pacer_flow *flow, u64 now)
{
	if (trace_rf_rate_enabled())
		pacer_advance_traced(pacer, flow, now);
	else
		rf_rp_advance(&flow->rp, &pacer->scaled, now);
}

static void pacer_react(struct rf_pacer *pacer, struct rf_pacer_flow *flow, u64 now)
{
	struct rf_dcqcn_flow before;

	pacer_advance(pacer, flow, now);
	pacer_describe(pacer, flow, &before);
	rf_rp_cnp(&flow->rp, &pacer->scaled, now);
	pacer_trace(pacer, flow, &before, now);
}

static noinline void pacer_count_traced(struct rf_pacer *pacer, struct rf_pacer_flow *flow,
					u32 bytes, u64 now)
{
	struct rf_dcqcn_flow before;

	pacer_advance_traced(pacer, flow, now);
	pacer_describe(pacer, flow, &before);
	rf_rp_sent(&flow->rp, &pacer->scaled, bytes, now);
	pacer_trace(pacer, flow, &before, now);
}

static void pacer_count(struct rf_pacer *pacer, struct rf_pacer_flow *flow, u32 bytes, u64 now)
{
	if (trace_rf_rate_enabled())
		pacer_count_traced(pacer, flow, bytes, now);
	else
		rf_rp_sent(&flow->rp, &pacer->scaled, bytes, now);
}

/**
 * rf_pacer_alloc - allocate a pacer without flows
 * @dev: the netdev
 *
 * Context: process.
 * Return: the pacer, or NULL.
 */
struct rf_pacer *rf_pacer_alloc(const struct net_device *dev)
{
	struct rf_pacer *pacer = kvzalloc(sizeof(*pacer), GFP_KERNEL_ACCOUNT);

	if (!pacer)
		return NULL;
	pacer->dev = dev;
	hash_init(pacer->flows);
	INIT_LIST_HEAD(&pacer->used);
	pacer->due = RB_ROOT_CACHED;
	return pacer;
}

static void pacer_remove_flow(struct rf_pacer *pacer, struct rf_pacer_flow *flow)
{
	DEBUG_NET_WARN_ON_ONCE(flow->fifo.qlen);
	hash_del(&flow->node);
	list_del(&flow->used);
	pacer->count--;
	kfree(flow);
}

/**
 * rf_pacer_free - free a pacer
 * @pacer: the pacer, without packets, which no packet can reach; or NULL
 *
 * Context: process.
 */
void rf_pacer_free(struct rf_pacer *pacer)
{
	struct rf_pacer_flow *flow, *next;

	if (!pacer)
		return;
	list_for_each_entry_safe(flow, next, &pacer->used, used)
		pacer_remove_flow(pacer, flow);
	kvfree(pacer);
}

/**
 * rf_pacer_configure - change the parameters of all flows
 * @pacer: the pacer
 * @conf: the configuration, with a link rate
 *
 * Context: the lock of the qdisc held.
 */
void rf_pacer_configure(struct rf_pacer *pacer, const struct rf_conf *conf)
{
	struct rf_rp_scaled *scaled = &pacer->scaled;
	struct rf_pacer_flow *flow;

	rf_rp_scale(scaled, &conf->dcqcn.rate, conf->link.rate);
	pacer->overhead = conf->link.overhead;
	list_for_each_entry(flow, &pacer->used, used) {
		flow->rp.target = clamp(flow->rp.target, scaled->min, scaled->max);
		flow->rp.rate = clamp(flow->rp.rate, scaled->min, scaled->max);
	}
}

static u32 pacer_hash(const struct rf_pacer_key *key)
{
	return rf_np_key(RDMAFAULT_CNP_SCOPE_QP, key->saddr, key->daddr, key->qp, rf_hash_key);
}

/**
 * rf_pacer_find - find a flow
 * @pacer: the pacer
 * @key: the flow
 *
 * Context: the lock of the qdisc held.
 * Return: the flow, or NULL if it has received no CNPs.
 */
struct rf_pacer_flow *rf_pacer_find(struct rf_pacer *pacer, const struct rf_pacer_key *key)
{
	struct rf_pacer_flow *flow;

	hash_for_each_possible(pacer->flows, flow, node, pacer_hash(key))
		if (!memcmp(&flow->key, key, sizeof(*key)))
			return flow;
	return NULL;
}

/* Remove one of the flows that were not used for the longest time, if it has the full rate. */
static bool pacer_evict(struct rf_pacer *pacer, u64 now)
{
	struct rf_pacer_flow *flow;
	u32 looks = EVICT_LOOKS;

	list_for_each_entry_reverse(flow, &pacer->used, used) {
		pacer_advance(pacer, flow, now);
		if (!flow->fifo.qlen && flow->rp.rate == pacer->scaled.max) {
			pacer_remove_flow(pacer, flow);
			return true;
		}
		if (!--looks)
			break;
	}
	return false;
}

static struct rf_pacer_flow *pacer_make(struct rf_pacer *pacer, const struct rf_pacer_key *key,
					u64 now)
{
	struct rf_pacer_flow *flow;

	if (pacer->count == RF_PACER_FLOWS && !pacer_evict(pacer, now))
		return NULL;
	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	flow->key = *key;
	rf_rp_init(&flow->rp, &pacer->scaled);
	hash_add(pacer->flows, &flow->node, pacer_hash(key));
	list_add(&flow->used, &pacer->used);
	pacer->count++;
	return flow;
}

/**
 * rf_pacer_cnp - let a flow react to a CNP
 * @pacer: the pacer
 * @key: the flow
 * @now: the time
 *
 * Context: softirq or BH off, the lock of the qdisc held.
 * Return: false if there are too many flows, or no memory.
 */
bool rf_pacer_cnp(struct rf_pacer *pacer, const struct rf_pacer_key *key, u64 now)
{
	struct rf_pacer_flow *flow = rf_pacer_find(pacer, key) ?: pacer_make(pacer, key, now);

	if (!flow)
		return false;
	flow->cnps++;
	pacer_react(pacer, flow, now);
	return true;
}

/* When the first packet of a flow departs */
static u64 pacer_due_at(const struct rf_pacer *pacer, const struct rf_pacer_flow *flow)
{
	const struct pacer_cb *cb = pacer_cb(flow->fifo.head);

	if (!pacer_is_paced(cb->classes))
		return cb->arrived;
	return min(max(flow->pace.next, cb->arrived), cb->arrived + pacer->max_hold);
}

static bool pacer_due_before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct rf_pacer_flow, due)->due_at <
	       rb_entry(b, struct rf_pacer_flow, due)->due_at;
}

static void pacer_schedule(struct rf_pacer *pacer, struct rf_pacer_flow *flow)
{
	flow->due_at = pacer_due_at(pacer, flow);
	rb_add_cached(&flow->due, &pacer->due, pacer_due_before);
}

/* A packet departs. The next one waits as long as the rate of the flow requires. */
static void pacer_depart(struct rf_pacer *pacer, struct rf_pacer_flow *flow,
			 const struct sk_buff *skb, u64 depart, u64 now)
{
	u32 bytes = rf_in_flight_bytes(skb, pacer->overhead);

	pacer_count(pacer, flow, bytes, now);
	rf_pace_sent(&flow->pace, rf_rp_rate(&pacer->scaled, flow->rp.rate), bytes, depart);
}

static enum rf_pacer_verdict pacer_hold(struct rf_pacer *pacer, struct rf_pacer_flow *flow,
					struct sk_buff *skb, u32 classes, u64 now)
{
	bool response = classes & RDMAFAULT_CLASS_READ_RESPONSE;

	if (response && (flow->responses == RF_PACER_RESPONSES ||
			 pacer->truesize + skb->truesize > RF_PACER_TRUESIZE)) {
		rf_stats_inc(pacer->stats, RF_STAT_PACE_DROPPED);
		return RF_PACER_DROP;
	}
	*pacer_cb(skb) = (struct pacer_cb){ .arrived = now, .classes = classes };
	if (response || !pacer_is_paced(classes))
		skb_orphan(skb);
	flow->responses += response;
	flow->paced++;
	pacer->truesize += skb->truesize;
	__qdisc_enqueue_tail(skb, &flow->fifo);
	if (flow->fifo.qlen == 1)
		pacer_schedule(pacer, flow);
	rf_stats_inc(pacer->stats, RF_STAT_PACED);
	return RF_PACER_HELD;
}

static enum rf_pacer_verdict pacer_pace(struct rf_pacer *pacer, struct rf_pacer_flow *flow,
					struct sk_buff *skb, u32 classes, u64 now)
{
	list_move(&flow->used, &pacer->used);
	if (!pacer_is_paced(classes) && !flow->responses)
		return RF_PACER_PASS;
	if (!flow->fifo.qlen && flow->pace.next <= now) {
		pacer_depart(pacer, flow, skb, now, now);
		return RF_PACER_PASS;
	}
	return pacer_hold(pacer, flow, skb, classes, now);
}

/**
 * rf_pacer_enqueue - hold a packet until the rate of its flow allows it to depart
 * @pacer: the pacer
 * @skb: the packet, which was generated locally
 * @class: its class
 * @dscp_prio: priority by DSCP
 * @now: the time
 *
 * Context: softirq or BH off, the lock of the qdisc held.
 * Return: the verdict.
 */
enum rf_pacer_verdict rf_pacer_enqueue(struct rf_pacer *pacer, struct sk_buff *skb,
				       const struct rf_class *class, const u8 *dscp_prio, u64 now)
{
	struct rf_headers headers __uninitialized;
	struct rf_pkt pkt __uninitialized;
	struct rf_pacer_key key = {};
	struct rf_pacer_flow *flow;

	if (!pacer->count ||
	    rf_packet_find(skb, class->ip, class->protocol, &headers) != RF_SEEN_ROCE)
		return RF_PACER_PASS;
	rf_packet_read(skb, &headers, dscp_prio, &pkt);
	if (pkt.desc.classes & (RDMAFAULT_CLASS_CNP | RDMAFAULT_CLASS_CM) ||
	    rf_opcode_is_ud(pkt.desc.opcode))
		return RF_PACER_PASS;
	memcpy(key.saddr, pkt.desc.saddr, sizeof(key.saddr));
	memcpy(key.daddr, pkt.desc.daddr, sizeof(key.daddr));
	key.addr_len = pkt.desc.addr_len;
	key.qp = pkt.desc.qp;
	flow = rf_pacer_find(pacer, &key);
	if (!flow)
		return RF_PACER_PASS;
	return pacer_pace(pacer, flow, skb, pkt.desc.classes, now);
}

static struct sk_buff *pacer_remove(struct rf_pacer *pacer, struct rf_pacer_flow *flow)
{
	struct sk_buff *skb = __qdisc_dequeue_head(&flow->fifo);

	DEBUG_NET_WARN_ON_ONCE(pacer->truesize < skb->truesize);
	pacer->truesize -= skb->truesize;
	flow->responses -= !!(pacer_cb(skb)->classes & RDMAFAULT_CLASS_READ_RESPONSE);
	rb_erase_cached(&flow->due, &pacer->due);
	return skb;
}

/**
 * rf_pacer_dequeue - remove a packet that departs now
 * @pacer: the pacer
 * @now: the time; U64_MAX to remove any packet
 *
 * Context: softirq or BH off, the lock of the qdisc held.
 * Return: the packet, or NULL.
 */
struct sk_buff *rf_pacer_dequeue(struct rf_pacer *pacer, u64 now)
{
	struct rf_pacer_flow *flow;
	struct pacer_cb cb;
	struct sk_buff *skb;
	u64 depart;

	if (rf_pacer_next(pacer) > now || RB_EMPTY_ROOT(&pacer->due.rb_root))
		return NULL;
	flow = rb_entry(rb_first_cached(&pacer->due), struct rf_pacer_flow, due);
	skb = pacer_remove(pacer, flow);
	cb = *pacer_cb(skb);
	if (now != U64_MAX && pacer_is_paced(cb.classes)) {
		depart = rf_pace_depart(&flow->pace, cb.arrived, now);
		if (depart > now)
			rf_stats_inc(pacer->stats, RF_STAT_PACE_EXPIRED);
		pacer_depart(pacer, flow, skb, min(depart, now), now);
	}
	if (flow->fifo.qlen)
		pacer_schedule(pacer, flow);
	return skb;
}

/**
 * rf_pacer_read - read the state of a flow
 * @pacer: the pacer
 * @flow: the flow
 * @now: the time
 * @info: filled in
 *
 * Context: the lock of the qdisc held.
 */
void rf_pacer_read(struct rf_pacer *pacer, struct rf_pacer_flow *flow, u64 now,
		   struct rf_dcqcn_flow *info)
{
	pacer_advance(pacer, flow, now);
	pacer_describe(pacer, flow, info);
}
