// SPDX-License-Identifier: GPL-2.0
/*
 * The netfilter hooks of a port: ingress for packets that arrive at the netdev,
 * egress for packets that leave it. Both evaluate the rules of their direction.
 *
 * Ingress runs before bridges and before the IP stack, with the VLAN tag taken
 * off. Our hook is the first one there. Egress runs before tc's egress
 * classifiers and before the qdisc. Our hook is the last one there. A hook with the
 * same priority that is registered later runs before ours. A packet that is released
 * from the delay queue only passes the hooks behind ours.
 *
 * A hook is registered only while it is needed, for rules, for the queues or for the path
 * of the port, and then until its delay queue is empty. A port without these costs nothing.
 * Then the netdev counts the packets.
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
 *
 * The path of a port, if it has one, takes packets of rx after the rules and after the hooks
 * behind ours, and sends them over a link. The bridge and the stack don't see these packets.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>
#include <net/sch_generic.h>

#include "compat/hrtimer.h"
#include "compat/qdisc.h"
#include "dcqcn/cnp.h"
#include "dir.h"
#include "fault/fault.h"
#include "path/forward.h"
#include "ring.h"
#include "rocev2/rocev2.h"
#include "rule/rule.h"
#include "flow/flow.h"
#include "trace.h"

#ifndef CONFIG_NET_CLS_ACT
#error "rdmafault needs a kernel with CONFIG_NET_CLS_ACT"
#endif
#ifndef CONFIG_NETFILTER_EGRESS
#error "rdmafault needs a kernel with CONFIG_NETFILTER_EGRESS"
#endif

/*
 * The most packets that one run of the timer releases, without those that only follow
 * them. These are as many as the netdev receives meanwhile (netdev_budget, default 300).
 */
#define RELEASE_BUDGET	64
#define RELEASE_BATCHES	8

/* The number of packets on the wire; more than 1 only if the packet isn't RoCEv2 */
static u32 hook_frames(const struct rf_dir *dir, const struct sk_buff *skb)
{
	if (dir->direction == RF_TX && skb_is_gso(skb))
		return skb_shinfo(skb)->gso_segs;
	return 1;
}

/* Count a packet. @h: its headers, if it is RoCEv2 */
static __always_inline void hook_count(struct rf_dir *dir, const struct sk_buff *skb,
				       enum rf_seen seen, const struct rf_headers *h)
{
	struct rf_stats *s = this_cpu_ptr(dir->stats);

	u64_stats_update_begin(&s->syncp);
	u64_stats_add(&s->n[RF_STAT_BYTES], rf_frame_len(dir, skb));
	if (likely(seen == RF_SEEN_ROCE)) {
		u64_stats_inc(&s->n[RF_STAT_PACKETS]);
		u64_stats_inc(&s->n[RF_STAT_ROCE]);
		u64_stats_add(&s->n[RF_STAT_ROCE_BYTES], h->len);
	} else {
		u64_stats_add(&s->n[RF_STAT_PACKETS], hook_frames(dir, skb));
		u64_stats_add(&s->n[RF_STAT_MALFORMED], seen == RF_SEEN_MALFORMED);
	}
	u64_stats_update_end(&s->syncp);
}

/*
 * Is the packet evaluated? A packet to a QP that no rule names isn't, unless it is a
 * NAK, because NAKs are counted for all QPs. RF_NEEDS_ALL is set before a rule for all
 * QPs is published.
 */
static __always_inline bool hook_is_decided(const struct rf_dir *dir, unsigned long needs,
					    const struct rf_headers *h)
{
	const struct rf_ruleset *rules = rcu_dereference_bh(dir->rules);

	if (!rules)
		return needs & ~BIT(RF_NEEDS_RING);
	return rf_trace_enabled() || rf_dir_sees_all(dir) ||
	       rf_qp_filter_names(rules->filter, rf_bth_qp(h->bth)) ||
	       rf_headers_are_nak(h);
}

/* Evaluate the rules for a packet that is recorded, too. */
static noinline enum rf_verdict hook_record(struct rf_dir *dir, unsigned long needs,
					    struct sk_buff *skb,
					    const struct rf_headers *h, u64 came)
{
	struct rf_ring *ring = rcu_dereference_bh(dir->ring);
	enum rf_verdict verdict = RF_UNDECIDED;
	u64 pos = 0;

	if (ring)
		pos = rf_ring_record(ring, skb, h);
	if (hook_is_decided(dir, needs, h))
		verdict = rf_dir_decide(dir, skb, h, came);
	if (ring && (verdict == RF_DROP || verdict == RF_DELAYED))
		rf_ring_set_verdict(ring, pos, verdict);
	return verdict;
}

/*
 * The way of each packet: find its headers, count it, evaluate the rules. @protocol is
 * the EtherType of the header at @offset from skb->data. Return: the verdict, or
 * RF_UNDECIDED if no rule was evaluated.
 */
static __always_inline enum rf_verdict hook_evaluate(struct rf_dir *dir,
						     struct sk_buff *skb, int offset,
						     __be16 protocol, u64 came)
{
	struct rf_headers headers __uninitialized;
	unsigned long needs = READ_ONCE(dir->needs);
	enum rf_seen seen = RF_SEEN_OTHER;

	if (likely(needs))
		seen = rf_packet_find(skb, offset, protocol, &headers);
	hook_count(dir, skb, seen, &headers);
	if (seen != RF_SEEN_ROCE)
		return RF_UNDECIDED;
	if (unlikely(needs & BIT(RF_NEEDS_RING)))
		return hook_record(dir, needs, skb, &headers, came);
	if (!hook_is_decided(dir, needs, &headers))
		return RF_UNDECIDED;
	return rf_dir_decide(dir, skb, &headers, came);
}

/*
 * Evaluate the hooks behind ours. Return: false if one of them has taken the packet.
 */
static bool hook_others_accept(struct rf_hook *hook, struct sk_buff *skb)
{
	struct net_device *dev = hook->dir->dev;
	const struct nf_hook_entries *entries;
	struct nf_hook_state state __uninitialized;
	u32 i = 0;

	entries = hook->dir->direction == RF_RX ? rcu_dereference(dev->nf_hooks_ingress) :
						  rcu_dereference(dev->nf_hooks_egress);
	while (entries && i < entries->num_hook_entries)
		if (entries->hooks[i++].priv == hook)
			break;
	if (!entries || i == entries->num_hook_entries)
		return true;
	nf_hook_state_init(&state, hook->ops.hooknum, NFPROTO_NETDEV, dev,
			   NULL, NULL, dev_net(dev), NULL);
	return nf_hook_slow(skb, &state, entries, i) == 1;
}

/*
 * Send a packet that the rules have passed over a link, if the port has a path and the packet
 * needs a link. Return: the packet was taken.
 */
static noinline bool hook_forward(struct rf_hook *hook, struct rf_path *path,
				  struct sk_buff *skb, bool others)
{
	struct rf_path_key key __uninitialized;

	if (!rf_path_takes(path, skb, &key))
		return false;
	if (!others || hook_others_accept(hook, skb))
		rf_path_send(path, skb, &key);
	return true;
}

/* A CNP is for the NIC, and the RDMA stack does not see it. Return: true if it is one. */
static bool hook_take_cnp(const struct rf_hook *hook, struct sk_buff *skb)
{
	struct rf_tap *tap;

	if (likely(!test_bit(RF_NEEDS_DCQCN, &hook->dir->needs)))
		return false;
	tap = rcu_dereference_bh(hook->tap);
	if (!tap || !rf_cnp_receive(hook->dir, tap, skb))
		return false;
	consume_skb(skb);
	return true;
}

static void hook_release_rx(struct rf_hook *hook, struct sk_buff *skb)
{
	struct rf_path *path;

	rcu_read_lock();
	path = rcu_dereference(hook->path);
	if (!netif_running(hook->dir->dev)) {
		kfree_skb(skb);
	} else if (hook_take_cnp(hook, skb)) {
		/* A rule has delayed it. */
	} else if (hook_others_accept(hook, skb) &&
		   !(path && hook_forward(hook, path, skb, false))) {
		/* tc's ingress has seen the packet already. */
		skb->tc_skip_classify = 1;
		netif_receive_skb_core(skb);
	}
	rcu_read_unlock();
}

/* The rules have passed the packet: let the queues of the port see it. */
static unsigned int hook_accept(const struct rf_hook *hook, struct sk_buff *skb)
{
	struct rf_tap *tap = rcu_dereference_bh(hook->tap);

	return likely(!tap) || tap->accept(tap, skb) ? NF_ACCEPT : NF_STOLEN;
}

static void hook_release_tx(struct rf_hook *hook, struct sk_buff *skb)
{
	rcu_read_lock();
	if (hook_others_accept(hook, skb)) {
		rf_qdisc_frame_init(skb);
		if (hook_accept(hook, skb) == NF_ACCEPT) {
			nf_skip_egress(skb, true);
			dev_queue_xmit(skb);
		}
	}
	rcu_read_unlock();
}

/*
 * Release due packets in batches; a batch reads the clock once. The packets of a batch
 * are in no queue until they are sent. So only one CPU releases packets at a time, and
 * packets that pass meanwhile follow them, to keep their order. A caller that finds
 * another one at work returns at once.
 *
 * From 6.12 on, rxe stores in each packet the monotonic time at which it made the
 * packet. A delayed packet arrives as from a wire: a capture at the far end shows
 * the time at which it arrived.
 *
 * Return: false if another CPU is at work.
 */
static bool hook_release(struct rf_hook *hook)
{
	struct rf_dir *dir = hook->dir;
	struct sk_buff *list, *skb;
	u32 budget = RELEASE_BUDGET, batches = RELEASE_BATCHES;

	if (test_and_set_bit_lock(0, &hook->releasing))
		return false;
	while (budget && batches-- &&
	       (list = rf_delayq_dequeue_due(&dir->delayq, budget))) {
		while ((skb = list)) {
			list = skb->next;
			skb_mark_not_on_list(skb);
			budget -= !rf_skb_cb(skb)->follows;
			if (dir->direction == RF_RX) {
				hook_release_rx(hook, skb);
				continue;
			}
			if (!rf_skb_cb(skb)->follows)
				skb_clear_tstamp(skb);
			hook_release_tx(hook, skb);
		}
	}
	rf_delayq_schedule(&dir->delayq);
	clear_bit_unlock(0, &hook->releasing);
	return true;
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

static enum hrtimer_restart hook_timer(struct hrtimer *timer)
{
	struct rf_hook *hook = container_of(timer, struct rf_hook, timer);

	if (!hook_release(hook))
		hook_schedule(hook, 0);
	return HRTIMER_NORESTART;
}

static unsigned int hook_verdict(struct sk_buff *skb, enum rf_verdict verdict)
{
	if (verdict == RF_PASS || verdict == RF_UNDECIDED)
		return NF_ACCEPT;
	if (verdict == RF_DROP)
		kfree_skb(skb);
	return NF_STOLEN;
}

static void hook_arrive(const struct rf_hook *hook, struct sk_buff *skb)
{
	struct rf_tap *tap = rcu_dereference_bh(hook->tap);
	void (*arrive)(struct rf_tap *tap, struct sk_buff *skb);

	arrive = tap ? READ_ONCE(tap->arrive) : NULL;
	if (unlikely(arrive))
		arrive(tap, skb);
}

static unsigned int hook_ingress(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	struct rf_hook *hook = priv;
	struct rf_dir *dir = hook->dir;
	enum rf_verdict verdict;
	struct rf_path *path;

	/* Before a rule changes the packet */
	hook_arrive(hook, skb);
	verdict = hook_evaluate(dir, skb, skb_network_offset(skb), skb->protocol,
				rf_dir_time(dir));
	if (unlikely(skb->protocol == htons(ETH_P_PAUSE)))
		return hook_accept(hook, skb);
	if (verdict != RF_PASS && verdict != RF_UNDECIDED)
		return hook_verdict(skb, verdict);
	if (hook_take_cnp(hook, skb))
		return NF_STOLEN;
	path = rcu_dereference_bh(hook->path);
	if (unlikely(path) && hook_forward(hook, path, skb, true))
		return NF_STOLEN;
	return hook_verdict(skb, verdict);
}

/*
 * Packets that are due leave before this packet; the timer may be late. Packets that
 * this packet releases (its copies, and reordered packets) follow it before another
 * packet of this CPU.
 */
static unsigned int hook_egress(void *priv, struct sk_buff *skb,
				const struct nf_hook_state *state)
{
	struct rf_hook *hook = priv;
	struct rf_dir *dir = hook->dir;
	struct ethhdr copy __uninitialized;
	const struct ethhdr *eth;
	enum rf_verdict verdict;
	u64 came;

	came = rf_dir_time(dir);
	if (rf_delayq_is_due(&dir->delayq, came))
		hook_release(hook);
	eth = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	verdict = hook_evaluate(dir, skb, ETH_HLEN, eth ? eth->h_proto : 0, came);
	if (verdict == RF_PASS && rf_delayq_is_due(&dir->delayq, 0)) {
		hook_release_tx(hook, skb);
		hook_release(hook);
		return NF_STOLEN;
	}
	if (verdict == RF_PASS || verdict == RF_UNDECIDED)
		return hook_accept(hook, skb);
	return hook_verdict(skb, verdict);
}

/*
 * What the netdev has counted, with the packets that the port has seen and the
 * netdev hasn't: those in the queues and, on tx, those that the qdisc dropped.
 */
static struct rf_hook_count hook_netdev_count(const struct rf_hook *hook)
{
	const struct rf_dir *dir = hook->dir;
	struct rtnl_link_stats64 stats;
	struct rf_hook_count count;

	dev_get_stats(dir->dev, &stats);
	if (dir->direction == RF_RX)
		return (struct rf_hook_count){ stats.rx_packets, stats.rx_bytes };
	count.packets = stats.tx_packets + rf_delayq_count(&dir->delayq);
	count.bytes = stats.tx_bytes + READ_ONCE(dir->delayq.bytes);
	if (hook->sch) {
		count.packets += READ_ONCE(hook->sch->q.qlen) +
				 READ_ONCE(hook->sch->qstats.drops);
		count.bytes += READ_ONCE(hook->sch->qstats.backlog);
	}
	return count;
}

/**
 * rf_hook_init - prepare the hook and the timer of a direction
 * @hook: the hook
 * @dir: the direction
 *
 * Context: process.
 */
void rf_hook_init(struct rf_hook *hook, struct rf_dir *dir)
{
	bool rx = dir->direction == RF_RX;

	hook->dir = dir;
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

	if (!hook->registered) {
		err = nf_register_net_hook(dev_net(hook->ops.dev), &hook->ops);
		if (err)
			return err;
		hook->registered = true;
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

static void hook_unregister(struct rf_hook *hook)
{
	u64 sum[RF_STATS];

	hook->registered = false;
	rf_stats_sum(hook->dir->stats, sum);
	hook->netdev = hook_netdev_count(hook);
	hook->seen.packets = sum[RF_STAT_PACKETS];
	hook->seen.bytes = sum[RF_STAT_BYTES];
	nf_unregister_net_hook(dev_net(hook->ops.dev), &hook->ops);
}

/**
 * rf_hook_unregister_idle - unregister a hook that isn't needed, if it can be
 * @hook: the hook
 *
 * A released packet finds its way by the place of our hook among the others. The core
 * clears its mark for the egress hooks only while one of them is registered.
 *
 * A hook that is running goes on for up to an RCU grace period, which this
 * function doesn't wait for.
 *
 * Context: process, under rf_ports_lock.
 * Return: false if the hook is still registered for packets in the delay queue.
 */
bool rf_hook_unregister_idle(struct rf_hook *hook)
{
	if (hook->users || !hook->registered)
		return true;
	if (rf_delayq_next(&hook->dir->delayq) != U64_MAX)
		return false;
	hook_unregister(hook);
	return true;
}

/**
 * rf_hook_put - undo rf_hook_get()
 * @hook: the hook
 *
 * While packets are in the delay queue, the hook stays registered. The caller calls
 * rf_hook_unregister_idle() later.
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_put(struct rf_hook *hook)
{
	hook->users--;
	rf_hook_unregister_idle(hook);
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
	if (!hook->registered)
		hook_add_unseen(hook, &sum[RF_STAT_PACKETS], &sum[RF_STAT_BYTES]);
}

/**
 * rf_hook_set_qdisc - change the qdisc that counts packets, too
 * @hook: the hook of tx
 * @sch: the new qdisc of the port, or NULL; the old one still exists
 *
 * Context: process, under rf_ports_lock.
 */
void rf_hook_set_qdisc(struct rf_hook *hook, const struct Qdisc *sch)
{
	if (!hook->registered)
		hook_add_unseen(hook, &hook->seen.packets, &hook->seen.bytes);
	hook->sch = sch;
	if (!hook->registered)
		hook->netdev = hook_netdev_count(hook);
}

/* Send the delayed packets. If the netdev is down, free them; it counts them. */
static void hook_drain(struct rf_hook *hook)
{
	struct net_device *dev = hook->dir->dev;
	struct rf_delayq *delayq = &hook->dir->delayq;
	bool done;
	u32 n;

	rf_delayq_flush(delayq);
	n = netif_running(dev) ? 0 : rf_delayq_purge(delayq);
	while (n--) {
		if (hook->dir->direction == RF_RX)
			dev_core_stats_rx_dropped_inc(dev);
		else
			dev_core_stats_tx_dropped_inc(dev);
	}
	do {
		local_bh_disable();
		/* Another CPU that is at work may still have packets. */
		done = hook_release(hook) && !rf_delayq_count(delayq);
		local_bh_enable();
		cond_resched();
	} while (!done);
}

/**
 * rf_hook_end - send the delayed packets in their order, and see no more packets
 * @hook: the hook of a port that no request can find, which is not needed any more
 *
 * The hook is registered until the last packet is sent, because the way of the packets
 * depends on it. A hook that is running goes on for up to an RCU grace period, which
 * this function doesn't wait for.
 *
 * Context: process, may sleep.
 */
void rf_hook_end(struct rf_hook *hook)
{
	rf_delayq_close(&hook->dir->delayq);
	hook_drain(hook);
	rf_hook_unregister_idle(hook);
	hrtimer_cancel(&hook->timer);
}
