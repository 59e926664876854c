/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_H
#define RF_FLOW_H

#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "../rocev2/rocev2.h"
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
 * @needed: number of flows that rules need
 * @numbered: number of the newest of them
 */
struct rf_flow_group {
	struct hlist_node node;
	struct rf_flow_key key;
	u32 flows;
	u32 last;
	u32 needed;
	u32 numbered;
};

/**
 * struct rf_repeats - consecutive ACKs or NAKs with the same PSN
 * @psn: the PSN
 * @count: number of them
 */
struct rf_repeats {
	u32 psn;
	u32 count;
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
 * @number: number among the flows of its group that rules need; 0 if it is only watched
 * @info: its counters; @messages is set when they are shown
 * @beyond: number of packets whose attempt was above the highest number
 * @last_psn: PSN of the last packet
 * @step: the port's step at the last packet
 * @before_step: messages that had begun before the first packet of @step
 * @generation: tracking generation at the last packet, see struct rf_flows
 * @generation_psn: the first PSN of that generation
 * @nak_pending: a NAK has arrived, so going back is not caused by a timeout
 * @naks: the last NAKs and RNR NAKs, of a response flow
 * @acks: the last ACKs with the PSN of a READ or atomic response, of a response flow
 * @reads: the last READs, of a request flow
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
	u32 number;
	struct rf_flow_counts info;
	u32 beyond;
	u32 last_psn;
	u32 step;
	u64 before_step;
	u32 generation;
	u32 generation_psn;
	bool nak_pending;
	union {
		struct {
			struct rf_repeats naks;
			struct rf_repeats acks;
		};
		struct rf_reads reads;
	};
	struct rf_psn_window win;
};

/**
 * struct rf_flows - the flows of one direction
 * @table: by hash of the key
 * @groups: by hash of the key without its QPs
 * @lookup: request flows, by @group and @lookup_key
 * @recent: the flows of @table that rules need, last used first; see FLOW_USED
 * @watched: likewise, the other flows
 * @cache: the last used flows, by QP
 * @count: number of flows
 * @cnps: number of flows of CNPs
 * @generation: tracking generation: how often all flows have begun to be tracked
 *
 * The lock of the direction, struct rf_dir, protects all members.
 */
struct rf_flows {
	DECLARE_HASHTABLE(table, RF_FLOW_BITS);
	DECLARE_HASHTABLE(groups, RF_FLOW_GROUP_BITS);
	struct rb_root lookup;
	struct list_head recent;
	struct list_head watched;
	struct rf_flow *cache[RF_FLOW_CACHE];
	u32 count;
	u32 cnps;
	u32 generation;
};

/**
 * enum rf_track - why the flow of a packet is tracked
 * @RF_UNTRACKED: it isn't, unless it is already
 * @RF_WATCHED: only to show it: no rule needs it
 * @RF_NEEDED: a rule needs it
 */
enum rf_track {
	RF_UNTRACKED,
	RF_WATCHED,
	RF_NEEDED,
};

/* flow.c: process context */
struct rf_flows *rf_flows_alloc(void);
void rf_flows_free(struct rf_flows *flows);
u32 rf_flows_count(const struct rf_flows *flows);

/* flow.c: under the lock of the direction, struct rf_dir */
struct rf_flow *rf_flow_see(struct rf_flows *flows, enum rf_track track,
			    const struct sk_buff *skb, struct rf_pkt *pkt);
void rf_flow_set_ordinals(struct rf_flow *flow, struct rf_desc *desc);
void rf_flows_need_all(struct rf_flows *flows);
void rf_flows_untrack(struct rf_flows *flows, const struct rf_qp_filter *filter,
		      bool watch);
void rf_flows_end(struct rf_flows *flows, const u8 *addr, u32 addr_len);

/* info.c: under the lock of the direction */
int rf_flows_each(const struct rf_flows *flows, u32 *bucket,
		  int (*fn)(const struct rf_flow_info *info, void *arg),
		  void *arg);
bool rf_flow_info(const struct rf_flows *flows, const struct rf_desc *desc,
		  struct rf_flow_info *info);

/* flow.c: under the lock of the direction that @flows are of */
bool rf_flow_see_response(struct rf_flows *flows, const struct rf_desc *response,
			  u32 *qp);
void rf_flow_set_peer(struct rf_flows *flows, const struct rf_desc *desc,
		      u32 peer_qp);
bool rf_flow_peer(const struct rf_flows *flows, const struct rf_desc *desc,
		  u32 *peer_qp);

/* Between the files of this directory */
struct rf_flow_key rf_flow_key(const struct rf_desc *desc);
bool rf_flow_key_equal(const struct rf_flow_key *a,
		       const struct rf_flow_key *b);
struct rf_flow *rf_flow_find(const struct rf_flows *flows,
			     const struct rf_flow_key *key);

#endif
