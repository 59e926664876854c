/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tracked flow. Documentation/netlink/specs/rdmafault.yaml describes the
 * attributes of the same names.
 */
#ifndef RF_FLOW_INFO_H
#define RF_FLOW_INFO_H

#include <stdbool.h>
#include <stdint.h>

struct rf_flow_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t direction;	/* enum rdmafault_direction */
	uint32_t addr_len;	/* length of each address in bytes, 4 or 16 */
	uint8_t saddr[16], daddr[16];
	uint32_t qp;
	bool response;
	uint32_t ordinal;
	bool peer_known;	/* peer_qp is valid */
	uint32_t peer_qp;
	uint32_t first_psn, highest_psn;
	uint64_t packets, bytes, messages;
	uint64_t retransmitted, retransmitted_bytes;
	uint32_t max_attempt;
	bool answers_seen;	/* true: naks, rnrs and timeouts are valid */
	uint64_t naks, rnrs, timeouts;
};

#endif
