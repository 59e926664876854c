/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rule as a struct. The tools convert it from and to words (rulewords.h) and netlink
 * attributes (genl.h). Documentation/netlink/specs/rdmafault.yaml describes the fields.
 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <stdbool.h>
#include <stdint.h>
#include <rdmafault/rdmafault.h>

#include "kmod/rule/params.h"
#include "kmod/rule/match.h"
#include "kmod/rule/trigger.h"

/*
 * The owner of the queue pairs that a rule matches. The tools replace it by QP numbers
 * before they add the rule (owner.h); the module knows only the QP numbers.
 */
struct rf_owner {
	uint32_t pid;		/* 0: any */
	char comm[16];		/* "": any */
	char dev[64];		/* RDMA device; "": the device on the port's netdev */
};

static inline bool rf_owner_is_named(const struct rf_owner *owner)
{
	return owner->pid || owner->comm[0] || owner->dev[0];
}

/*
 * A rule as given by the user. The module defines the structs of match, trigger and action.
 * Each of these structs has a mask of the attributes that are given. @set is the mask of
 * the other attributes of the rule, with bits from RF_RULE_BIT().
 */
struct rf_rule_spec {
	uint64_t set;		/* bit n is set if attribute n of rdmafault-a-rule is given */
	uint32_t flags;		/* enum rdmafault_rule_flag */
	uint64_t seed;
	uint32_t key;
	uint64_t expires;	/* lifetime in ns */
	struct rf_owner owner;
	struct rf_match match;
	struct rf_trigger trigger;
	uint32_t actions;
	struct rf_action action[RDMAFAULT_ACTIONS_MAX];
};

#define RF_RULE_BIT(field) (1ull << RDMAFAULT_A_RULE_ ## field)

struct rf_rule_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t id;
	uint32_t direction;	/* enum rdmafault_direction */
	uint32_t owner;		/* netlink port ID; 0 if the rule is persistent */
	struct rf_rule_counters counters;
	struct rf_rule_spec spec;
};

struct rf_dir_stats {
	uint64_t packets, bytes, roce, roce_bytes;
	uint64_t malformed, retransmitted, hits, dropped, flows_lost;
	uint64_t retransmitted_bytes, naks, rnrs, delayed, reordered;
	uint64_t duplicated, corrupted, truncated, marked, rewritten;
	uint64_t answered, unanswered, blackholed, delay_queue_full, unchanged;
	uint32_t rules, flows, held;
};

struct rf_port_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t generation;
	uint32_t step;
	uint32_t messages, messages_total;	/* 0: not announced */
	uint64_t max_hold;			/* longest delay of a packet by this port, in ns */
	char name[RDMAFAULT_NAME_LEN + 1];	/* for random numbers */
	bool queues;				/* the root qdisc is rdmafault */
	struct rf_dir_stats dir[2];	/* indexed by enum rdmafault_direction */
};

#endif
