/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules, ports, flows and queues as structs. The tools convert them from and to words (words.h)
 * and netlink attributes (genl.h). Documentation/netlink/specs/rdmafault.yaml describes the
 * fields; the module defines struct rf_conf.
 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <rdmafault/rdmafault.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod/pfc/fsm.h"
#include "kmod/path/path.h"
#include "kmod/report.h"
#include "kmod/queue/config.h"
#include "kmod/rule/params.h"

/*
 * The owner of the queue pairs that a rule matches. The tools replace it by QP numbers
 * before they add the rule (owner.c); the module knows only the QP numbers.
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
	uint64_t duplicated, corrupted, truncated, trimmed, marked, rewritten;
	uint64_t answered, unanswered, blackholed, delay_queue_full, unchanged;
	uint64_t ce, cnps_sent, cnps_suppressed, cnps_unsent, cnps_received, cnps_refused;
	uint64_t paced, pace_dropped, pace_expired;
	uint32_t rules, flows, held;
};

struct rf_port_info {
	uint32_t ifindex;
	char ifname[16];
	uint32_t generation;
	uint32_t step;
	uint32_t messages, messages_total;	/* 0: not announced */
	uint64_t max_hold;			/* longest delay of a packet by this port, in ns */
	bool hold_forwarded;			/* max-hold does not limit forwarded packets */
	char name[RDMAFAULT_NAME_LEN + 1];	/* for random numbers */
	bool queues;				/* the root qdisc is rdmafault */
	struct rf_dir_stats dir[2];	/* indexed by enum rdmafault_direction */
};

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

/* A flow whose rate CNPs have limited */
struct rf_rate_info {
	uint32_t ifindex;
	char ifname[16];
	struct rf_dcqcn_flow flow;
};

struct rf_queue_info {
	uint32_t ifindex;
	char ifname[16];
	struct rf_conf conf;
	uint32_t in_flight;
	uint64_t in_flight_bytes, buffer_used, buffer_peak;
	uint64_t pauses_received, pauses_malformed, pauses_reserved;
	uint64_t pauses_sent;
	struct rf_prio_stats stats[RDMAFAULT_PRIOS];
	bool has_storm[RDMAFAULT_PRIOS];	/* [prio]: storm[prio] is valid */
	struct rf_storm_info storm[RDMAFAULT_PRIOS];
};

/* A link of a path; a request needs only @ifindex */
struct rf_path_link_info {
	uint32_t ifindex;
	char ifname[16];
	bool down;			/* it is not chosen */
	bool removed;			/* the netdev has left the bridge or the namespace */
	uint64_t packets, bytes;
};

/* The path of a port. In a request, @conf and the links are valid. */
struct rf_path_info {
	uint32_t ifindex;
	char ifname[16];
	struct rf_path_conf conf;
	struct rf_path_link_info link[RDMAFAULT_PATH_LINKS_MAX];
	uint64_t no_link;		/* packets that were dropped because all links were down */
};

/*
 * A change of a port's settings. @conf has the new values. Bit n of the masks @link,
 * @watchdog, @dcqcn, @prio and @ecn is set if netlink attribute n of this group is changed. Bit n
 * of @dscp is set if the priority of DSCP n is changed.
 */
struct rf_queue_change {
	uint64_t link, watchdog, dcqcn, dscp;	/* masks */
	uint64_t prio[RDMAFAULT_PRIOS], ecn[RDMAFAULT_PRIOS];
	uint64_t buffer;		/* not 0: the buffer is changed */
	struct rf_conf conf;
};

#define RF_LINK_BIT(field) (1ull << RDMAFAULT_A_LINK_ ## field)
#define RF_PRIO_BIT(field) (1ull << RDMAFAULT_A_PRIO_ ## field)
#define RF_ECN_BIT(field) (1ull << RDMAFAULT_A_ECN_ ## field)
#define RF_WATCHDOG_BIT(field) (1ull << RDMAFAULT_A_WATCHDOG_ ## field)
#define RF_DCQCN_BIT(field) (1ull << RDMAFAULT_A_DCQCN_ ## field)

/*
 * rulelist.c: a list of rules, in the order in which a port evaluates them: the lines of a
 * file, or the rules that result from a netem line
 */
struct rf_rule_list {
	struct rf_rule_spec *rule;
	unsigned long *line;		/* line number of each rule, from 1; 0: not from a file */
	size_t n, room;
};

int rf_rules_append(struct rf_rule_list *list, const struct rf_rule_spec *rule);
void rf_rules_free(struct rf_rule_list *list);

#endif
