// SPDX-License-Identifier: GPL-2.0
/*
 * The requests queue-get and queue-set: the configuration of the link, the
 * priorities, the buffer, the watchdog and DCQCN of a port, and their counters. A reply
 * for one port with all histograms takes about 14 KiB, which is more than the
 * default size of a netlink message.
 */
#include <linux/netdevice.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../queue/config.h"
#include "../fields.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

#define REPLY_ROOM	(20 * SZ_1K)

static int queue_put_link(struct sk_buff *skb, const struct rf_conf *conf)
{
	u64 set = ~0ULL;

	if (!conf->link.rate) {
		set &= ~BIT_ULL(RDMAFAULT_A_LINK_RATE);
		if (nla_put_flag(skb, RDMAFAULT_A_LINK_NO_RATE))
			return -EMSGSIZE;
	}
	return rf_put_fields(skb, &conf->link, set, rf_link_fields,
			     RDMAFAULT_A_LINK_MAX, RDMAFAULT_A_LINK_PAD);
}

/**
 * rf_put_link - add the attributes of a link to a message
 * @skb: the message; the caller cancels it after a failure
 * @attr: attribute of the nest
 * @conf: the configuration
 *
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_link(struct sk_buff *skb, int attr, const struct rf_conf *conf)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || queue_put_link(skb, conf))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* The link with the packets in flight */
static int queue_put_link_and_packets(struct sk_buff *skb,
				      const struct rf_prioq *q,
				      const struct rf_conf *conf)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_LINK);

	if (!nest || queue_put_link(skb, conf) ||
	    nla_put_u32(skb, RDMAFAULT_A_LINK_IN_FLIGHT,
			rf_in_flight_count(&q->in_flight)) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_LINK_IN_FLIGHT_BYTES,
			      READ_ONCE(q->in_flight.bytes),
			      RDMAFAULT_A_LINK_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int queue_put_buffer(struct sk_buff *skb, const struct rf_pfc_info *info,
			    const struct rf_conf *conf)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_BUFFER);

	if (!nest)
		return -EMSGSIZE;
	if (conf->buffer ?
	    nla_put_u64_64bit(skb, RDMAFAULT_A_BUFFER_SIZE, conf->buffer,
			      RDMAFAULT_A_BUFFER_PAD) :
	    nla_put_flag(skb, RDMAFAULT_A_BUFFER_NO_SIZE))
		return -EMSGSIZE;
	if (nla_put_u64_64bit(skb, RDMAFAULT_A_BUFFER_USED, info->buffer_used,
			      RDMAFAULT_A_BUFFER_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_BUFFER_PEAK, info->buffer_peak,
			      RDMAFAULT_A_BUFFER_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* A nest with the members of a struct */
static int queue_put_nest(struct sk_buff *skb, int attr, const void *from,
			  const struct rf_field *fields, int max, int pad)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || rf_put_fields(skb, from, ~0ULL, fields, max, pad))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int queue_put_stats(struct sk_buff *skb, struct rf_prioq *q, u32 prio)
{
	struct rf_prio_stats stats;

	rf_prioq_read_stats(q, prio, &stats);
	return queue_put_nest(skb, RDMAFAULT_A_PRIO_STATS, &stats,
			      rf_prio_stats_fields, RDMAFAULT_A_PRIO_STATS_MAX,
			      RDMAFAULT_A_PRIO_STATS_PAD);
}

static int queue_put_buckets(struct sk_buff *skb, int attr, const u64 *bucket)
{
	int err = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_GAP_BUCKETS && !err; i++)
		err = nla_put_u64_64bit(skb, attr, bucket[i],
					RDMAFAULT_A_STORM_PAD);
	return err;
}

/* Nothing is added if there has been no storm. */
static int queue_put_storm(struct sk_buff *skb, const struct rf_prioq *q, u32 prio)
{
	struct rf_storm_info storm;
	struct nlattr *nest;

	rf_storm_read(q->pfc, prio, &storm);
	if (!storm.spec.prios)
		return 0;
	nest = nla_nest_start(skb, RDMAFAULT_A_PRIO_STORM);
	if (!nest ||
	    rf_put_fields(skb, &storm, ~0ULL, rf_storm_fields,
			  RDMAFAULT_A_STORM_MAX, RDMAFAULT_A_STORM_PAD) ||
	    queue_put_buckets(skb, RDMAFAULT_A_STORM_INTERVAL, storm.interval) ||
	    queue_put_buckets(skb, RDMAFAULT_A_STORM_GAP, storm.gap))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int queue_put_prio(struct sk_buff *skb, struct rf_prioq *q,
			  const struct rf_conf *conf, u32 i)
{
	const struct rf_prio_conf *prio = &conf->prio[i];
	struct nlattr *nest;

	nest = nla_nest_start(skb, RDMAFAULT_A_PRIO);
	if (!nest || nla_put_u32(skb, RDMAFAULT_A_PRIO_PRIO, i) ||
	    rf_put_fields(skb, prio, ~0ULL, rf_prio_fields,
			  RDMAFAULT_A_PRIO_MAX, RDMAFAULT_A_PRIO_PAD) ||
	    queue_put_nest(skb, RDMAFAULT_A_PRIO_ECN, &prio->ecn, rf_ecn_fields,
			   RDMAFAULT_A_ECN_MAX, RDMAFAULT_A_ECN_PAD) ||
	    queue_put_stats(skb, q, i) || queue_put_storm(skb, q, i))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int queue_put_prios(struct sk_buff *skb, struct rf_prioq *q,
			   const struct rf_conf *conf)
{
	int err = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS && !err; i++)
		err = queue_put_prio(skb, q, conf, i);
	return err;
}

static int queue_put_dscp_prio(struct sk_buff *skb, const struct rf_conf *conf)
{
	struct nlattr *nest;
	u32 i;

	for (i = 0; i < sizeof(conf->dscp_prio); i++) {
		nest = nla_nest_start(skb, RDMAFAULT_A_DSCP_PRIO);
		if (!nest ||
		    nla_put_u32(skb, RDMAFAULT_A_DSCP_PRIO_DSCP, i) ||
		    nla_put_u32(skb, RDMAFAULT_A_DSCP_PRIO_PRIO,
				conf->dscp_prio[i]))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int queue_put_pause(struct sk_buff *skb, const struct rf_pfc_info *info)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_PAUSE);

	if (!nest ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PAUSE_RECEIVED,
			      info->received,
			      RDMAFAULT_A_PAUSE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PAUSE_MALFORMED,
			      info->malformed,
			      RDMAFAULT_A_PAUSE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PAUSE_RESERVED,
			      info->reserved,
			      RDMAFAULT_A_PAUSE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PAUSE_SENT,
			      info->sent, RDMAFAULT_A_PAUSE_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int queue_put(struct sk_buff *skb, struct rf_prioq *q)
{
	struct rf_pfc_info pfc = rf_pfc_read(q->pfc);
	const struct rf_conf *conf = rf_queue_conf(q);

	if (rf_put_netdev(skb, q->dev) ||
	    queue_put_link_and_packets(skb, q, conf) ||
	    queue_put_buffer(skb, &pfc, conf) ||
	    queue_put_prios(skb, q, conf) || queue_put_dscp_prio(skb, conf) ||
	    queue_put_pause(skb, &pfc))
		return -EMSGSIZE;
	if (queue_put_nest(skb, RDMAFAULT_A_WATCHDOG, &conf->watchdog,
			   rf_watchdog_fields, RDMAFAULT_A_WATCHDOG_MAX,
			   RDMAFAULT_A_WATCHDOG_PAD))
		return -EMSGSIZE;
	return queue_put_nest(skb, RDMAFAULT_A_DCQCN, &conf->dcqcn, rf_dcqcn_fields,
			      RDMAFAULT_A_DCQCN_MAX, RDMAFAULT_A_DCQCN_PAD);
}

static int queue_put_msg(struct sk_buff *skb, void *hdr, struct rf_prioq *q)
{
	if (!hdr)
		return -EMSGSIZE;
	if (queue_put(skb, q)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int queue_reply(struct rf_prioq *q, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(REPLY_ROOM, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0,
				RDMAFAULT_CMD_QUEUE_GET);
	if (queue_put_msg(skb, hdr, q)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return genlmsg_reply(skb, info);
}

int rdmafault_nl_queue_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_prioq *q;
	int err;

	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	err = IS_ERR(q) ? PTR_ERR(q) : queue_reply(q, info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

/**
 * rf_netlink_queue_start - begin a dump of queue-get
 * @cb: the dump
 *
 * Context: process.
 * Return: 0.
 */
int rf_netlink_queue_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = REPLY_ROOM;
	return 0;
}

int rdmafault_nl_queue_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct rf_port *port;
	void *hdr;

	mutex_lock(&ports->lock);
	cb->seq = ports->changes;
	list_for_each_entry(port, &ports->list, list) {
		if (port->serial <= cb->args[0] || !port->queue ||
		    !rf_netlink_dump_includes(cb, port))
			continue;
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, &rf_family, NLM_F_MULTI,
				  RDMAFAULT_CMD_QUEUE_GET);
		if (queue_put_msg(skb, hdr, port->queue))
			break;
		genl_dump_check_consistent(cb, hdr);
		cb->args[0] = port->serial;
	}
	mutex_unlock(&ports->lock);
	return skb->len;
}

/* A flow must not need longer than max-hold for the packets that rxe has in flight. */
static int queue_check_window(const struct rf_prioq *q, const struct rf_conf *conf,
			      struct genl_info *info)
{
	if (!conf->dcqcn.rp || rf_dcqcn_window(conf, q->dev->mtu) < q->max_hold)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_DCQCN],
			    "min-rate: 64 packets take longer than max-hold");
	return -EINVAL;
}

static int queue_change(struct rf_prioq *q, struct genl_info *info)
{
	struct rf_conf *conf;
	int err;

	conf = kmemdup(rf_queue_conf(q), sizeof(*conf), GFP_KERNEL_ACCOUNT);
	if (!conf)
		return -ENOMEM;
	err = rf_conf_parse(conf, info) ?:
	      queue_check_window(q, conf, info) ?:
	      rf_queue_get_hooks(q, conf);
	if (err) {
		kfree(conf);
		return err;
	}
	rf_queue_configure(q, conf);
	return 0;
}

int rdmafault_nl_queue_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_prioq *q;
	int err;

	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	err = IS_ERR(q) ? PTR_ERR(q) : queue_change(q, info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}
