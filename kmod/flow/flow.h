/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_H
#define RF_FLOW_H

#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "../rocev2/packet.h"
#include "psn_window.h"
#include "read_tracker.h"

struct rf_qp_filter;
struct sk_buff;

/*
 * struct rf_flow_counts - the counters of one flow
 * @has_peer: @peer_qp is known
 * @responses_seen: the responses cross the port in the other direction, so @timeouts
 *	is known; of a request flow
 *
 * The other members are the attributes of their names in the specification.
 */
struct rf_flow_counts {
	u64 packets;
	u64 bytes;
	u64 messages;
	u64 retransmitted;
	u64 retransmitted_bytes;
	u64 naks;
	u64 rnrs;
	u64 timeouts;
	u32 ordinal;
	u32 peer_qp;
	u32 max_attempt;
	bool has_peer;
	bool responses_seen;
};

/*
 * struct rf_flow_info - one flow, for netlink
 * @addr_len: bytes of the addresses, 4 or 16
 * @counts: its counters
 *
 * The other members are the attributes of their names in the specification.
 */
struct rf_flow_info {
	u8 saddr[16];
	u8 daddr[16];
	u32 addr_len;
	u32 qp;
	bool response;
	u32 first_psn;
	u32 highest_psn;
	struct rf_flow_counts counts;
};

/* As many buckets as flows; there are fewer groups. */
#define RF_FLOW_BITS	12
#define RF_FLOW_GROUP_BITS	10
#define RF_FLOW_CACHE	1024

enum rf_flow_kind {
	RF_FLOW_REQUESTS,
	RF_FLOW_RESPONSES,
	RF_FLOW_CNPS,
};

#define RF_PLAIN_NONE	U32_MAX

/*
 * A flow is moved in the list of recently used flows at most eight times a second: it is
 * removed only if it has been silent for ten seconds.
 */
#define RF_FLOW_USED	(HZ / 8)

/* @sender: see struct rf_desc; 0 except for datagrams */
struct rf_flow_key {
	u8 saddr[16];
	u8 daddr[16];
	u16 addr_len;
	u16 kind;
	u32 qp;
	u32 sender;
};

/**
 * struct rf_flow_group - flows of one kind between the same two addresses
 * @node: in the table of groups
 * @key: their key, with QPs of 0
 * @flows: number of flows
 * @last: ordinal of the newest flow
 */
struct rf_flow_group {
	struct hlist_node node;
	struct rf_flow_key key;
	u32 flows;
	u32 last;
};

/**
 * struct rf_flow_request - what a flow of responses remembers of its request flow
 * @flow: the request flow, NULL if it is unknown
 * @change: @flow is valid while this is @change of the table that it is in
 */
struct rf_flow_request {
	struct rf_flow *flow;
	u64 change;
};

/**
 * struct rf_flow - one flow
 * @node: in the table
 * @lookup: in the tree in which responses are looked up; of a request flow
 * @lookup_key: its key there: the QP of its peer, or the block of its highest PSN
 *	while the peer is unknown
 * @block: block of its highest PSN
 * @recent: in the list of recently used flows
 * @group: the group of the flow
 * @last: when it was last moved in that list, in jiffies
 * @key: its key
 * @id: see @flow_id of struct rf_desc
 * @key64: see struct rf_desc
 * @info: its counters
 * @beyond: number of packets whose attempt was above the highest number
 * @last_psn: PSN of the last packet
 * @next: the PSN that rf_flow_next() accepts, or RF_PSN_NONE
 * @plain_key: rf_plain_key(), or RF_PLAIN_NONE for datagrams, CNPs and packets
 *	to QP 1
 * @addrs: source and destination address of an IPv4 flow, as in its IP header
 * @step: the port's step at the last packet
 * @epoch: @epoch of the table at the last packet
 * @before_step: messages that had begun before the first packet of @step
 * @generation: tracking generation at the last packet, see struct rf_flows
 * @generation_psn: the first PSN of that generation
 * @nak_pending: a NAK has arrived, so going back is not caused by a timeout
 * @nak_psn: PSN of the last NAK or RNR NAK of a response flow
 * @nak_attempt: number of consecutive NAKs with that PSN
 * @request: the request flow of a response flow
 * @reads: the last READs of a request flow
 * @win: PSNs and messages
 */
struct rf_flow {
	struct hlist_node node;
	struct rb_node lookup;
	u32 lookup_key;
	u32 block;
	struct list_head recent;
	struct rf_flow_group *group;
	unsigned long last;
	struct rf_flow_key key;
	u64 id;
	u64 key64;
	struct rf_flow_counts info;
	u32 beyond;
	u32 last_psn;
	u32 next;
	u32 plain_key;
	u8 addrs[8];
	u32 step;
	u32 epoch;
	u64 before_step;
	u32 generation;
	u32 generation_psn;
	bool nak_pending;
	u8 nak_attempt;
	u32 nak_psn;
	union {
		struct rf_flow_request request;
		struct rf_reads reads;
	};
	struct rf_psn_window win;
};

/**
 * struct rf_flows - the flows of one direction
 * @table: by hash of the key
 * @groups: by hash of the key without its QPs
 * @lookup: request flows, by @group and @lookup_key
 * @change: a new number after each change of @lookup; no other table has the same
 * @recent: the flows of @table, last used first; see rf_flow_is_unused()
 * @cache: the last used flows, see rf_flow_cached()
 * @count: number of flows
 * @cnps: number of flows of CNPs
 * @generation: tracking generation: how often all flows have begun to be tracked
 * @epoch: how often a step has begun, or a generation
 *
 * The lock of the direction, struct rf_dir, protects all members.
 */
struct rf_flows {
	DECLARE_HASHTABLE(table, RF_FLOW_BITS);
	DECLARE_HASHTABLE(groups, RF_FLOW_GROUP_BITS);
	struct rb_root lookup;
	u64 change;
	struct list_head recent;
	struct rf_flow *cache[RF_FLOW_CACHE];
	u32 count;
	u32 cnps;
	u32 generation;
	u32 epoch;
};

/**
 * rf_flow_cached - the cached flow of a QP
 * @flows: the flows of the direction
 * @qp: the QP
 * @response: the flow of responses to the QP, not that of requests
 *
 * Return: its place in the cache, which can be empty or have the flow of another QP.
 */
static inline struct rf_flow **rf_flow_cached(struct rf_flows *flows, u32 qp,
					      bool response)
{
	return &flows->cache[(qp ^ response * RF_FLOW_CACHE / 2) % RF_FLOW_CACHE];
}

/* flow.c: process context */
struct rf_flows *rf_flows_alloc(void);
void rf_flows_free(struct rf_flows *flows);
u32 rf_flows_count(const struct rf_flows *flows);

/* flow.c: under the lock of the direction, struct rf_dir */
bool rf_flow_see(struct rf_flows *flows, const struct rf_qp_filter *filter,
		 const struct sk_buff *skb, struct rf_pkt *pkt);
void rf_flow_used(struct rf_flows *flows, struct rf_flow *flow);
void rf_flow_describe(const struct rf_flow *flow, struct rf_desc *desc);
void rf_flows_begin_step(struct rf_flows *flows);
void rf_flows_track_all(struct rf_flows *flows);
void rf_flows_untrack(struct rf_flows *flows, const struct rf_qp_filter *filter);

/* info.c: under the lock of the direction */
int rf_flows_each(const struct rf_flows *flows, u32 *bucket,
		  int (*fn)(const struct rf_flow_info *info, void *arg),
		  void *arg);
bool rf_flow_info(const struct rf_flows *flows, const struct rf_desc *desc,
		  struct rf_flow_info *info);

/* peer.c: under the lock of the direction that @flows are of */
bool rf_flow_see_response(struct rf_flows *flows, const struct rf_desc *response,
			  struct rf_flow_request *request, u32 *qp);
void rf_flow_set_peer(struct rf_flows *flows, const struct rf_desc *desc,
		      const struct rf_flow_request *request, u32 peer_qp);
bool rf_flow_peer(const struct rf_flows *flows, const struct rf_desc *desc,
		  u32 *peer_qp);

/* Between the files of this directory */
struct rf_flow_key rf_flow_key(const struct rf_desc *desc);
bool rf_flow_key_equal(const struct rf_flow_key *a,
		       const struct rf_flow_key *b);
struct rf_flow *rf_flow_find(const struct rf_flows *flows,
			     const struct rf_flow_key *key);
struct rf_flow_group *rf_flow_group_find(const struct rf_flows *flows,
					 const struct rf_flow_key *key);
void rf_flow_set_lookup(struct rf_flows *flows, struct rf_flow *flow, u32 by);
void rf_flow_end_lookup(struct rf_flows *flows, struct rf_flow *flow);

/**
 * rf_flow_is_unused - test whether rf_flow_used() must be called
 * @flow: a flow that has sent a packet
 *
 * Return: true if it must.
 */
static inline bool rf_flow_is_unused(const struct rf_flow *flow)
{
	return time_after(jiffies, flow->last + RF_FLOW_USED);
}

static __always_inline bool plain_is_of(const struct rf_plain *p,
					const struct rf_flow *flow)
{
	if (flow->plain_key != p->key)
		return false;
	if (likely(!(p->key & RF_PLAIN_IPV6)))
		return !memcmp(flow->addrs, p->addrs, sizeof(flow->addrs));
	return !memcmp(flow->key.saddr, p->addrs, 16) &&
	       !memcmp(flow->key.daddr, p->addrs + 16, 16);
}

/**
 * rf_flow_next - track the next packet of a known flow
 * @flows: the flows of the direction
 * @p: a plain packet with a sequential opcode
 *
 * This is the short form of rf_flow_see() for nearly all packets. It has the same
 * effects.
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: the flow; or NULL, and nothing has changed, if rf_flow_see() must be
 * called.
 */
static __always_inline struct rf_flow *
rf_flow_next(struct rf_flows *flows, const struct rf_plain *p)
{
	struct rf_flow *flow = *rf_flow_cached(flows, p->qp, p->op->response);
	u32 psn = p->psn, position = p->op->position;

	/* The first packet of a block changes @block. */
	if (unlikely(!flow || flow->next != psn || !plain_is_of(p, flow) ||
		     flow->epoch != flows->epoch || !(psn % RF_PSN_WINDOW)))
		return NULL;
	if (rf_psn_window_next(&flow->win, psn,
			       position & (RDMAFAULT_POSITION_FIRST |
					   RDMAFAULT_POSITION_ONLY),
			       position & (RDMAFAULT_POSITION_LAST |
					   RDMAFAULT_POSITION_ONLY)))
		flow->info.messages++;
	flow->last_psn = psn;
	flow->next = (psn + 1) & RF_PSN_MASK;
	flow->info.packets++;
	flow->info.bytes += p->len;
	if (unlikely(rf_flow_is_unused(flow)))
		rf_flow_used(flows, flow);
	return flow;
}

/**
 * rf_flow_acknowledged - update the request flow of an ACK, if it is known
 * @flows: the flows of the requests' direction, or NULL
 * @request: the request flow that the flow of the ACK remembers, or NULL
 * @change: when it was valid, see struct rf_flow_request
 *
 * The short form of rf_flow_see_response(), which set
 * them.
 *
 * Context: softirq or BH off, under the lock of the requests' direction only.
 * Return: false if nothing was done, and rf_flow_see_response() must be called.
 */
static inline bool rf_flow_acknowledged(const struct rf_flows *flows,
					struct rf_flow *request, u64 change)
{
	if (!flows || !request || change != flows->change)
		return false;
	request->nak_pending = false;
	return true;
}

#endif
