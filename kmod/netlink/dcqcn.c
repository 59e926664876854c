// SPDX-License-Identifier: GPL-2.0
/* The request dcqcn-flow-get: the flows whose rates CNPs have limited. */
#include <linux/netdevice.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../fields.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

static int dcqcn_put_flow(struct sk_buff *skb, const struct rf_port *port,
			  const struct rf_dcqcn_flow *flow)
{
	struct nlattr *nest;

	if (rf_put_netdev(skb, port->dev))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_DCQCN_FLOW);
	if (!nest ||
	    nla_put(skb, RDMAFAULT_A_DCQCN_FLOW_SADDR, flow->addr_len, flow->saddr) ||
	    nla_put(skb, RDMAFAULT_A_DCQCN_FLOW_DADDR, flow->addr_len, flow->daddr) ||
	    rf_put_fields(skb, flow, ~0ULL, rf_dcqcn_flow_fields,
			  RDMAFAULT_A_DCQCN_FLOW_MAX, RDMAFAULT_A_DCQCN_FLOW_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int dcqcn_put_msg(struct sk_buff *skb, void *hdr, const struct rf_port *port,
			 const struct rf_dcqcn_flow *flow)
{
	if (!hdr)
		return -EMSGSIZE;
	if (dcqcn_put_flow(skb, port, flow)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* Only the attributes that identify a flow are allowed in a request. */
static int dcqcn_parse_key(const struct nlattr *nest, struct rf_pacer_key *key,
			   struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_DCQCN_FLOW_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_DCQCN_FLOW_MAX, nest,
			       rdmafault_dcqcn_flow_nl_policy, extack) ?:
	      rf_require(tb, RDMAFAULT_A_DCQCN_FLOW_SADDR, nest, "saddr: missing", extack) ?:
	      rf_require(tb, RDMAFAULT_A_DCQCN_FLOW_DADDR, nest, "daddr: missing", extack) ?:
	      rf_require(tb, RDMAFAULT_A_DCQCN_FLOW_QP, nest, "qp: missing", extack) ?:
	      rf_refuse_from(tb, RDMAFAULT_A_DCQCN_FLOW_RATE, RDMAFAULT_A_DCQCN_FLOW_MAX,
			     extack) ?:
	      rf_get_addr(tb[RDMAFAULT_A_DCQCN_FLOW_SADDR], key->saddr, &key->addr_len,
			  extack) ?:
	      rf_get_addr(tb[RDMAFAULT_A_DCQCN_FLOW_DADDR], key->daddr, &key->addr_len,
			  extack);
	if (!err)
		key->qp = nla_get_u32(tb[RDMAFAULT_A_DCQCN_FLOW_QP]);
	return err;
}

static int dcqcn_reply(const struct rf_port *port, const struct rf_dcqcn_flow *flow,
		       struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0, RDMAFAULT_CMD_DCQCN_FLOW_GET);
	if (dcqcn_put_msg(skb, hdr, port, flow)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return genlmsg_reply(skb, info);
}

static int dcqcn_get(struct rf_prioq *q, const struct rf_pacer_key *key, struct genl_info *info)
{
	struct rf_dcqcn_flow flow;

	if (rf_prioq_find_flow(q, key, &flow))
		return dcqcn_reply(q->port, &flow, info);
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_DCQCN_FLOW],
			    "dcqcn-flow: no such flow has received CNPs");
	return -ENOENT;
}

int rdmafault_nl_dcqcn_flow_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *nest = info->attrs[RDMAFAULT_A_DCQCN_FLOW];
	struct rf_pacer_key key = {};
	struct rf_prioq *q;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_DCQCN_FLOW, "dcqcn-flow: missing") ?:
	      dcqcn_parse_key(nest, &key, info->extack);
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	err = IS_ERR(q) ? PTR_ERR(q) : dcqcn_get(q, &key, info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

/* The place of a dump: the port, the bucket of its table, and the flow in the bucket */
#define AT_PORT		0
#define AT_BUCKET	1
#define AT_FLOW		2

static int dcqcn_dump_port(struct sk_buff *skb, struct netlink_callback *cb,
			   const struct rf_port *port)
{
	struct rf_dcqcn_flow flow;
	void *hdr;

	for (; cb->args[AT_BUCKET] < 1 << RF_PACER_BITS; cb->args[AT_BUCKET]++) {
		while (rf_prioq_read_flow(port->queue, cb->args[AT_BUCKET], cb->args[AT_FLOW],
					  &flow)) {
			hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
					  &rf_family, NLM_F_MULTI, RDMAFAULT_CMD_DCQCN_FLOW_GET);
			if (dcqcn_put_msg(skb, hdr, port, &flow))
				return -EMSGSIZE;
			cb->args[AT_FLOW]++;
		}
		cb->args[AT_FLOW] = 0;
	}
	return 0;
}

int rdmafault_nl_dcqcn_flow_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct rf_port *port;

	mutex_lock(&ports->lock);
	list_for_each_entry(port, &ports->list, list) {
		if (port->serial <= cb->args[AT_PORT] || !port->queue ||
		    !rf_netlink_dump_includes(cb, port))
			continue;
		if (dcqcn_dump_port(skb, cb, port))
			break;
		cb->args[AT_PORT] = port->serial;
		cb->args[AT_BUCKET] = 0;
	}
	mutex_unlock(&ports->lock);
	return skb->len;
}
