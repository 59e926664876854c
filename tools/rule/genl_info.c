// SPDX-License-Identifier: GPL-2.0
/*
 * Convert netlink attributes to structs: ports and flows, with their counters.
 */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_attrs.h"
#include "kmod/fields.h"

static void get_name(char *name, size_t len, struct nlattr *a)
{
	if (a)
		nla_strlcpy(name, a, len);
}

static int parse_stats(struct nlattr *nest, struct rf_dir_stats *st)
{
	struct nlattr *tb[RDMAFAULT_A_STATS_MAX + 1];

	if (!nest)
		return 0;
	if (nla_parse_nested(tb, RDMAFAULT_A_STATS_MAX, nest, NULL))
		return -EBADMSG;
	st->packets = rf_genl_u64(tb[RDMAFAULT_A_STATS_PACKETS]);
	st->bytes = rf_genl_u64(tb[RDMAFAULT_A_STATS_BYTES]);
	st->roce = rf_genl_u64(tb[RDMAFAULT_A_STATS_ROCE]);
	st->roce_bytes = rf_genl_u64(tb[RDMAFAULT_A_STATS_ROCE_BYTES]);
	st->malformed = rf_genl_u64(tb[RDMAFAULT_A_STATS_MALFORMED]);
	st->retransmitted = rf_genl_u64(tb[RDMAFAULT_A_STATS_RETRANSMITTED]);
	st->hits = rf_genl_u64(tb[RDMAFAULT_A_STATS_HITS]);
	st->dropped = rf_genl_u64(tb[RDMAFAULT_A_STATS_DROPPED]);
	st->flows_lost = rf_genl_u64(tb[RDMAFAULT_A_STATS_FLOWS_LOST]);
	st->retransmitted_bytes = rf_genl_u64(tb[RDMAFAULT_A_STATS_RETRANSMITTED_BYTES]);
	st->naks = rf_genl_u64(tb[RDMAFAULT_A_STATS_NAKS]);
	st->rnrs = rf_genl_u64(tb[RDMAFAULT_A_STATS_RNRS]);
	st->delayed = rf_genl_u64(tb[RDMAFAULT_A_STATS_DELAYED]);
	st->reordered = rf_genl_u64(tb[RDMAFAULT_A_STATS_REORDERED]);
	st->duplicated = rf_genl_u64(tb[RDMAFAULT_A_STATS_DUPLICATED]);
	st->corrupted = rf_genl_u64(tb[RDMAFAULT_A_STATS_CORRUPTED]);
	st->truncated = rf_genl_u64(tb[RDMAFAULT_A_STATS_TRUNCATED]);
	st->trimmed = rf_genl_u64(tb[RDMAFAULT_A_STATS_TRIMMED]);
	st->ce = rf_genl_u64(tb[RDMAFAULT_A_STATS_CE]);
	st->cnps_sent = rf_genl_u64(tb[RDMAFAULT_A_STATS_CNPS_SENT]);
	st->cnps_suppressed = rf_genl_u64(tb[RDMAFAULT_A_STATS_CNPS_SUPPRESSED]);
	st->cnps_unsent = rf_genl_u64(tb[RDMAFAULT_A_STATS_CNPS_UNSENT]);
	st->cnps_received = rf_genl_u64(tb[RDMAFAULT_A_STATS_CNPS_RECEIVED]);
	st->cnps_refused = rf_genl_u64(tb[RDMAFAULT_A_STATS_CNPS_REFUSED]);
	st->paced = rf_genl_u64(tb[RDMAFAULT_A_STATS_PACED]);
	st->pace_dropped = rf_genl_u64(tb[RDMAFAULT_A_STATS_PACE_DROPPED]);
	st->pace_expired = rf_genl_u64(tb[RDMAFAULT_A_STATS_PACE_EXPIRED]);
	st->marked = rf_genl_u64(tb[RDMAFAULT_A_STATS_MARKED]);
	st->rewritten = rf_genl_u64(tb[RDMAFAULT_A_STATS_REWRITTEN]);
	st->answered = rf_genl_u64(tb[RDMAFAULT_A_STATS_ANSWERED]);
	st->unanswered = rf_genl_u64(tb[RDMAFAULT_A_STATS_UNANSWERED]);
	st->blackholed = rf_genl_u64(tb[RDMAFAULT_A_STATS_BLACKHOLED]);
	st->delay_queue_full = rf_genl_u64(tb[RDMAFAULT_A_STATS_DELAY_QUEUE_FULL]);
	st->unchanged = rf_genl_u64(tb[RDMAFAULT_A_STATS_UNCHANGED]);
	st->held = rf_genl_u32(tb[RDMAFAULT_A_STATS_HELD]);
	st->rules = rf_genl_u32(tb[RDMAFAULT_A_STATS_RULES]);
	st->flows = rf_genl_u32(tb[RDMAFAULT_A_STATS_FLOWS]);
	return 0;
}

/**
 * rf_genl_parse_port - get the state and counters of a port from a response
 * @nlh: the response
 * @port: gets the port
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_port(struct nlmsghdr *nlh, struct rf_port_info *port)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	memset(port, 0, sizeof(*port));
	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL))
		return -EBADMSG;
	port->ifindex = rf_genl_u32(tb[RDMAFAULT_A_IFINDEX]);
	get_name(port->ifname, sizeof(port->ifname), tb[RDMAFAULT_A_IFNAME]);
	port->generation = rf_genl_u32(tb[RDMAFAULT_A_GENERATION]);
	port->step = rf_genl_u32(tb[RDMAFAULT_A_STEP]);
	port->messages = rf_genl_u32(tb[RDMAFAULT_A_MESSAGES]);
	port->messages_total = rf_genl_u32(tb[RDMAFAULT_A_MESSAGES_TOTAL]);
	port->max_hold = rf_genl_u64(tb[RDMAFAULT_A_MAX_HOLD]);
	port->hold_forwarded = rf_genl_u32(tb[RDMAFAULT_A_HOLD_FORWARDED]);
	get_name(port->name, sizeof(port->name), tb[RDMAFAULT_A_NAME]);
	port->queues = tb[RDMAFAULT_A_QUEUES];
	if (parse_stats(tb[RDMAFAULT_A_TX],
			&port->dir[RDMAFAULT_DIRECTION_TX]))
		return -EBADMSG;
	return parse_stats(tb[RDMAFAULT_A_RX],
			   &port->dir[RDMAFAULT_DIRECTION_RX]);
}

static int get_addr(struct nlattr *a, uint8_t *addr, uint32_t *len)
{
	if (!a || (nla_len(a) != 4 && nla_len(a) != 16))
		return -EBADMSG;
	*len = nla_len(a);
	memcpy(addr, nla_data(a), *len);
	return 0;
}

static void parse_ledger(struct nlattr **tb, struct rf_flow_info *flow)
{
	flow->packets = rf_genl_u64(tb[RDMAFAULT_A_FLOW_PACKETS]);
	flow->bytes = rf_genl_u64(tb[RDMAFAULT_A_FLOW_BYTES]);
	flow->messages = rf_genl_u64(tb[RDMAFAULT_A_FLOW_MESSAGES]);
	flow->retransmitted = rf_genl_u64(tb[RDMAFAULT_A_FLOW_RETRANSMITTED]);
	flow->retransmitted_bytes =
		rf_genl_u64(tb[RDMAFAULT_A_FLOW_RETRANSMITTED_BYTES]);
	flow->max_attempt = rf_genl_u32(tb[RDMAFAULT_A_FLOW_MAX_ATTEMPT]);
	flow->answers_seen = tb[RDMAFAULT_A_FLOW_NAKS];
	flow->naks = rf_genl_u64(tb[RDMAFAULT_A_FLOW_NAKS]);
	flow->rnrs = rf_genl_u64(tb[RDMAFAULT_A_FLOW_RNRS]);
	flow->timeouts = rf_genl_u64(tb[RDMAFAULT_A_FLOW_TIMEOUTS]);
}

static int parse_flow(struct nlattr *nest, struct rf_flow_info *flow)
{
	struct nlattr *tb[RDMAFAULT_A_FLOW_MAX + 1];

	if (nla_parse_nested(tb, RDMAFAULT_A_FLOW_MAX, nest, NULL))
		return -EBADMSG;
	flow->direction = rf_genl_u32(tb[RDMAFAULT_A_FLOW_DIRECTION]);
	flow->qp = rf_genl_u32(tb[RDMAFAULT_A_FLOW_QP]);
	flow->response = tb[RDMAFAULT_A_FLOW_RESPONSE];
	flow->ordinal = rf_genl_u32(tb[RDMAFAULT_A_FLOW_ORDINAL]);
	flow->peer_known = tb[RDMAFAULT_A_FLOW_PEER_QP];
	flow->peer_qp = rf_genl_u32(tb[RDMAFAULT_A_FLOW_PEER_QP]);
	flow->first_psn = rf_genl_u32(tb[RDMAFAULT_A_FLOW_FIRST_PSN]);
	flow->highest_psn = rf_genl_u32(tb[RDMAFAULT_A_FLOW_HIGHEST_PSN]);
	parse_ledger(tb, flow);
	if (get_addr(tb[RDMAFAULT_A_FLOW_SADDR], flow->saddr, &flow->addr_len))
		return -EBADMSG;
	return get_addr(tb[RDMAFAULT_A_FLOW_DADDR], flow->daddr,
			&flow->addr_len);
}

/**
 * rf_genl_parse_flow - get a flow from a response
 * @nlh: the response
 * @flow: gets the flow
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_flow(struct nlmsghdr *nlh, struct rf_flow_info *flow)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	memset(flow, 0, sizeof(*flow));
	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL) ||
	    !tb[RDMAFAULT_A_FLOW])
		return -EBADMSG;
	flow->ifindex = rf_genl_u32(tb[RDMAFAULT_A_IFINDEX]);
	get_name(flow->ifname, sizeof(flow->ifname), tb[RDMAFAULT_A_IFNAME]);
	return parse_flow(tb[RDMAFAULT_A_FLOW], flow);
}

/**
 * rf_genl_put_flow - append the identity of a flow to a request
 * @msg: the request
 * @flow: the flow; its direction, addresses, qp and response are used
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_flow(struct nl_msg *msg, const struct rf_flow_info *flow)
{
	struct nlattr *nest = nla_nest_start(msg, RDMAFAULT_A_FLOW);

	if (!nest)
		return -ENOMEM;
	nest->nla_type |= NLA_F_NESTED;
	if (nla_put_u32(msg, RDMAFAULT_A_FLOW_DIRECTION, flow->direction) ||
	    nla_put(msg, RDMAFAULT_A_FLOW_SADDR, flow->addr_len, flow->saddr) ||
	    nla_put(msg, RDMAFAULT_A_FLOW_DADDR, flow->addr_len, flow->daddr) ||
	    nla_put_u32(msg, RDMAFAULT_A_FLOW_QP, flow->qp))
		return -ENOMEM;
	if (flow->response && nla_put_flag(msg, RDMAFAULT_A_FLOW_RESPONSE))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}
