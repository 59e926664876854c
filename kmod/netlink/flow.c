// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about flows.
 *
 * A dump consists of many messages, and packets create and remove flows in between. So
 * a dump starts with a copy of all flows, and sends only this copy. The counters of a
 * flow are consistent, because a flow is copied under the lock of its direction.
 */
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/sort.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../flow/flow.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

/* A flow with its port and direction */
struct flow_entry {
	u32 ifindex;
	char ifname[IFNAMSIZ];
	u32 direction;
	struct rf_flow_info info;
};

/**
 * struct flow_copy - the flows of a dump
 * @room: allocated entries
 * @count: used entries
 * @sent: entries that the dump has sent
 * @entry: the flows
 */
struct flow_copy {
	u32 room;
	u32 count;
	u32 sent;
	struct flow_entry entry[];
};

static int flow_put_counters(struct sk_buff *skb, const struct rf_flow_info *info)
{
	const struct {
		int attr;
		u64 value;
	} counters[] = {
		{ RDMAFAULT_A_FLOW_PACKETS, info->counts.packets },
		{ RDMAFAULT_A_FLOW_BYTES, info->counts.bytes },
		{ RDMAFAULT_A_FLOW_MESSAGES, info->counts.messages },
		{ RDMAFAULT_A_FLOW_RETRANSMITTED, info->counts.retransmitted },
		{ RDMAFAULT_A_FLOW_RETRANSMITTED_BYTES,
		  info->counts.retransmitted_bytes },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (nla_put_u64_64bit(skb, counters[i].attr, counters[i].value,
				      RDMAFAULT_A_FLOW_PAD))
			return -EMSGSIZE;
	return nla_put_u32(skb, RDMAFAULT_A_FLOW_MAX_ATTEMPT, info->counts.max_attempt);
}

/* The counters of a request flow are known only if the port has seen its responses. */
static int flow_put_responses(struct sk_buff *skb, const struct rf_flow_info *info)
{
	if (!info->response && !info->counts.responses_seen)
		return 0;
	if (nla_put_u64_64bit(skb, RDMAFAULT_A_FLOW_NAKS, info->counts.naks,
			      RDMAFAULT_A_FLOW_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_FLOW_RNRS, info->counts.rnrs,
			      RDMAFAULT_A_FLOW_PAD))
		return -EMSGSIZE;
	if (info->response)
		return 0;
	return nla_put_u64_64bit(skb, RDMAFAULT_A_FLOW_TIMEOUTS,
				 info->counts.timeouts, RDMAFAULT_A_FLOW_PAD);
}

static int flow_put_id(struct sk_buff *skb, u32 direction,
		       const struct rf_flow_info *info)
{
	if (nla_put_u32(skb, RDMAFAULT_A_FLOW_DIRECTION, direction) ||
	    nla_put(skb, RDMAFAULT_A_FLOW_SADDR, info->addr_len, info->saddr) ||
	    nla_put(skb, RDMAFAULT_A_FLOW_DADDR, info->addr_len, info->daddr) ||
	    nla_put_u32(skb, RDMAFAULT_A_FLOW_QP, info->qp))
		return -EMSGSIZE;
	if (info->response && nla_put_flag(skb, RDMAFAULT_A_FLOW_RESPONSE))
		return -EMSGSIZE;
	if (info->counts.has_peer &&
	    nla_put_u32(skb, RDMAFAULT_A_FLOW_PEER_QP, info->counts.peer_qp))
		return -EMSGSIZE;
	return nla_put_u32(skb, RDMAFAULT_A_FLOW_ORDINAL, info->counts.ordinal);
}

static int flow_put(struct sk_buff *skb, const struct flow_entry *e)
{
	const struct rf_flow_info *info = &e->info;
	struct nlattr *nest;

	if (nla_put_u32(skb, RDMAFAULT_A_IFINDEX, e->ifindex) ||
	    nla_put_string(skb, RDMAFAULT_A_IFNAME, e->ifname))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_FLOW);
	if (!nest || flow_put_id(skb, e->direction, info) ||
	    nla_put_u32(skb, RDMAFAULT_A_FLOW_FIRST_PSN, info->first_psn) ||
	    nla_put_u32(skb, RDMAFAULT_A_FLOW_HIGHEST_PSN, info->highest_psn) ||
	    flow_put_counters(skb, info) || flow_put_responses(skb, info))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int flow_put_msg(struct sk_buff *skb, void *hdr,
			const struct flow_entry *e)
{
	if (!hdr)
		return -EMSGSIZE;
	if (flow_put(skb, e)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static void entry_set_dir(struct flow_entry *e, const struct rf_dir *dir)
{
	e->ifindex = dir->dev->ifindex;
	strscpy(e->ifname, dir->dev->name, sizeof(e->ifname));
	e->direction = dir->direction;
}

/* Only the attributes that identify a flow are allowed in a request. */
static int flow_id_check(struct nlattr **tb, const struct nlattr *nest,
			 struct netlink_ext_ack *extack)
{
	int attr;

	if (NL_REQ_ATTR_CHECK(extack, nest, tb, RDMAFAULT_A_FLOW_DIRECTION) ||
	    NL_REQ_ATTR_CHECK(extack, nest, tb, RDMAFAULT_A_FLOW_SADDR) ||
	    NL_REQ_ATTR_CHECK(extack, nest, tb, RDMAFAULT_A_FLOW_DADDR) ||
	    NL_REQ_ATTR_CHECK(extack, nest, tb, RDMAFAULT_A_FLOW_QP)) {
		NL_SET_ERR_MSG(extack,
			       "flow: requires direction, saddr, daddr and qp");
		return -EINVAL;
	}
	for (attr = RDMAFAULT_A_FLOW_ORDINAL; attr <= RDMAFAULT_A_FLOW_MAX;
	     attr++) {
		if (!tb[attr])
			continue;
		NL_SET_ERR_MSG_ATTR(extack, tb[attr],
				    "netlink attribute flow: only allowed in replies");
		return -EINVAL;
	}
	return 0;
}

static int flow_id_parse(const struct nlattr *nest, struct rf_desc *desc, u32 *direction,
			 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_FLOW_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_FLOW_MAX, nest,
			       rdmafault_flow_nl_policy, extack) ?:
	      flow_id_check(tb, nest, extack) ?:
	      rf_get_addr(tb[RDMAFAULT_A_FLOW_SADDR], desc->saddr,
			  &desc->addr_len, extack) ?:
	      rf_get_addr(tb[RDMAFAULT_A_FLOW_DADDR], desc->daddr,
			  &desc->addr_len, extack);
	if (err)
		return err;
	*direction = nla_get_u32(tb[RDMAFAULT_A_FLOW_DIRECTION]);
	desc->qp = nla_get_u32(tb[RDMAFAULT_A_FLOW_QP]);
	desc->response = tb[RDMAFAULT_A_FLOW_RESPONSE];
	return 0;
}

static int flow_reply(const struct flow_entry *e, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0,
				RDMAFAULT_CMD_FLOW_GET);
	if (flow_put_msg(skb, hdr, e)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return genlmsg_reply(skb, info);
}

static int flow_find(struct rf_dir *dir, const struct rf_desc *desc,
		     struct flow_entry *e, struct genl_info *info)
{
	bool found;

	entry_set_dir(e, dir);
	spin_lock_bh(&dir->lock);
	found = rf_flow_info(dir->flows, desc, &e->info);
	spin_unlock_bh(&dir->lock);
	if (found)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_FLOW],
			    "flow: no such flow");
	return -ENOENT;
}

int rdmafault_nl_flow_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *nest = info->attrs[RDMAFAULT_A_FLOW];
	struct rf_desc desc = {};
	struct rf_port *port;
	struct flow_entry e;
	u32 direction;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_FLOW, "flow: missing") ?:
	      flow_id_parse(nest, &desc, &direction, info->extack);
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) :
	      flow_find(&port->dir[direction], &desc, &e, info);
	rf_ports_unlock(genl_info_net(info));
	return err ?: flow_reply(&e, info);
}

static int copy_flow(const struct rf_flow_info *info, void *arg)
{
	struct flow_copy *copy = arg;
	struct flow_entry *e = &copy->entry[copy->count];

	if (copy->count == copy->room)
		return -ENOSPC;
	e->info = *info;
	copy->count++;
	return 0;
}

static int cmp_u32(u32 a, u32 b)
{
	return (a > b) - (a < b);
}

/* The order in the table differs from boot to boot. */
static int entry_cmp(const void *a, const void *b)
{
	const struct rf_flow_info *x = &((const struct flow_entry *)a)->info;
	const struct rf_flow_info *y = &((const struct flow_entry *)b)->info;

	return memcmp(x->saddr, y->saddr, sizeof(x->saddr)) ?:
	       memcmp(x->daddr, y->daddr, sizeof(x->daddr)) ?:
	       cmp_u32(x->qp, y->qp) ?: cmp_u32(x->response, y->response) ?:
	       cmp_u32(x->counts.ordinal, y->counts.ordinal);
}

/* Copy in pieces, so that no packet waits until all flows are copied. */
static int copy_dir(struct flow_copy *copy, struct rf_dir *dir)
{
	u32 i, bucket = 0, first = copy->count;
	int err;

	do {
		spin_lock_bh(&dir->lock);
		err = rf_flows_each(dir->flows, &bucket, copy_flow, copy);
		spin_unlock_bh(&dir->lock);
		cond_resched();
	} while (err > 0);
	for (i = first; i < copy->count; i++)
		entry_set_dir(&copy->entry[i], dir);
	sort(&copy->entry[first], copy->count - first, sizeof(copy->entry[0]),
	     entry_cmp, NULL);
	return err;
}

static u32 copy_count(const struct rf_ports *ports,
		      const struct netlink_callback *cb)
{
	const struct rf_port *port;
	u32 count = 0;

	list_for_each_entry(port, &ports->list, list)
		if (rf_netlink_dump_includes(cb, port))
			count += rf_flows_count(port->dir[RF_TX].flows) +
				 rf_flows_count(port->dir[RF_RX].flows);
	return count;
}

static int copy_all(struct flow_copy *copy, const struct rf_ports *ports,
		    const struct netlink_callback *cb)
{
	struct rf_port *port;
	int err;

	list_for_each_entry(port, &ports->list, list) {
		if (!rf_netlink_dump_includes(cb, port))
			continue;
		err = copy_dir(copy, &port->dir[RF_TX]) ?:
		      copy_dir(copy, &port->dir[RF_RX]);
		if (err)
			return err;
	}
	return 0;
}

/* Packets may create flows between counting and copying. Then start again. */
static struct flow_copy *copy_make(const struct rf_ports *ports,
				   const struct netlink_callback *cb)
{
	struct flow_copy *copy;
	u32 room;
	int err;

	do {
		room = copy_count(ports, cb) + 16;
		copy = kvzalloc(struct_size(copy, entry, room),
				GFP_KERNEL_ACCOUNT);
		if (!copy)
			return NULL;
		copy->room = room;
		err = copy_all(copy, ports, cb);
		if (err)
			kvfree(copy);
	} while (err);
	return copy;
}

/**
 * rf_netlink_flow_copy - start a dump of flows
 * @cb: the dump
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int rf_netlink_flow_copy(struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct flow_copy *copy;

	mutex_lock(&ports->lock);
	copy = copy_make(ports, cb);
	mutex_unlock(&ports->lock);
	if (!copy)
		return -ENOMEM;
	cb->args[0] = (long)copy;
	return 0;
}

int rdmafault_nl_flow_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct flow_copy *copy = (struct flow_copy *)cb->args[0];
	int err = rf_netlink_dump_check(cb);
	void *hdr;

	if (err)
		return err;
	while (copy->sent < copy->count) {
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, &rf_family, NLM_F_MULTI,
				  RDMAFAULT_CMD_FLOW_GET);
		if (flow_put_msg(skb, hdr, &copy->entry[copy->sent]))
			break;
		copy->sent++;
	}
	return skb->len;
}

/**
 * rf_netlink_flow_done - end a dump of flows, complete or not
 * @cb: the dump
 *
 * Context: process.
 * Return: 0.
 */
int rf_netlink_flow_done(struct netlink_callback *cb)
{
	kvfree((void *)cb->args[0]);
	return 0;
}
