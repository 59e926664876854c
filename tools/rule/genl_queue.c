// SPDX-License-Identifier: GPL-2.0
/*
 * The settings and counters of a port's queues: convert changes to netlink attributes, and
 * the attributes of a response to structs.
 */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_attrs.h"
#include "kmod/fields.h"

static int put_nest(struct nl_msg *msg, int attr, const void *from,
		    uint64_t set, const struct rf_field *fields, int max)
{
	struct nlattr *nest;

	if (!set)
		return 0;
	nest = rf_genl_nest(msg, attr);
	if (!nest || rf_genl_put_fields(msg, from, set, fields, max))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

/* In a request, "no rate" is a flag attribute, not the rate 0. */
static int put_link(struct nl_msg *msg, const struct rf_queue_change *c)
{
	const struct rf_link_conf *link = &c->conf.link;
	uint64_t set = c->link;
	struct nlattr *nest;

	if (!set)
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_LINK);
	if (!nest)
		return -ENOMEM;
	if (set & RF_LINK_BIT(RATE) && !link->rate) {
		set &= ~RF_LINK_BIT(RATE);
		if (nla_put_flag(msg, RDMAFAULT_A_LINK_NO_RATE))
			return -ENOMEM;
	}
	if (rf_genl_put_fields(msg, link, set, rf_link_fields,
			       RDMAFAULT_A_LINK_MAX))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_buffer(struct nl_msg *msg, const struct rf_queue_change *c)
{
	struct nlattr *nest;

	if (!c->buffer)
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_BUFFER);
	if (!nest)
		return -ENOMEM;
	if (c->conf.buffer ?
	    nla_put_u64(msg, RDMAFAULT_A_BUFFER_SIZE, c->conf.buffer) :
	    nla_put_flag(msg, RDMAFAULT_A_BUFFER_NO_SIZE))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_prio(struct nl_msg *msg, const struct rf_queue_change *c,
		    uint32_t i)
{
	const struct rf_prio_conf *prio = &c->conf.prio[i];
	struct nlattr *nest;

	if (!c->prio[i] && !c->ecn[i])
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_PRIO);
	if (!nest || nla_put_u32(msg, RDMAFAULT_A_PRIO_PRIO, i) ||
	    rf_genl_put_fields(msg, prio, c->prio[i], rf_prio_fields,
			       RDMAFAULT_A_PRIO_MAX) ||
	    put_nest(msg, RDMAFAULT_A_PRIO_ECN, &prio->ecn, c->ecn[i],
		     rf_ecn_fields, RDMAFAULT_A_ECN_MAX))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_dscp_prio(struct nl_msg *msg, const struct rf_queue_change *c,
			 uint32_t dscp)
{
	struct nlattr *nest;

	if (!(c->dscp >> dscp & 1))
		return 0;
	nest = rf_genl_nest(msg, RDMAFAULT_A_DSCP_PRIO);
	if (!nest || nla_put_u32(msg, RDMAFAULT_A_DSCP_PRIO_DSCP, dscp) ||
	    nla_put_u32(msg, RDMAFAULT_A_DSCP_PRIO_PRIO,
			c->conf.dscp_prio[dscp]))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

/**
 * rf_genl_put_change - append a change to a request
 * @msg: the request
 * @c: the change
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_change(struct nl_msg *msg, const struct rf_queue_change *c)
{
	int err = put_link(msg, c);
	uint32_t i;

	if (!err)
		err = put_buffer(msg, c);
	for (i = 0; i < RDMAFAULT_PRIOS && !err; i++)
		err = put_prio(msg, c, i);
	for (i = 0; i < sizeof(c->conf.dscp_prio) && !err; i++)
		err = put_dscp_prio(msg, c, i);
	if (err)
		return err;
	err = put_nest(msg, RDMAFAULT_A_WATCHDOG, &c->conf.watchdog,
		       c->watchdog, rf_watchdog_fields, RDMAFAULT_A_WATCHDOG_MAX);
	if (err)
		return err;
	return put_nest(msg, RDMAFAULT_A_DCQCN, &c->conf.dcqcn, c->dcqcn,
			rf_dcqcn_fields, RDMAFAULT_A_DCQCN_MAX);
}

/**
 * rf_genl_put_storm - append a storm to a request
 * @msg: the request
 * @storm: the storm; only fields that are not 0 are appended
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_storm(struct nl_msg *msg, const struct rf_storm_spec *storm)
{
	const struct rf_storm_info info = { .spec = *storm };
	uint64_t set = 0;

	set |= storm->prios ? BIT_ULL(RDMAFAULT_A_STORM_PRIOS) : 0;
	set |= storm->flags ? BIT_ULL(RDMAFAULT_A_STORM_FLAGS) : 0;
	set |= storm->quanta ? BIT_ULL(RDMAFAULT_A_STORM_QUANTA) : 0;
	set |= storm->duration ? BIT_ULL(RDMAFAULT_A_STORM_DURATION) : 0;
	set |= storm->on_time ? BIT_ULL(RDMAFAULT_A_STORM_ON_TIME) : 0;
	set |= storm->off_time ? BIT_ULL(RDMAFAULT_A_STORM_OFF_TIME) : 0;
	return put_nest(msg, RDMAFAULT_A_STORM, &info, set, rf_storm_fields,
			RDMAFAULT_A_STORM_MAX);
}

/**
 * rf_genl_put_pause - append a pause frame to a request
 * @msg: the request
 * @prios: bit n for priority n
 * @quanta: pause time in quanta; 0 is XON
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_pause(struct nl_msg *msg, uint32_t prios, uint32_t quanta)
{
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_PAUSE);

	if (!nest || nla_put_u32(msg, RDMAFAULT_A_PAUSE_PRIOS, prios) ||
	    nla_put_u32(msg, RDMAFAULT_A_PAUSE_QUANTA, quanta))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

/* Parse a nested attribute that contains only numbers. */
static int get_nest(struct nlattr *nest, void *to,
		    const struct rf_field *fields, int max)
{
	struct nlattr *tb[max + 1];
	uint64_t set = 0;

	if (nla_parse_nested(tb, max, nest, NULL))
		return -EBADMSG;
	rf_genl_get_fields(tb, to, &set, fields, max);
	return 0;
}

static int parse_link(struct nlattr *nest, struct rf_queue_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_LINK_MAX + 1];
	uint64_t set = 0;

	if (nla_parse_nested(tb, RDMAFAULT_A_LINK_MAX, nest, NULL))
		return -EBADMSG;
	rf_genl_get_fields(tb, &info->conf.link, &set, rf_link_fields,
			   RDMAFAULT_A_LINK_MAX);
	info->in_flight = rf_genl_u32(tb[RDMAFAULT_A_LINK_IN_FLIGHT]);
	info->in_flight_bytes = rf_genl_u64(tb[RDMAFAULT_A_LINK_IN_FLIGHT_BYTES]);
	return 0;
}

static int parse_buffer(struct nlattr *nest, struct rf_queue_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_BUFFER_MAX + 1];

	if (nla_parse_nested(tb, RDMAFAULT_A_BUFFER_MAX, nest, NULL))
		return -EBADMSG;
	info->conf.buffer = rf_genl_u64(tb[RDMAFAULT_A_BUFFER_SIZE]);
	info->buffer_used = rf_genl_u64(tb[RDMAFAULT_A_BUFFER_USED]);
	info->buffer_peak = rf_genl_u64(tb[RDMAFAULT_A_BUFFER_PEAK]);
	return 0;
}

static int parse_pause(struct nlattr *nest, struct rf_queue_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_PAUSE_MAX + 1];

	if (nla_parse_nested(tb, RDMAFAULT_A_PAUSE_MAX, nest, NULL))
		return -EBADMSG;
	info->pauses_received = rf_genl_u64(tb[RDMAFAULT_A_PAUSE_RECEIVED]);
	info->pauses_malformed = rf_genl_u64(tb[RDMAFAULT_A_PAUSE_MALFORMED]);
	info->pauses_reserved = rf_genl_u64(tb[RDMAFAULT_A_PAUSE_RESERVED]);
	info->pauses_sent = rf_genl_u64(tb[RDMAFAULT_A_PAUSE_SENT]);
	return 0;
}

/*
 * In the attributes of a storm, each bucket of a histogram is a separate attribute. All
 * buckets have the same type.
 */
static int parse_storm(struct nlattr *nest, struct rf_storm_info *storm)
{
	unsigned int intervals = 0, gaps = 0;
	struct nlattr *a;
	int rem;

	nla_for_each_nested(a, nest, rem) {
		if (nla_type(a) == RDMAFAULT_A_STORM_INTERVAL &&
		    intervals < RDMAFAULT_GAP_BUCKETS)
			storm->interval[intervals++] = rf_genl_u64(a);
		if (nla_type(a) == RDMAFAULT_A_STORM_GAP &&
		    gaps < RDMAFAULT_GAP_BUCKETS)
			storm->gap[gaps++] = rf_genl_u64(a);
	}
	return get_nest(nest, storm, rf_storm_fields, RDMAFAULT_A_STORM_MAX);
}

static int parse_prio_parts(struct nlattr **tb, uint32_t i,
			    struct rf_queue_info *info)
{
	int err = 0;

	if (tb[RDMAFAULT_A_PRIO_ECN])
		err = get_nest(tb[RDMAFAULT_A_PRIO_ECN],
			       &info->conf.prio[i].ecn, rf_ecn_fields,
			       RDMAFAULT_A_ECN_MAX);
	if (!err && tb[RDMAFAULT_A_PRIO_STATS])
		err = get_nest(tb[RDMAFAULT_A_PRIO_STATS], &info->stats[i],
			       rf_prio_stats_fields, RDMAFAULT_A_PRIO_STATS_MAX);
	if (err || !tb[RDMAFAULT_A_PRIO_STORM])
		return err;
	info->has_storm[i] = true;
	return parse_storm(tb[RDMAFAULT_A_PRIO_STORM], &info->storm[i]);
}

static int parse_prio(struct nlattr *nest, struct rf_queue_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_PRIO_MAX + 1];
	uint64_t set = 0;
	uint32_t i;

	if (nla_parse_nested(tb, RDMAFAULT_A_PRIO_MAX, nest, NULL))
		return -EBADMSG;
	i = rf_genl_u32(tb[RDMAFAULT_A_PRIO_PRIO]);
	if (!tb[RDMAFAULT_A_PRIO_PRIO] || i >= RDMAFAULT_PRIOS)
		return -EBADMSG;
	rf_genl_get_fields(tb, &info->conf.prio[i], &set, rf_prio_fields,
			   RDMAFAULT_A_PRIO_MAX);
	return parse_prio_parts(tb, i, info);
}

static int parse_dscp_prio(struct nlattr *nest, struct rf_queue_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_DSCP_PRIO_MAX + 1];
	uint32_t dscp;

	if (nla_parse_nested(tb, RDMAFAULT_A_DSCP_PRIO_MAX, nest, NULL))
		return -EBADMSG;
	dscp = rf_genl_u32(tb[RDMAFAULT_A_DSCP_PRIO_DSCP]);
	if (dscp >= sizeof(info->conf.dscp_prio))
		return -EBADMSG;
	info->conf.dscp_prio[dscp] = rf_genl_u32(tb[RDMAFAULT_A_DSCP_PRIO_PRIO]);
	return 0;
}

static int parse_one(struct nlattr *a, struct rf_queue_info *info)
{
	switch (nla_type(a)) {
	case RDMAFAULT_A_IFINDEX:
		info->ifindex = rf_genl_u32(a);
		return 0;
	case RDMAFAULT_A_IFNAME:
		nla_strlcpy(info->ifname, a, sizeof(info->ifname));
		return 0;
	case RDMAFAULT_A_LINK:
		return parse_link(a, info);
	case RDMAFAULT_A_BUFFER:
		return parse_buffer(a, info);
	case RDMAFAULT_A_PRIO:
		return parse_prio(a, info);
	case RDMAFAULT_A_DSCP_PRIO:
		return parse_dscp_prio(a, info);
	case RDMAFAULT_A_WATCHDOG:
		return get_nest(a, &info->conf.watchdog, rf_watchdog_fields,
				RDMAFAULT_A_WATCHDOG_MAX);
	case RDMAFAULT_A_PAUSE:
		return parse_pause(a, info);
	case RDMAFAULT_A_DCQCN:
		return get_nest(a, &info->conf.dcqcn, rf_dcqcn_fields,
				RDMAFAULT_A_DCQCN_MAX);
	default:
		return 0;
	}
}

/**
 * rf_genl_parse_queue - parse the queue settings and counters of a response
 * @nlh: the response
 * @info: gets the settings and counters
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_queue(struct nlmsghdr *nlh, struct rf_queue_info *info)
{
	struct genlmsghdr *gh = nlmsg_data(nlh);
	struct nlattr *a;
	int rem, err;

	memset(info, 0, sizeof(*info));
	nla_for_each_attr(a, genlmsg_attrdata(gh, 0), genlmsg_attrlen(gh, 0),
			  rem) {
		err = parse_one(a, info);
		if (err)
			return err;
	}
	return 0;
}

/* Store an address, and its length. Return: 0, or -EBADMSG. */
static int get_address(const struct nlattr *attr, uint8_t *addr, uint32_t *len)
{
	if (!attr || (nla_len(attr) != 4 && nla_len(attr) != 16))
		return -EBADMSG;
	*len = nla_len(attr);
	memcpy(addr, nla_data(attr), *len);
	return 0;
}

/**
 * rf_genl_parse_rate - parse a response with a flow whose rate CNPs have limited
 * @nlh: the response
 * @info: gets the flow
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_rate(struct nlmsghdr *nlh, struct rf_rate_info *info)
{
	struct nlattr *top[RDMAFAULT_A_MAX + 1], *tb[RDMAFAULT_A_DCQCN_FLOW_MAX + 1];
	struct rf_dcqcn_flow *flow = &info->flow;
	uint64_t set = 0;

	memset(info, 0, sizeof(*info));
	if (genlmsg_parse(nlh, 0, top, RDMAFAULT_A_MAX, NULL) || !top[RDMAFAULT_A_DCQCN_FLOW] ||
	    nla_parse_nested(tb, RDMAFAULT_A_DCQCN_FLOW_MAX, top[RDMAFAULT_A_DCQCN_FLOW], NULL) ||
	    get_address(tb[RDMAFAULT_A_DCQCN_FLOW_SADDR], flow->saddr, &flow->addr_len) ||
	    get_address(tb[RDMAFAULT_A_DCQCN_FLOW_DADDR], flow->daddr, &flow->addr_len))
		return -EBADMSG;
	info->ifindex = rf_genl_u32(top[RDMAFAULT_A_IFINDEX]);
	if (top[RDMAFAULT_A_IFNAME])
		nla_strlcpy(info->ifname, top[RDMAFAULT_A_IFNAME], sizeof(info->ifname));
	rf_genl_get_fields(tb, flow, &set, rf_dcqcn_flow_fields, RDMAFAULT_A_DCQCN_FLOW_MAX);
	return 0;
}
