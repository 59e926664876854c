/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rule as the tools carry it about: from words to netlink and back. What a
 * field means is said in Documentation/netlink/specs/rdmafault.yaml.
 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <stdint.h>
#include <rdmafault/rdmafault.h>

/* Which fields of a spec count. */
enum rf_set {
	RF_SET_QP	= 1 << 0,
	RF_SET_PSN	= 1 << 1,
	RF_SET_PSN_REL	= 1 << 2,
	RF_SET_OPCODE	= 1 << 3,
	RF_SET_CLASS	= 1 << 4,
	RF_SET_POSITION	= 1 << 5,
	RF_SET_PASS_MIN	= 1 << 6,
	RF_SET_PASS_MAX	= 1 << 7,
	RF_SET_STEP	= 1 << 8,
	RF_SET_NTH	= 1 << 9,
	RF_SET_COUNT	= 1 << 10,
};

#define RF_SET_MATCH (RF_SET_NTH - 1)	/* all that narrow the match */

struct rf_rule_spec {
	uint32_t set;		/* enum rf_set */
	uint32_t qp;
	uint32_t psn;
	uint32_t psn_rel;
	uint32_t opcode;
	uint32_t class;		/* enum rdmafault_class, several */
	uint32_t position;	/* enum rdmafault_position, several */
	uint32_t pass_min;
	uint32_t pass_max;
	uint32_t step;
	uint32_t nth;
	uint32_t count;
	uint32_t flags;		/* enum rdmafault_rule_flag */
	uint32_t action;	/* enum rdmafault_action */
};

struct rf_rule_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t id;
	uint32_t direction;	/* enum rdmafault_direction */
	uint32_t owner;		/* netlink port id, 0: persistent */
	uint64_t matched;
	uint64_t hits;
	struct rf_rule_spec spec;
};

struct rf_dir_stats {
	uint64_t packets, bytes, roce, roce_bytes;
	uint64_t malformed, retransmitted, hits, dropped, flows_lost;
	uint32_t rules, flows;
};

struct rf_port_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t generation;
	uint32_t step;
	struct rf_dir_stats dir[2];	/* by enum rdmafault_direction */
};

#endif
