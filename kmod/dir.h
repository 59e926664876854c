/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DIR_H
#define RF_DIR_H

#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/hrtimer.h>
#include <linux/if_ether.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <net/sch_generic.h>

#include "delayq.h"
#include "stats.h"

#define RF_TX	RDMAFAULT_DIRECTION_TX
#define RF_RX	RDMAFAULT_DIRECTION_RX
#define RF_DIRS	2

struct Qdisc;
struct net_device;
struct rf_cnp_point;
struct rf_desc;
struct rf_flows;
struct rf_path;
struct rf_ring;
struct rf_ruleset;

/**
 * struct rf_progress - progress of a job, as it was announced; published whole
 * @step: the current step of the job
 * @messages: messages per flow and step, 0 if unknown
 * @messages_total: messages per flow, 0 if unknown
 * @ports: number of ports that use this
 * @rcu: packets can read this for a grace period after the last port has dropped it
 */
struct rf_progress {
	u32 step;
	u32 messages;
	u32 messages_total;
	refcount_t ports;
	struct rcu_head rcu;
};

/**
 * enum rf_need - bits of @needs of struct rf_dir: why packets are evaluated
 * @RF_NEEDS_RULES: the direction has rules
 * @RF_NEEDS_FLOWS: a rule of this direction needs all flows
 * @RF_NEEDS_ALL: rules need all flows; if this bit is clear, they need only the flows
 *	of the QPs that they name
 * @RF_NEEDS_WATCH: the other flows are tracked, too, because a tracepoint was enabled
 * @RF_NEEDS_TIME: a rule delays packets, and a delay counts from the packet's
 *	arrival
 * @RF_NEEDS_PEER: a rule of the other direction needs the QP of the peer, which is
 *	known from responses
 * @RF_NEEDS_BLACKHOLE: a blackhole drops all packets
 * @RF_NEEDS_RING: packets are recorded; this alone evaluates none
 * @RF_NEEDS_DCQCN: CNPs are sent or received, which needs all flows
 */
enum rf_need {
	RF_NEEDS_RULES,
	RF_NEEDS_FLOWS,
	RF_NEEDS_ALL,
	RF_NEEDS_WATCH,
	RF_NEEDS_TIME,
	RF_NEEDS_PEER,
	RF_NEEDS_BLACKHOLE,
	RF_NEEDS_RING,
	RF_NEEDS_DCQCN,
};

/**
 * struct rf_dir - one direction of a port
 * @needs: bits of enum rf_need; 0 if no packet is evaluated or recorded. Set after
 *	@rules, read without a lock
 * @direction: RDMAFAULT_DIRECTION_*
 * @lock: serialises the evaluation of packets, and the publishing of rules; taken in
 *	softirq
 * @rules: the rules, NULL if there are none; changed under @lock
 * @flows: the flows, NULL if neither rules nor DCQCN need them; under @lock
 * @np: the notification point, on rx; NULL if the port sends no CNPs; under @lock
 * @progress: progress of the job, NULL before the first announcement; changed under
 *	@lock
 * @dscp_prio: priority by DSCP, of the configuration of the queues
 * @ring: the latest packets, NULL if they are not recorded; changed under rf_ports_lock
 * @max_hold: longest time that a packet is delayed, in nanoseconds
 * @blackhole_until: time in ktime_get_ns() at which the blackhole ends, or 0
 * @stats: counters
 * @delayq: delayed packets
 * @dev: the netdev, to which the port has a reference
 * @other: the other direction of the port
 * @conf_lock: the lock of struct rf_ports, under which rules are changed
 * @draw_port: rf_draw_port() of the port's name; under rf_ports_lock
 * @stats_base: sums of @stats at the last reset
 */
struct rf_dir {
	unsigned long needs;
	u32 direction;
	spinlock_t lock;
	struct rf_ruleset __rcu *rules;
	struct rf_flows *flows;
	struct rf_cnp_point *np;
	struct rf_progress __rcu *progress;
	const u8 __rcu *dscp_prio;
	struct rf_ring __rcu *ring;
	u64 max_hold;
	u64 blackhole_until;
	struct rf_stats __percpu *stats;
	struct rf_delayq delayq;
	struct net_device *dev;
	struct rf_dir *other;
	struct mutex *conf_lock;
	u64 draw_port;
	u64 stats_base[RF_STATS];
};

/* Packets and their bytes */
struct rf_hook_count {
	u64 packets;
	u64 bytes;
};

/**
 * struct rf_tap - functions of the queues of a port for the packets of a hook
 * @arrive: gets the packets of rx before the rules; NULL while it isn't needed
 * @accept: gets the packets that the rules have passed; it returns false if it has freed
 *	the packet
 * @cnp: gets the CNPs that the rules of rx have passed, with the destination QP of their flow;
 *	it returns false if it cannot use one. NULL while CNPs are not obeyed
 *
 * Context: softirq or BH off.
 */
struct rf_tap {
	void (*arrive)(struct rf_tap *tap, struct sk_buff *skb);
	bool (*accept)(struct rf_tap *tap, struct sk_buff *skb);
	bool (*cnp)(struct rf_tap *tap, const struct rf_desc *cnp, u32 qp);
};

/**
 * struct rf_hook - the hook of one direction of a port
 * @dir: the direction
 * @tap: gets the packets; on rx, it accepts only the pause frames. NULL if the queues of
 *	the port need none
 * @path: chooses the links of the packets that arrive; NULL if the bridge forwards them
 * @ops: the netfilter hook
 * @timer: releases packets from the delay queue of @dir
 * @releasing: bit 0: a CPU is releasing packets
 * @users: how often the hook is needed
 * @registered: the hook is registered: it is needed, or packets wait in the delay
 *	queue, whose way depends on the hook
 * @sch: the qdisc of the port, which also counts packets on tx; NULL if there is none
 * @seen: what the hook had counted when it was unregistered
 * @netdev: what the netdev had counted then
 *
 * @users and the members after it are changed under rf_ports_lock.
 */
struct rf_hook {
	struct rf_dir *dir;
	struct rf_tap __rcu *tap;
	struct rf_path __rcu *path;
	struct nf_hook_ops ops;
	struct hrtimer timer;
	unsigned long releasing;
	u32 users;
	bool registered;
	const struct Qdisc *sch;
	struct rf_hook_count seen;
	struct rf_hook_count netdev;
};

/* hook.c: process context */
void rf_hook_init(struct rf_hook *hook, struct rf_dir *dir);
void rf_hook_end(struct rf_hook *hook);

/* hook.c: process context, under rf_ports_lock */
int rf_hook_get(struct rf_hook *hook);
void rf_hook_put(struct rf_hook *hook);
bool rf_hook_unregister_idle(struct rf_hook *hook);
void rf_hook_set_qdisc(struct rf_hook *hook, const struct Qdisc *sch);
void rf_hook_count(const struct rf_hook *hook, u64 sum[RF_STATS]);

/**
 * rf_dir_time - get the time if a rule needs it
 * @dir: the direction
 *
 * Return: ktime_get_ns(), or 0 if no rule delays packets.
 */
static inline u64 rf_dir_time(const struct rf_dir *dir)
{
	return test_bit(RF_NEEDS_TIME, &dir->needs) ? ktime_get_ns() : 0;
}

/**
 * rf_frame_len - get the length of a frame, as the counters count it
 * @dir: the direction of the packet
 * @skb: the packet, in the hook
 *
 * Return: bytes; with the headers of all its frames if the packet is GSO on tx.
 */
static inline u32 rf_frame_len(const struct rf_dir *dir, const struct sk_buff *skb)
{
	return dir->direction == RF_TX ? qdisc_pkt_len(skb) : skb->len + ETH_HLEN;
}

/**
 * rf_dir_rules - get the rule set of a direction
 * @dir: the direction
 *
 * Context: under rf_ports_lock or the lock of the direction.
 * Return: the rule set, or NULL without rules.
 */
static inline struct rf_ruleset *rf_dir_rules(const struct rf_dir *dir)
{
	return rcu_dereference_protected(dir->rules,
					 lockdep_is_held(dir->conf_lock) ||
					 lockdep_is_held(&dir->lock));
}

/**
 * rf_dir_watches - test whether flows are tracked that no rule needs
 * @dir: the direction
 *
 * Return: true if they are; without a lock, it may be outdated.
 */
static inline bool rf_dir_watches(const struct rf_dir *dir)
{
	return READ_ONCE(dir->needs) & (BIT(RF_NEEDS_WATCH) | BIT(RF_NEEDS_BLACKHOLE));
}

/**
 * rf_dir_sees_all - test whether all packets are evaluated
 * @dir: the direction
 *
 * Return: true if they are; false if only packets to the QPs that rules name, and NAKs,
 * are evaluated. Without a lock, it may be outdated.
 */
static inline bool rf_dir_sees_all(const struct rf_dir *dir)
{
	return READ_ONCE(dir->needs) & (BIT(RF_NEEDS_ALL) | BIT(RF_NEEDS_WATCH) |
					BIT(RF_NEEDS_BLACKHOLE));
}

/**
 * rf_dir_knows_requests - test whether the request flows of responses are known
 * @requests: the direction of the requests
 *
 * A response doesn't name its flow, so all flows of requests must be tracked.
 *
 * Context: softirq or BH off.
 * Return: true if they are; without the lock of @requests, it may be outdated.
 */
static inline bool rf_dir_knows_requests(const struct rf_dir *requests)
{
	return test_bit(RF_NEEDS_ALL, &requests->needs) && READ_ONCE(requests->flows);
}

#endif
