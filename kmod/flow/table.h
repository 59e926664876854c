/* SPDX-License-Identifier: GPL-2.0 */
/* The members of flows, for the files of this directory and decide.c */
#ifndef RF_FLOW_TABLE_H
#define RF_FLOW_TABLE_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/rbtree.h>

#include "flow.h"
#include "psn_window.h"
#include "read_tracker.h"

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
 */
struct rf_flow_group {
	struct hlist_node node;
	struct rf_flow_key key;
	u32 flows;
	u32 last;
};

/**
 * struct rf_flow - one flow
 * @node: in the table
 * @asked: in the tree in which responses are looked up; of a request flow
 * @asked_by: its key there: the QP of its peer, or the block of its highest PSN
 *	while the peer is unknown
 * @block: block of its highest PSN
 * @recent: in the list of recently used flows
 * @group: the group of the flow
 * @last: jiffies of the last packet
 * @key: its key
 * @id: see @flow_id of struct rf_desc
 * @key64: see struct rf_desc
 * @info: its counters
 * @beyond: number of packets whose attempt was above the highest number
 * @last_psn: PSN of the last packet
 * @next: the PSN that rf_flow_next() accepts, or RF_PSN_NONE
 * @addrs: source and destination address of an IPv4 flow, as in its IP header
 * @step: the port's step at the last packet
 * @before_step: messages that had begun before the first packet of @step
 * @generation: tracking generation at the last packet, see struct rf_flows
 * @generation_psn: the first PSN of that generation
 * @nak_pending: a NAK has arrived, so going back is not caused by a timeout
 * @nak_psn: PSN of the last NAK or RNR NAK of a response flow
 * @nak_attempt: number of consecutive NAKs with that PSN
 * @reads: the last READs of a request flow
 * @win: PSNs and messages
 */
struct rf_flow {
	struct hlist_node node;
	struct rb_node asked;
	u32 asked_by;
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
	u8 addrs[8];
	u32 step;
	u64 before_step;
	u32 generation;
	u32 generation_psn;
	bool nak_pending;
	u8 nak_attempt;
	u32 nak_psn;
	struct rf_reads reads;
	struct rf_psn_window win;
};

/**
 * struct rf_flows - the flows of one direction
 * @table: by hash of the key
 * @groups: by hash of the key without its QPs
 * @asked: request flows, by @group and @asked_by
 * @recent: the flows of @table, last used first; flows that were used in the same
 *	jiffy are in the order of their first use in it
 * @cache: the last used flow by QP modulo RF_FLOW_CACHE, or NULL
 * @count: number of flows
 * @cnps: number of flows of CNPs
 * @generation: tracking generation: how often all flows have begun to be tracked
 *
 * The lock of the direction, struct rf_dir, protects all members.
 */
struct rf_flows {
	DECLARE_HASHTABLE(table, RF_FLOW_BITS);
	DECLARE_HASHTABLE(groups, RF_FLOW_GROUP_BITS);
	struct rb_root asked;
	struct list_head recent;
	struct rf_flow *cache[RF_FLOW_CACHE];
	u32 count;
	u32 cnps;
	u32 generation;
};

struct rf_flow *rf_flow_next(struct rf_flows *flows, const struct rf_plain *p,
			     u32 step);
void rf_flow_describe(const struct rf_flow *flow, struct rf_desc *desc);
struct rf_flow_key rf_flow_key(const struct rf_desc *desc);
bool rf_flow_key_equal(const struct rf_flow_key *a,
		       const struct rf_flow_key *b);
struct rf_flow *rf_flow_find(const struct rf_flows *flows,
			     const struct rf_flow_key *key);
struct rf_flow_group *rf_flow_group_find(const struct rf_flows *flows,
					 const struct rf_flow_key *key);
void rf_flow_ask(struct rf_flows *flows, struct rf_flow *flow, u32 by);
void rf_flow_ask_no_more(struct rf_flows *flows, struct rf_flow *flow);

#endif
