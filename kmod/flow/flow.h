/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_H
#define RF_FLOW_H

#include <linux/types.h>

struct rf_desc;
struct rf_flows;
struct rf_pkt;
struct rf_plain;
struct rf_qp_filter;
struct sk_buff;

/*
 * struct rf_flow_counts - the counters of one flow
 * @has_peer: @peer_qp is known
 * @answers_seen: the responses cross the port in the other direction, so @timeouts
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
	bool answers_seen;
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

/* flow.c: process context */
struct rf_flows *rf_flows_alloc(void);
void rf_flows_free(struct rf_flows *flows);
u32 rf_flows_count(const struct rf_flows *flows);

/* flow.c: under the lock of the direction, struct rf_dir */
bool rf_flow_see(struct rf_flows *flows, const struct rf_qp_filter *filter,
		 const struct sk_buff *skb, struct rf_pkt *pkt);
void rf_flows_know_all(struct rf_flows *flows);
void rf_flows_forget(struct rf_flows *flows, const struct rf_qp_filter *filter);

/* info.c: under the lock of the direction */
int rf_flows_each(const struct rf_flows *flows, u32 *bucket,
		  int (*fn)(const struct rf_flow_info *info, void *arg),
		  void *arg);
bool rf_flow_info(const struct rf_flows *flows, const struct rf_desc *desc,
		  struct rf_flow_info *info);

/* peer.c: under the lock of the direction that @flows are of */
bool rf_flow_answered(struct rf_flows *flows, const struct rf_desc *response,
		      u32 *qp);
void rf_flow_set_peer(struct rf_flows *flows, const struct rf_desc *desc,
		      u32 peer_qp);
bool rf_flow_peer(const struct rf_flows *flows, const struct rf_desc *desc,
		  u32 *peer_qp);

#endif
