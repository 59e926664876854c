/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PACKET_H
#define RF_PACKET_H

#include <linux/in6.h>
#include <linux/skbuff.h>

#include "bth.h"

/**
 * struct rf_pkt - a RoCEv2 packet in an skb
 * @saddr: source address; IPv4 in the first four bytes, the rest 0
 * @daddr: destination address, likewise
 * @family: AF_INET or AF_INET6
 * @desc: what the BTH says
 */
struct rf_pkt {
	struct in6_addr saddr;
	struct in6_addr daddr;
	u16 family;
	struct rf_desc desc;
};

/**
 * enum rf_seen - what rf_packet_read() found
 * @RF_SEEN_OTHER: not RoCEv2
 * @RF_SEEN_ROCE: RoCEv2, the description is filled in
 * @RF_SEEN_MALFORMED: meant for RoCEv2's port, but no packet of it
 */
enum rf_seen {
	RF_SEEN_OTHER,
	RF_SEEN_ROCE,
	RF_SEEN_MALFORMED,
};

enum rf_seen rf_packet_read(const struct sk_buff *skb, int offset,
			    __be16 protocol, struct rf_pkt *pkt);

#endif
