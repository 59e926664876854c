/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_PACKET_H
#define RF_ROCEV2_PACKET_H

#include <linux/skbuff.h>

#include "bth.h"

struct rf_qps;

/**
 * struct rf_pkt - a RoCEv2 packet in an skb
 * @ip: offset of the IP header from skb->data
 * @udp: offset of the UDP header
 * @bth: offset of the BTH
 * @end: offset of the end of the ICRC; what is behind is no part of the packet
 * @desc: what its headers say, and its flow
 */
struct rf_pkt {
	u16 ip;
	u16 udp;
	u16 bth;
	u32 end;
	struct rf_desc desc;
};

/**
 * enum rf_seen - what rf_packet_read() found
 * @RF_SEEN_OTHER: not RoCEv2
 * @RF_SEEN_ROCE: RoCEv2, the description is filled in
 * @RF_SEEN_UNTRACKED: a RoCEv2 request to a QP that nobody has named; only where
 *	its headers are is filled in
 * @RF_SEEN_MALFORMED: meant for RoCEv2's port, but no packet of it
 */
enum rf_seen {
	RF_SEEN_OTHER,
	RF_SEEN_ROCE,
	RF_SEEN_UNTRACKED,
	RF_SEEN_MALFORMED,
};

enum rf_seen rf_packet_read(const struct sk_buff *skb, int offset,
			    __be16 protocol, const u8 *dscp_prio,
			    const struct rf_qps *named, struct rf_pkt *pkt);

#endif
