/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_H
#define RF_FLOW_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "../rocev2/bth.h"

struct rf_pkt;
struct sk_buff;

/**
 * struct rf_qp_slot - a slot for a QP
 * @qp: the QP | RF_QP_VALID; 0 if the slot was never in use
 * @rules: number of rules that name the QP
 */
struct rf_qp_slot {
	u32 qp;
	u32 rules;
};

#define RF_QP_VALID	0x80000000u

/**
 * struct rf_qp_filter - the destination QPs that the rules of a direction name
 * @rcu: frees the filter
 * @shift: 32 - log2 of the number of slots
 * @mask: number of slots - 1
 * @any: number of rules for all QPs
 * @slot: the slots
 */
struct rf_qp_filter {
	struct rcu_head rcu;
	u32 shift;
	u32 mask;
	u32 any;
	struct rf_qp_slot slot[];
};

/* qp_filter.c */
u32 rf_qp_filter_bits(u32 qps);
size_t rf_qp_filter_size(u32 bits);
void rf_qp_filter_init(struct rf_qp_filter *filter, u32 bits);
void rf_qp_filter_add(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any);
void rf_qp_filter_del(struct rf_qp_filter *filter, const u32 *qp, u32 qps, bool any);

/**
 * rf_qp_filter_hash - get the slot at which the search for a QP begins
 * @filter: the filter
 * @qp: destination QP, 24 bits
 *
 * Return: index of the slot, as hash_32() computes it.
 */
static inline u32 rf_qp_filter_hash(const struct rf_qp_filter *filter, u32 qp)
{
	return qp * GOLDEN_RATIO_32 >> filter->shift;
}

/**
 * rf_qp_filter_names - test whether a rule names a QP
 * @filter: the filter; QPs can be removed at the same time
 * @qp: destination QP, 24 bits
 *
 * Return: false if no rule names the QP.
 */
static __always_inline bool rf_qp_filter_names(const struct rf_qp_filter *filter, u32 qp)
{
	u32 slot = rf_qp_filter_hash(filter, qp), found;

	while ((found = READ_ONCE(filter->slot[slot].qp))) {
		if (found == (qp | RF_QP_VALID))
			return true;
		slot = (slot + 1) & filter->mask;
	}
	return false;
}

/**
 * rf_qp_filter_has - test whether the packets to a QP are tracked
 * @filter: the filter; QPs can be removed at the same time
 * @qp: destination QP, 24 bits
 *
 * Return: false if no rule can match a packet to the QP.
 */
static inline bool rf_qp_filter_has(const struct rf_qp_filter *filter, u32 qp)
{
	return READ_ONCE(filter->any) || rf_qp_filter_names(filter, qp);
}

/*
 * Number of PSNs in the window. rxe has at most 128 in flight, hardware a few
 * hundred. A power of two.
 */
#define RF_PSN_WINDOW	1024

/*
 * Packets from behind the window were delayed by a fault, or belong to a new QP with
 * a reused number. A QP of rxe has at most RF_PSN_LATE packets in flight, and sends
 * at most RF_PSN_REACH packets in the 20 seconds for which a port can delay a packet.
 * Responses can be retransmitted from as far behind as the first READ in flight.
 */
#define RF_PSN_LATE	128
#define RF_PSN_REACH	262144

/* The highest attempt that is counted */
#define RF_PSN_ATTEMPTS	127

/**
 * struct rf_psn_old - the members of a window that a PSN jump has overwritten
 * @messages: as in the window
 * @starts: the word of @starts with the packet's bit
 * @open: likewise
 * @open_of: likewise
 * @highest: as in the window
 * @oldest: likewise
 * @last: likewise
 * @boundary: likewise
 * @seen: attempts of the PSN whose slot the packet has now
 */
struct rf_psn_old {
	u64 messages;
	u64 starts;
	u64 open;
	u32 open_of;
	u32 highest;
	u32 oldest;
	u32 last;
	bool boundary;
	u8 seen;
};

/**
 * struct rf_psn_window - the attempts of the last PSNs of a flow, and its messages
 * @first: the first PSN of the flow
 * @highest: the highest PSN so far, modulo 2^24
 * @span: distance from @first to @highest, not modulo 2^24
 * @messages: number of messages that begin at PSNs up to @highest
 * @oldest: PSN at which the message of the window's first PSN begins
 * @last: PSN of the last packet in the window
 * @late: number of packets from behind the window since then
 * @earlier: number of messages before the QP number was reused
 * @owners: how often it was reused; then the members except these two begin again
 * @jumped: @highest is farther ahead of all others than the window is long. The
 *	window still has the others, except what @old has.
 * @boundary: a message ended at @highest, so the next PSN begins another
 * @begin_known: @begin is valid
 * @begin: PSN at which the message of @highest begins
 * @old: members of the window before @jumped
 * @starts: a bit for each of the last RF_PSN_WINDOW PSNs, set if a message begins
 *	there; by PSN modulo RF_PSN_WINDOW
 * @open: likewise, set for a response that isn't the last one of its message
 * @open_of: the 64 PSNs (PSN / 64) that a word of @open is valid for
 * @seen: attempts of the PSNs, at most RF_PSN_ATTEMPTS. The highest bit is set if they
 *	are those of a READ or atomic response
 */
struct rf_psn_window {
	u32 first;
	u32 highest;
	u64 span;
	u64 messages;
	u64 earlier;
	u32 oldest;
	u32 last;
	u32 late;
	u32 owners;
	bool jumped;
	bool boundary;
	bool begin_known;
	u32 begin;
	struct rf_psn_old old;
	u64 starts[RF_PSN_WINDOW / 64];
	u64 open[RF_PSN_WINDOW / 64];
	u32 open_of[RF_PSN_WINDOW / 64];
	u8 seen[RF_PSN_WINDOW];
};

/**
 * rf_psn_diff - the distance from one PSN to another
 * @a: a PSN
 * @b: a PSN
 *
 * Return: @a - @b, from -2^23 to 2^23 - 1.
 */
static inline s32 rf_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

/**
 * rf_psn_rel - a PSN relative to the flow's first
 * @win: the window
 * @psn: the PSN
 *
 * Return: the distance, modulo 2^24.
 */
static inline u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn)
{
	return (psn - win->first) & RF_PSN_MASK;
}

/**
 * rf_psn_serial - a PSN relative to the flow's first, not modulo
 * @win: the window, which has seen the packet
 * @psn: the PSN
 *
 * Return: the distance, which does not wrap at 2^24; for a PSN before the first one,
 * 2^32 minus the distance.
 */
static inline u32 rf_psn_serial(const struct rf_psn_window *win, u32 psn)
{
	return win->span - ((win->highest - psn) & RF_PSN_MASK);
}

/* psn_window.c */
void rf_psn_window_start(struct rf_psn_window *win, u32 psn);
bool rf_psn_window_move(struct rf_psn_window *win, u32 psn);
u32 rf_psn_window_count(struct rf_psn_window *win, u32 psn, bool data);
u32 rf_psn_window_requests(const struct rf_psn_window *win, u32 first, u32 psn);
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends);
void rf_psn_window_open(struct rf_psn_window *win, u32 psn);
bool rf_psn_is_open(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_message(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_packet(struct rf_psn_window *win, u32 psn);

#define RF_RETH_LEN	16

/* Number of READs that are kept. rxe has no more in flight if each has 9 PSNs. */
#define RF_READS	16

/**
 * struct rf_read - what a READ request asks for
 * @end: address after the last byte, in two halves to avoid padding
 * @rkey: its R_Key
 * @len: bytes
 * @psn: its PSN, and that of its first response
 */
struct rf_read {
	u32 end[2];
	u32 rkey;
	u32 len;
	u32 psn;
};

/**
 * struct rf_reads - the last READs of a flow
 * @read: ring of READs
 * @seen: number of READs put into the ring so far
 * @mtu: lower bound of the bytes in a full response; 0 before the first READ
 */
struct rf_reads {
	struct rf_read read[RF_READS];
	u32 seen;
	u32 mtu;
};

/* read_tracker.c */
bool rf_reads_see(struct rf_reads *reads, u32 psn,
		  const u8 reth[RF_RETH_LEN], u32 *first);

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
bool rf_flow_of_sender(const struct rf_flows *flows, const struct rf_desc *desc, u32 *qp);
bool rf_flow_requester(const struct rf_flows *flows, const struct rf_desc *desc, u32 *qp);
bool rf_flow_peer(const struct rf_flows *flows, const struct rf_desc *desc,
		  u32 *peer_qp);

/* Between the files of this directory */
struct rf_flow_key rf_flow_key(const struct rf_desc *desc);
bool rf_flow_key_equal(const struct rf_flow_key *a,
		       const struct rf_flow_key *b);
struct rf_flow *rf_flow_find(const struct rf_flows *flows,
			     const struct rf_flow_key *key);

#endif
