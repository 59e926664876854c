/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_PACER_H
#define RF_QUEUE_PACER_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <net/sch_generic.h>

#include "../dcqcn/pace.h"
#include "../dcqcn/rp.h"
#include "../report.h"

struct net_device;
struct rf_class;
struct rf_conf;
struct rf_stats;

/* The most flows of a port, and its hash table */
#define RF_PACER_FLOWS		1024
#define RF_PACER_BITS		10
/* The most READ responses of a flow that wait. rxe limits its requests. */
#define RF_PACER_RESPONSES	1024
/* With more memory of packets that wait, in bytes, no further READ response waits. */
#define RF_PACER_TRUESIZE	(64ULL << 20)

/**
 * struct rf_pacer_key - a flow: the packets from one address to one destination QP
 * @saddr: source address, followed by 0
 * @daddr: destination address, followed by 0
 * @addr_len: bytes of an address, 4 or 16
 * @qp: destination QP
 */
struct rf_pacer_key {
	u8 saddr[16];
	u8 daddr[16];
	u32 addr_len;
	u32 qp;
};

/**
 * struct rf_pacer_flow - a flow that has received CNPs
 * @node: in the hash table of the pacer
 * @used: in the list of the pacer
 * @due: in the tree of the pacer while packets wait
 * @due_at: when the first of them departs
 * @key: the flow
 * @rp: its rate
 * @pace: its pace
 * @fifo: the packets that wait
 * @responses: number of READ responses among them
 * @cnps: number of CNPs received
 * @paced: number of packets that have waited
 */
struct rf_pacer_flow {
	struct hlist_node node;
	struct list_head used;
	struct rb_node due;
	u64 due_at;
	struct rf_pacer_key key;
	struct rf_rp rp;
	struct rf_pace pace;
	struct qdisc_skb_head fifo;
	u32 responses;
	u64 cnps;
	u64 paced;
};

/**
 * struct rf_pacer - the flows of a port whose rates CNPs have limited
 * @dev: the netdev
 * @scaled: the parameters of the rates
 * @overhead: bytes of a frame on the link outside of its header and payload
 * @max_hold: the longest time that a packet waits, in nanoseconds
 * @stats: counters of the tx direction of the port
 * @flows: the flows, by hash of the key
 * @used: the flows, last used first
 * @due: the flows with waiting packets, by @due_at
 * @count: number of flows
 * @truesize: memory of the packets that wait
 *
 * Protected by the lock of the qdisc.
 */
struct rf_pacer {
	const struct net_device *dev;
	struct rf_rp_scaled scaled;
	u32 overhead;
	u64 max_hold;
	struct rf_stats __percpu *stats;
	DECLARE_HASHTABLE(flows, RF_PACER_BITS);
	struct list_head used;
	struct rb_root_cached due;
	u32 count;
	u64 truesize;
};

/**
 * enum rf_pacer_verdict - what the pacer does with a packet
 * @RF_PACER_PASS: the packet goes on
 * @RF_PACER_HELD: the packet waits, and the pacer owns it
 * @RF_PACER_DROP: the packet is to be dropped; it is counted
 */
enum rf_pacer_verdict {
	RF_PACER_PASS,
	RF_PACER_HELD,
	RF_PACER_DROP,
};

/* pacer.c: process context */
struct rf_pacer *rf_pacer_alloc(const struct net_device *dev);
void rf_pacer_free(struct rf_pacer *pacer);

/* pacer.c: the lock of the qdisc held */
void rf_pacer_configure(struct rf_pacer *pacer, const struct rf_conf *conf);
struct rf_pacer_flow *rf_pacer_find(struct rf_pacer *pacer, const struct rf_pacer_key *key);
bool rf_pacer_cnp(struct rf_pacer *pacer, const struct rf_pacer_key *key, u64 now);
enum rf_pacer_verdict rf_pacer_enqueue(struct rf_pacer *pacer, struct sk_buff *skb,
				       const struct rf_class *class, const u8 *dscp_prio, u64 now);
struct sk_buff *rf_pacer_dequeue(struct rf_pacer *pacer, u64 now);
void rf_pacer_read(struct rf_pacer *pacer, struct rf_pacer_flow *flow, u64 now,
		   struct rf_dcqcn_flow *info);

/**
 * rf_pacer_next - get the time at which the next packet departs
 * @pacer: the pacer
 *
 * Context: the lock of the qdisc held.
 * Return: the time, U64_MAX if no packet waits.
 */
static inline u64 rf_pacer_next(const struct rf_pacer *pacer)
{
	struct rb_node *first = rb_first_cached(&pacer->due);

	return first ? rb_entry(first, struct rf_pacer_flow, due)->due_at : U64_MAX;
}

#endif
