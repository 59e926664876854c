// SPDX-License-Identifier: GPL-2.0
/*
 * The netfilter hooks of a port: ingress for packets that arrive at the netdev,
 * egress for packets that leave it. Both evaluate the rules of their direction.
 *
 * Ingress runs before bridges and before the IP stack, with the VLAN tag taken
 * off. Our hook is the first one there. Egress runs before tc's egress
 * classifiers and before the qdisc. Our hook is the last one there, because the
 * others would not see a packet that is released from the delay queue.
 *
 * A hook is registered only while it is needed: for rules, on rx for PFC, and on tx
 * for limits and ECN profiles if packets go past the qdisc. A port without these
 * costs nothing. Then the netdev counts the packets.
 *
 * Packets that tc redirects to the netdev (mirred, bpf_redirect()) skip the
 * egress hooks.
 *
 * The law of this file: the sender sees no error for a lost packet. rdma_rxe
 * takes any result but success for a local error: until 6.9 it sends the packet
 * again at once, for as long as the error lasts, and from 6.10 on it moves the
 * queue pair to the error state. With NF_STOLEN, the core returns success;
 * NF_DROP would be an error.
 *
 * Each direction has a timer that releases packets from its delay queue. On tx
 * they go to tc's egress and the qdisc. On rx they go to the hooks behind ours
 * and to the stack; captures and tc's ingress have seen them when they arrived.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>
#include <net/sch_generic.h>

#include "compat/hrtimer.h"
#include "compat/qdisc.h"
#include "decide.h"
#include "hook.h"
#include "queue/prioq.h"
#include "rocev2/packet.h"
#include "rule/ruleset.h"
#include "flow/flow.h"
#include "flow/qp_filter.h"
#include "trace.h"

#ifndef CONFIG_NET_CLS_ACT
#error "rdmafault needs a kernel with CONFIG_NET_CLS_ACT"
#endif
#ifndef CONFIG_NETFILTER_EGRESS
#error "rdmafault needs a kernel with CONFIG_NETFILTER_EGRESS"
#endif

/* The most packets that one run of the timer releases */
#define RELEASE_BUDGET	64

/* For a tracepoint that is enabled while requests are in flight */
static noinline void hook_track_all(struct rf_dir *dir)
{
	spin_lock(&dir->lock);
	rf_dir_track_all(dir);
	spin_unlock(&dir->lock);
}

/* The QPs whose flows are tracked; NULL: all QPs */
static const struct rf_qp_filter *hook_qp_filter(struct rf_dir *dir)
{
	const struct rf_qp_filter *filter = rf_dir_qp_filter(dir);

	if (unlikely(filter && rf_trace_enabled())) {
		hook_track_all(dir);
		return NULL;
	}
	return filter;
}

static unsigned int hook_verdict(struct sk_buff *skb, enum rf_verdict verdict)
{
	if (verdict == RF_PASS)
		return NF_ACCEPT;
	if (verdict == RF_DROP)
		kfree_skb(skb);
	return NF_STOLEN;
}

/* The decision also counts NAKs, of all QPs. */
static bool hook_is_decided(const struct rf_qp_filter *filter, const struct rf_desc *desc)
{
	return !filter || rf_qp_filter_has(filter, desc->qp) ||
	       desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR);
}

/* The number of packets on the wire */
static u32 hook_frames(const struct rf_dir *dir, const struct sk_buff *skb)
{
	if (dir->direction == RF_TX && skb_is_gso(skb))
		return skb_shinfo(skb)->gso_segs;
	return 1;
}

/*
 * A packet that is not plain, or not the next one of its flow. @protocol is the
 * EtherType of the header at @offset from skb->data.
 */
static noinline unsigned int hook_evaluate_any(struct rf_dir *dir,
					       struct sk_buff *skb, int offset,
					       __be16 protocol, u64 came)
{
	const u8 *dscp_prio = rcu_dereference_bh(dir->dscp_prio);
	struct rf_pkt pkt __uninitialized;

	rf_stats_add2(dir->stats, RF_STAT_PACKETS, hook_frames(dir, skb),
		      rf_frame_len(dir, skb));
	switch (rf_packet_read(skb, offset, protocol, dscp_prio, &pkt)) {
	case RF_SEEN_ROCE:
		if (hook_is_decided(hook_qp_filter(dir), &pkt.desc))
			return hook_verdict(skb, rf_dir_decide(dir, skb, &pkt, came));
		rf_stats_add2(dir->stats, RF_STAT_ROCE, 1, pkt.desc.len);
		return NF_ACCEPT;
	case RF_SEEN_MALFORMED:
		rf_stats_inc(dir->stats, RF_STAT_MALFORMED);
		return NF_ACCEPT;
	default:
		return NF_ACCEPT;
	}
}

/* For rules that need no other packets than those to the QPs that they name */
static __always_inline bool hook_is_untracked(const struct rf_ruleset *rules, const u8 *bth)
{
	return !rf_qp_filter_names(rules->filter, rf_bth_qp(bth));
}

/* Count a plain packet to an untracked QP. */
static __always_inline void hook_count(struct rf_dir *dir, u32 len, u32 frame)
{
	struct rf_stats *s = this_cpu_ptr(dir->stats);

	u64_stats_update_begin(&s->syncp);
	rf_stats_add_roce(s, frame, len);
	u64_stats_update_end(&s->syncp);
}

/*
 * Evaluate the ingress hooks behind ours. Return: false if one of them has taken
 * the packet.
 */
static bool hook_others_accept(struct rf_hook *hook, struct sk_buff *skb)
{
	struct net_device *dev = hook->dir->dev;
	const struct nf_hook_entries *entries;
	struct nf_hook_state state;
	u32 i = 0;

	entries = rcu_dereference(dev->nf_hooks_ingress);
	if (!entries)
		return true;
	/* Ours is the first one, if it is registered. */
	if (entries->num_hook_entries && entries->hooks[0].priv == hook)
		i = 1;
	nf_hook_state_init(&state, NF_NETDEV_INGRESS, NFPROTO_NETDEV, dev,
			   NULL, NULL, dev_net(dev), NULL);
	return nf_hook_slow(skb, &state, entries, i) == 1;
}

static void hook_release_rx(struct rf_hook *hook, struct sk_buff *skb)
{
	rcu_read_lock();
	if (!netif_running(hook->dir->dev)) {
		kfree_skb(skb);
	} else if (hook_others_accept(hook, skb)) {
		/* tc's ingress has seen the packet already. */
		skb->tc_skip_classify = 1;
		netif_receive_skb_core(skb);
	}
	rcu_read_unlock();
}

static noinline unsigned int hook_pass(struct rf_prioq *q, struct sk_buff *skb)
{
	if (rf_prioq_pass(q, skb))
		return NF_ACCEPT;
	kfree_skb(skb);
	return NF_STOLEN;
}

/* Limits and ECN profiles also apply to packets that go past the qdisc. */
static unsigned int hook_accept(const struct rf_hook *hook, struct sk_buff *skb)
{
	/* Both values are right while a configuration is published. */
	if (unlikely(data_race(hook->conf)) && rf_prioq_needs_pass(hook->queue))
		return hook_pass(hook->queue, skb);
	return NF_ACCEPT;
}

/*
 * From 6.12 on, rxe stores in each packet the monotonic time at which it made the
 * packet. A delayed packet arrives as from a wire: a capture at the far end shows
 * the time at which it arrived.
 */
static void hook_release_tx(struct rf_hook *hook, struct sk_buff *skb)
{
	rf_qdisc_frame_init(skb);
	if (hook_accept(hook, skb) != NF_ACCEPT)
		return;
	skb_clear_tstamp(skb);
	nf_skip_egress(skb, true);
	dev_queue_xmit(skb);
}

/*
 * Release due packets in batches; a batch reads the clock once. The packets of a batch
 * are in no queue until they are sent. So only one CPU releases packets at a time, to
 * keep their order. A caller that finds another one at work returns at once; the timer
 * then runs again.
 */
static void hook_release(struct rf_hook *hook)
{
	struct rf_dir *dir = hook->dir;
	struct sk_buff *list, *skb;
	u32 budget = RELEASE_BUDGET;

	if (test_and_set_bit_lock(0, &hook->releasing))
		return;
	while (budget && (list = rf_delayq_dequeue_due(&dir->delayq, budget))) {
		while ((skb = list)) {
			list = skb->next;
			skb_mark_not_on_list(skb);
			budget--;
			if (dir->direction == RF_RX)
				hook_release_rx(hook, skb);
			else
				hook_release_tx(hook, skb);
		}
	}
	clear_bit_unlock(0, &hook->releasing);
}

static enum hrtimer_restart hook_timer(struct hrtimer *timer)
{
	struct rf_hook *hook = container_of(timer, struct rf_hook, timer);

	hook_release(hook);
	rf_delayq_schedule(&hook->dir->delayq);
	return HRTIMER_NORESTART;
}

/*
 * The timer stays on the CPU that queues the packets, so that no packet overtakes
 * the packets that the timer releases.
 *
 * A timer that is started for a time in the past runs again in the same softirq,
 * and a budget would limit nothing. A timer for now runs in the next one.
 */
static void hook_schedule(void *data, u64 ns)
{
	struct rf_hook *hook = data;

	hrtimer_start(&hook->timer, ns_to_ktime(max(ns, ktime_get_ns())),
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/* @now: ktime_get_ns(), or 0 */
static __always_inline bool hook_is_due(const struct rf_dir *dir, u64 now)
{
	u64 next = rf_delayq_next(&dir->delayq);

	return unlikely(next != U64_MAX) && next <= (now ?: ktime_get_ns());
}

/*
 * The end of the egress hook. Packets that this packet releases (its copies, and
 * reordered packets) follow it before another packet of this CPU.
 */
static __always_inline unsigned int hook_egress_end(struct rf_hook *hook,
						    struct rf_dir *dir,
						    struct sk_buff *skb,
						    unsigned int result)
{
	if (result != NF_ACCEPT)
		return result;
	if (unlikely(hook_is_due(dir, 0))) {
		hook_release_tx(hook, skb);
		hook_release(hook);
		return NF_STOLEN;
	}
	return hook_accept(hook, skb);
}

static noinline unsigned int hook_egress_any(struct rf_hook *hook,
					     struct sk_buff *skb, u64 came)
{
	struct rf_dir *dir = hook->dir;
	struct ethhdr copy __uninitialized;
	const struct ethhdr *eth;

	eth = rf_dir_is_armed(dir) ? skb_header_pointer(skb, 0, sizeof(copy), &copy) : NULL;
	if (eth)
		return hook_egress_end(hook, dir, skb,
				       hook_evaluate_any(dir, skb, ETH_HLEN,
							 eth->h_proto, came));
	rf_stats_add2(dir->stats, RF_STAT_PACKETS, hook_frames(dir, skb),
		      rf_frame_len(dir, skb));
	return hook_accept(hook, skb);
}

/* The end of the hook for a packet of a tracked QP */
static __always_inline unsigned int hook_end(struct rf_hook *hook, struct sk_buff *skb,
					     unsigned int result)
{
	if (hook->dir->direction == RF_RX)
		return result;
	return hook_egress_end(hook, hook->dir, skb, result);
}

/* A plain packet to a tracked QP that is not the next one of its flow */
static noinline unsigned int hook_plain_any(struct rf_hook *hook, struct sk_buff *skb,
					    const u8 *bth, u64 came)
{
	u32 ip = rf_dir_ip(hook->dir, skb);
	__be16 protocol = rf_plain_protocol(ip, bth - skb->data);

	return hook_end(hook, skb, hook_evaluate_any(hook->dir, skb, ip, protocol, came));
}

/* The next packet of its flow, if a rule is RF_QUICK_NO. Releases the lock. */
static noinline unsigned int hook_plain_next(struct rf_hook *hook, struct sk_buff *skb,
					     const u8 *bth, u32 len,
					     const struct rf_opcode *op, u64 came,
					     const struct rf_flow *flow)
	__releases(&hook->dir->lock)
{
	return hook_end(hook, skb,
			hook_verdict(skb, rf_decide_next(hook->dir, skb, bth, len, op,
							 came, flow)));
}

/* As hook_plain_next(), if the rules have been evaluated. See rf_quick_end(). */
static noinline unsigned int hook_plain_end(struct rf_hook *hook, struct sk_buff *skb,
					    u32 len, u64 came,
					    const struct rf_flow *flow, u64 delay, u32 rule)
	__releases(&hook->dir->lock)
{
	return hook_end(hook, skb,
			hook_verdict(skb, rf_quick_end(hook->dir, skb, len, came, flow,
						       delay, rule)));
}

/* The first node from @node on whose rule is not RF_QUICK_NEVER */
static __always_inline struct rf_index_node *hook_skip_never(struct rf_index_node *node)
{
	while (node && node->rule->quick == RF_QUICK_NEVER)
		node = rf_index_from(node->next, node->value);
	return node;
}

/*
 * A plain packet to a tracked QP. The rules are evaluated here for the next packet of
 * a flow, if they need nothing else of it.
 */
static noinline unsigned int hook_plain(struct rf_hook *hook, struct sk_buff *skb,
					const u8 *bth, u32 len,
					const struct rf_opcode *op, u64 came)
{
	struct rf_plain p __uninitialized;
	struct rf_dir *dir = hook->dir;
	const struct rf_ruleset *rules;
	struct rf_index_node *node;
	struct rf_flow *flow;
	struct rf_rule *rule;
	u32 delayed_by = 0, hits = 0;
	u64 delay = 0;

	if (!op->sequential || READ_ONCE(dir->needs) & BIT(RF_NEEDS_BLACKHOLE))
		return hook_plain_any(hook, skb, bth, came);
	spin_lock(&dir->lock);
	rules = rcu_dereference_protected(dir->rules, lockdep_is_held(&dir->lock));
	rf_plain_read(&p, skb, rf_dir_ip(dir, skb), bth, len, op);
	flow = rules ? rf_flow_next(dir->flows, &p) : NULL;
	if (unlikely(!flow)) {
		spin_unlock(&dir->lock);
		return hook_plain_any(hook, skb, bth, came);
	}
	/* If the delay queue is full, an ACK has not reached its receiver. */
	if (op->response && test_bit(RF_NEEDS_TIME, &dir->needs))
		return hook_plain_next(hook, skb, bth, len, op, came, flow);
	if (likely(rules->quick_by == RF_BY_QP))
		node = hook_skip_never(rf_index_first(rules->index, RF_BY_QP, p.qp));
	else if (likely(rules->quick_by == RF_BY_NOTHING))
		node = rules->quick_first;
	else
		return hook_plain_next(hook, skb, bth, len, op, came, flow);

	for (; node; node = hook_skip_never(rf_index_from(node->next, node->value))) {
		rule = node->rule;
		rule->counters.matched++;
		if (rule->trigger.set && !rf_quick_triggers(rule, flow))
			continue;
		rule->counters.hits++;
		rule->counters.bytes += len;
		if (rule->quick == RF_QUICK_DROP ||
		    (rule->quick == RF_QUICK_MARK &&
		     rf_quick_mark(dir, skb, rule, flow) == RF_DROP)) {
			rf_decide_count(dir, rf_frame_len(dir, skb), len, true, RF_DROP);
			spin_unlock(&dir->lock);
			return hook_verdict(skb, RF_DROP);
		}
		if (rule->quick == RF_QUICK_DELAY) {
			delay += rule->action[0].delay;
			delayed_by = rule->id;
		}
		hits++;
	}
	rf_decide_count(dir, rf_frame_len(dir, skb), len, hits, RF_PASS);
	if (delayed_by || (op->response && rf_dir_knows_requests(dir->other)) ||
	    unlikely(rf_delayq_is_waited(&dir->delayq)))
		return hook_plain_end(hook, skb, len, came, flow, delay, delayed_by);
	spin_unlock(&dir->lock);
	if (dir->direction == RF_RX)
		return NF_ACCEPT;
	return hook_egress_end(hook, dir, skb, NF_ACCEPT);
}

/* Packets that are not plain, pause frames, and all packets while there are no rules */
static noinline unsigned int hook_ingress_any(struct rf_hook *hook,
					      struct sk_buff *skb)
{
	struct rf_dir *dir = hook->dir;

	if (rf_dir_is_armed(dir) && skb->protocol != htons(ETH_P_PAUSE))
		return hook_evaluate_any(dir, skb, skb_network_offset(skb),
					 skb->protocol, rf_dir_time(dir));
	rf_stats_add2(dir->stats, RF_STAT_PACKETS, 1, rf_frame_len(dir, skb));
	if (skb->protocol != htons(ETH_P_PAUSE) || !rf_pfc_receive(hook->queue->pfc, skb))
		return NF_ACCEPT;
	consume_skb(skb);
	return NF_STOLEN;
}

/* @rules: the rules if only the QPs are tracked that they name, otherwise NULL */
static __always_inline unsigned int hook_ingress_find(struct rf_hook *hook,
						      struct sk_buff *skb,
						      const struct rf_ruleset *rules,
						      __be16 protocol)
{
	u32 ip = skb_network_offset(skb), len;
	struct rf_dir *dir = hook->dir;
	const struct rf_opcode *op;
	const u8 *bth;

	if (!rf_plain_find(skb, ip, protocol, &bth, &len, &op))
		return hook_ingress_any(hook, skb);
	if (!rules || !hook_is_untracked(rules, bth))
		return hook_plain(hook, skb, bth, len, op, rf_dir_time(dir));
	hook_count(dir, len, skb->len + ETH_HLEN);
	return NF_ACCEPT;
}

/* Not IPv4 */
static noinline unsigned int hook_ingress_other(struct rf_hook *hook, struct sk_buff *skb,
						const struct rf_ruleset *rules)
{
	return hook_ingress_find(hook, skb, rules, skb->protocol);
}

static __always_inline unsigned int hook_ingress_evaluate(struct rf_hook *hook,
							  struct sk_buff *skb,
							  const struct rf_ruleset *rules)
{
	if (rf_trace_enabled())
		return hook_ingress_any(hook, skb);
	if (unlikely(skb->protocol != htons(ETH_P_IP)))
		return hook_ingress_other(hook, skb, rules);
	return hook_ingress_find(hook, skb, rules, htons(ETH_P_IP));
}

/* All QPs are tracked, or there are no rules. */
static noinline unsigned int hook_ingress_all(struct rf_hook *hook, struct sk_buff *skb,
					      unsigned long needs)
{
	if (!needs)
		return hook_ingress_any(hook, skb);
	return hook_ingress_evaluate(hook, skb, NULL);
}

/* Everything is inline that a plain packet to an untracked QP needs. */
static unsigned int hook_ingress(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	struct rf_hook *hook = priv;
	struct rf_dir *dir = hook->dir;
	unsigned long needs = READ_ONCE(dir->needs);
	const struct rf_ruleset *rules = rcu_dereference_bh(dir->rules);

	if (unlikely(!rules || rf_needs_all(needs)))
		return hook_ingress_all(hook, skb, needs);
	return hook_ingress_evaluate(hook, skb, rules);
}

/*
 * A packet with an Ethernet header. @rules: the rules if only the QPs are tracked that
 * they name, otherwise NULL. @protocol: EtherType
 */
static __always_inline unsigned int hook_egress_find(struct rf_hook *hook,
						     struct sk_buff *skb,
						     const struct rf_ruleset *rules,
						     u64 came, __be16 protocol)
{
	const struct rf_opcode *op;
	const u8 *bth;
	u32 len;

	if (!rf_plain_find(skb, ETH_HLEN, protocol, &bth, &len, &op))
		return hook_egress_any(hook, skb, came);
	if (!rules || !hook_is_untracked(rules, bth))
		return hook_plain(hook, skb, bth, len, op, came);
	hook_count(hook->dir, len, qdisc_pkt_len(skb));
	return hook_accept(hook, skb);
}

/* Not IPv4 */
static noinline unsigned int hook_egress_other(struct rf_hook *hook, struct sk_buff *skb,
					       const struct rf_ruleset *rules, u64 came)
{
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;

	return hook_egress_find(hook, skb, rules, came, eth->h_proto);
}

static __always_inline unsigned int hook_egress_evaluate(struct rf_hook *hook,
							 struct sk_buff *skb,
							 const struct rf_ruleset *rules,
							 u64 came)
{
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;

	if (rf_trace_enabled() || skb_headlen(skb) < ETH_HLEN + RF_PLAIN_MIN)
		return hook_egress_any(hook, skb, came);
	if (unlikely(eth->h_proto != htons(ETH_P_IP)))
		return hook_egress_other(hook, skb, rules, came);
	return hook_egress_find(hook, skb, rules, came, htons(ETH_P_IP));
}

/*
 * Rules delay packets, or the delay queue is not empty. Packets that are due leave
 * before this packet; the timer may be late.
 */
static noinline unsigned int hook_egress_timed(struct rf_hook *hook, struct sk_buff *skb,
					       unsigned long needs)
{
	struct rf_dir *dir = hook->dir;
	const struct rf_ruleset *rules;
	u64 came = rf_dir_time(dir);

	if (hook_is_due(dir, came))
		hook_release(hook);
	if (!needs)
		return hook_egress_any(hook, skb, came);
	rules = rf_needs_all(needs) ? NULL : rcu_dereference_bh(dir->rules);
	return hook_egress_evaluate(hook, skb, rules, came);
}

/* All QPs are tracked, or there are no rules, or hook_egress_timed(). */
static noinline unsigned int hook_egress_all(struct rf_hook *hook, struct sk_buff *skb,
					     unsigned long needs)
{
	if (rf_delayq_next(&hook->dir->delayq) != U64_MAX || needs & BIT(RF_NEEDS_TIME))
		return hook_egress_timed(hook, skb, needs);
	if (unlikely(!needs))
		return hook_egress_any(hook, skb, 0);
	return hook_egress_evaluate(hook, skb, NULL, 0);
}

/* Everything is inline that a plain packet to an untracked QP needs. */
static unsigned int hook_egress(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	struct rf_hook *hook = priv;
	struct rf_dir *dir = hook->dir;
	unsigned long needs = READ_ONCE(dir->needs);
	const struct rf_ruleset *rules = rcu_dereference_bh(dir->rules);

	if (unlikely(!rules || rf_delayq_next(&dir->delayq) != U64_MAX ||
		     rf_needs_all(needs) || needs & BIT(RF_NEEDS_TIME)))
		return hook_egress_all(hook, skb, needs);
	return hook_egress_evaluate(hook, skb, rules, 0);
}

/*
 * What the netdev has counted, with the packets that the port has seen and the
 * netdev hasn't: those in the queues and, on tx, those that the qdisc dropped.
 */
static struct rf_hook_count hook_netdev_count(const struct rf_hook *hook)
{
	const struct Qdisc *sch = hook->queue->sch;
	const struct rf_dir *dir = hook->dir;
	struct rtnl_link_stats64 stats;

	dev_get_stats(dir->dev, &stats);
	if (dir->direction == RF_RX)
		return (struct rf_hook_count){ stats.rx_packets, stats.rx_bytes };
	return (struct rf_hook_count){
		.packets = stats.tx_packets + READ_ONCE(sch->q.qlen) +
			   READ_ONCE(sch->qstats.drops) +
			   rf_delayq_count(&dir->delayq),
		.bytes = stats.tx_bytes + READ_ONCE(sch->qstats.backlog) +
			 READ_ONCE(dir->delayq.bytes),
	};
}

/**
 * rf_hook_init - prepare the hook and the timer of a direction
 * @hook: the hook
 * @dir: the direction
 * @queue: the queues of the port
 *
 * Context: process.
 */
void rf_hook_init(struct rf_hook *hook, struct rf_dir *dir, struct rf_prioq *queue)
{
	bool rx = dir->direction == RF_RX;

	hook->dir = dir;
	hook->queue = queue;
	dir->delayq.schedule = hook_schedule;
	dir->delayq.data = hook;
	hook->ops = (struct nf_hook_ops){
		.hook = rx ? hook_ingress : hook_egress,
		.priv = hook,
		.dev = dir->dev,
		.pf = NFPROTO_NETDEV,
		.hooknum = rx ? NF_NETDEV_INGRESS : NF_NETDEV_EGRESS,
		.priority = rx ? INT_MIN : INT_MAX,
	};
	hook->netdev = hook_netdev_count(hook);
	hrtimer_setup(&hook->timer, hook_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/*
 * While the hook is not registered, the netdev counts the packets. A netdev may
 * begin again at 0.
 */
static void hook_add_unseen(const struct rf_hook *hook, u64 *packets, u64 *bytes)
{
	struct rf_hook_count now = hook_netdev_count(hook);

	*packets = hook->seen.packets;
	*bytes = hook->seen.bytes;
	if (now.packets < hook->netdev.packets || now.bytes < hook->netdev.bytes)
		return;
	*packets += now.packets - hook->netdev.packets;
	*bytes += now.bytes - hook->netdev.bytes;
}

/**
 * rf_hook_get - see the packets of a direction
 * @hook: the hook
 *
 * Context: process, under rf_ports_lock.
 * Return: 0 or a negative errno.
 */
int rf_hook_get(struct rf_hook *hook)
{
	u64 packets, bytes, sum[RF_STATS];
	int err;

	if (!hook->users) {
		err = nf_register_net_hook(dev_net(hook->ops.dev), &hook->ops);
		if (err)
			return err;
		rf_stats_sum(hook->dir->stats, sum);
		hook_add_unseen(hook, &packets, &bytes);
		local_bh_disable();
		rf_stats_add2(hook->dir->stats, RF_STAT_PACKETS,
			      packets - sum[RF_STAT_PACKETS],
			      bytes - sum[RF_STAT_BYTES]);
		local_bh_enable();
	}
	hook->users++;
	return 0;
}

/**
 * rf_hook_put - undo rf_hook_get()
 * @hook: the hook
 *
 * A hook that is running goes on for up to an RCU grace period, which this
 * function doesn't wait for.
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_put(struct rf_hook *hook)
{
	u64 sum[RF_STATS];

	if (--hook->users)
		return;
	rf_stats_sum(hook->dir->stats, sum);
	hook->netdev = hook_netdev_count(hook);
	hook->seen.packets = sum[RF_STAT_PACKETS];
	hook->seen.bytes = sum[RF_STAT_BYTES];
	nf_unregister_net_hook(dev_net(hook->ops.dev), &hook->ops);
}

/**
 * rf_hook_count - replace the number of packets if the hook doesn't count them
 * @hook: the hook
 * @sum: the counters of its direction, not relative to the last reset
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_count(const struct rf_hook *hook, u64 sum[RF_STATS])
{
	if (!hook->users)
		hook_add_unseen(hook, &sum[RF_STAT_PACKETS], &sum[RF_STAT_BYTES]);
}

/*
 * Does a configuration need the hook of a direction? On rx, PFC needs it. On tx,
 * limits and ECN profiles need it if packets go past the qdisc.
 */
static bool hook_is_needed(const struct rf_hook *hook, const struct rf_conf *conf)
{
	if (!conf)
		return false;
	if (hook->dir->direction == RF_RX)
		return rf_conf_lossless(conf);
	return conf->shapes && !READ_ONCE(hook->queue->sch->enqueue) &&
	       !rf_prioq_needs_qdisc(hook->queue, conf);
}

/**
 * rf_hook_put_conf - unregister hooks, after a configuration was published
 * @hook: the two hooks of the port
 * @conf: the configuration, or NULL if the port ends
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_put_conf(struct rf_hook *hook, const struct rf_conf *conf)
{
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++, hook++) {
		if (!hook->conf || hook_is_needed(hook, conf))
			continue;
		hook->conf = false;
		rf_hook_put(hook);
	}
}

/**
 * rf_hook_get_conf - register hooks, before a configuration is published
 * @hook: the two hooks of the port
 * @conf: the configuration
 *
 * Context: process, under rf_ports_lock.
 * Return: 0 or a negative errno.
 */
int rf_hook_get_conf(struct rf_hook *hook, const struct rf_conf *conf)
{
	int direction, err;

	for (direction = 0; direction < RF_DIRS; direction++) {
		if (hook[direction].conf || !hook_is_needed(&hook[direction], conf))
			continue;
		err = rf_hook_get(&hook[direction]);
		if (err)
			goto undo;
		hook[direction].conf = true;
	}
	return 0;

undo:
	rf_hook_put_conf(hook,
			 rcu_dereference_protected(hook->queue->conf,
						   lockdep_is_held(hook->dir->conf_lock)));
	return err;
}

/**
 * rf_hook_end - see no more packets, and free those in the delay queues
 * @hook: the two hooks of a port without rules
 *
 * A hook that is running goes on for up to an RCU grace period, which this
 * function doesn't wait for: what the hook can start must be closed.
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_end(struct rf_hook *hook)
{
	int direction;

	rf_hook_put_conf(hook, NULL);
	for (direction = 0; direction < RF_DIRS; direction++, hook++) {
		rf_delayq_close(&hook->dir->delayq);
		hrtimer_cancel(&hook->timer);
	}
}
