// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about ports, and the functions by which all requests find their ports. A request
 * is parsed and validated as a whole. Then all of it takes effect under rf_ports_lock, or it
 * is refused with a message and changes nothing.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../compat/netlink.h"
#include "../rule/params.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

/**
 * rf_netlink_require - check that a request has an attribute
 * @info: the request
 * @attr: number of the attribute at the top level
 * @missing: error message if the request does not have it
 *
 * Return: 0 or -EINVAL.
 */
int rf_netlink_require(struct genl_info *info, int attr, const char *missing)
{
	if (!GENL_REQ_ATTR_CHECK(info, attr))
		return 0;
	rf_extack_set(info->extack, missing);
	return -EINVAL;
}

/**
 * rf_netlink_dump_includes - check whether a dump includes a port
 * @cb: the dump; with ifindex it includes only this port
 * @port: a port in the network namespace of the dump
 *
 * Return: true if it does.
 */
bool rf_netlink_dump_includes(const struct netlink_callback *cb,
			      const struct rf_port *port)
{
	const struct nlattr *ifindex;

	ifindex = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, RDMAFAULT_A_IFINDEX);
	return !ifindex || nla_get_u32(ifindex) == port->dev->ifindex;
}

/**
 * rf_netlink_dump_check - refuse attributes that a dump would ignore
 * @cb: the dump; it uses only ifindex
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int rf_netlink_dump_check(struct netlink_callback *cb)
{
	const struct nlattr *attr;

	attr = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, RDMAFAULT_A_ID);
	if (attr) {
		NL_SET_ERR_MSG_ATTR(cb->extack, attr, "netlink attribute id: not allowed in a dump request");
		return -EINVAL;
	}
	attr = nlmsg_find_attr(cb->nlh, GENL_HDRLEN, RDMAFAULT_A_FLOW);
	if (attr) {
		NL_SET_ERR_MSG_ATTR(cb->extack, attr, "netlink attribute flow: not allowed in a dump request");
		return -EINVAL;
	}
	return 0;
}

/**
 * rf_netlink_port - find the port of a request
 * @info: the request
 *
 * Context: rf_ports_lock held.
 * Return: the port; -EINVAL or -ENODEV as an ERR_PTR, with a message in the extack.
 */
struct rf_port *rf_netlink_port(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RDMAFAULT_A_IFINDEX];
	struct rf_port *port;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_IFINDEX, "ifindex: missing");
	if (err)
		return ERR_PTR(err);
	port = rf_port_find(genl_info_net(info), nla_get_u32(attr));
	if (!port) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "ifindex: netdev is not a port");
		return ERR_PTR(-ENODEV);
	}
	return port;
}

/**
 * rf_netlink_port_new - make the netdev of a request a port
 * @info: the request
 *
 * Context: RTNL and rf_ports_lock held.
 * Return: the port; an errno as an ERR_PTR, with a message in the extack.
 */
struct rf_port *rf_netlink_port_new(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RDMAFAULT_A_IFINDEX];
	struct net_device *dev;
	struct rf_port *port;

	dev = __dev_get_by_index(genl_info_net(info), nla_get_u32(attr));
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "ifindex: no such netdev");
		return ERR_PTR(-ENODEV);
	}
	port = rf_port_create(dev, info->extack);
	if (IS_ERR(port))
		NL_SET_BAD_ATTR(info->extack, attr);
	return port;
}

/**
 * rf_netlink_queue - find the queues of the port of a request
 * @info: the request
 *
 * Context: rf_ports_lock held.
 * Return: the queues; -EINVAL, -ENODEV or -EOPNOTSUPP as an ERR_PTR, with a message in
 * the extack.
 */
struct rf_prioq *rf_netlink_queue(struct genl_info *info)
{
	struct rf_port *port = rf_netlink_port(info);

	if (IS_ERR(port))
		return ERR_CAST(port);
	if (port->queue)
		return port->queue;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_IFINDEX],
			    "port has rules only; \"rdmafault port add\" before the job adds queues");
	return ERR_PTR(-EOPNOTSUPP);
}

/**
 * rf_netlink_each_port - call a function for the ports of a request
 * @info: the request; without ifindex, its ports are all of the network namespace
 * @fn: the function
 * @arg: argument of @fn
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV with a message in the extack.
 */
int rf_netlink_each_port(struct genl_info *info,
			 void (*fn)(struct rf_port *port, const void *arg),
			 const void *arg)
{
	struct rf_port *port;
	int err = 0;

	rf_ports_lock(genl_info_net(info));
	if (info->attrs[RDMAFAULT_A_IFINDEX]) {
		port = rf_netlink_port(info);
		err = PTR_ERR_OR_ZERO(port);
		if (!err)
			fn(port, arg);
	} else {
		list_for_each_entry(port, &rf_ports(genl_info_net(info))->list, list)
			fn(port, arg);
	}
	rf_ports_unlock(genl_info_net(info));
	return err;
}

static int port_reply(struct rf_port *port, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0,
				RDMAFAULT_CMD_PORT_GET);
	if (!hdr || rf_put_port(skb, port)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

int rdmafault_nl_port_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : port_reply(port, info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

static int port_dump(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct rf_port *port)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rf_family, NLM_F_MULTI, RDMAFAULT_CMD_PORT_GET);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (rf_put_port(skb, port)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

int rdmafault_nl_port_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct rf_port *port;

	mutex_lock(&ports->lock);
	cb->seq = ports->changes;
	list_for_each_entry(port, &ports->list, list) {
		if (port->serial <= cb->args[0] ||
		    !rf_netlink_dump_includes(cb, port))
			continue;
		if (port_dump(skb, cb, port))
			break;
		cb->args[0] = port->serial;
	}
	mutex_unlock(&ports->lock);
	return skb->len;
}

int rdmafault_nl_port_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_IFINDEX, "ifindex: missing");
	if (err)
		return err;
	rtnl_lock();
	rf_ports_lock(genl_info_net(info));
	port = rf_port_find(genl_info_net(info),
			    nla_get_u32(info->attrs[RDMAFAULT_A_IFINDEX]));
	if (port && port->of_qdisc)
		port->of_qdisc = false;
	else
		port = rf_netlink_port_new(info);
	rf_ports_unlock(genl_info_net(info));
	rtnl_unlock();
	return PTR_ERR_OR_ZERO(port);
}

int rdmafault_nl_port_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	rtnl_lock();
	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = PTR_ERR_OR_ZERO(port);
	if (!err && port->queue) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_IFINDEX],
				    "port has the root qdisc rdmafault; delete the qdisc first");
		err = -EBUSY;
	}
	rf_ports_unlock(genl_info_net(info));
	if (!err)
		rf_port_end(port);
	rtnl_unlock();
	return err;
}

/* Numbers of messages that the request does not have become unknown. */
static struct rf_progress *progress_alloc(struct genl_info *info)
{
	struct nlattr *total = info->attrs[RDMAFAULT_A_MESSAGES_TOTAL];
	struct nlattr *messages = info->attrs[RDMAFAULT_A_MESSAGES];
	struct rf_progress *progress;

	progress = kzalloc(sizeof(*progress), GFP_KERNEL_ACCOUNT);
	if (!progress)
		return NULL;
	progress->step = nla_get_u32(info->attrs[RDMAFAULT_A_STEP]);
	progress->messages = messages ? nla_get_u32(messages) : 0;
	progress->messages_total = total ? nla_get_u32(total) : 0;
	refcount_set(&progress->ports, 1);
	return progress;
}

/*
 * Ranks announce their steps at their own ports. The ports of a bridge carry the
 * packets of many ranks. They use the latest announcement of any rank.
 */
static void step_announce(struct rf_port *port, struct rf_progress *progress)
{
	struct rf_port *other;

	rf_port_announce(port, progress);
	list_for_each_entry(other, &rf_ports(dev_net(port->dev))->list, list)
		if (netif_is_bridge_port(other->dev))
			rf_port_announce(other, progress);
}

int rdmafault_nl_step_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_progress *progress;
	struct rf_port *port;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_STEP, "step: missing");
	if (err)
		return err;
	progress = progress_alloc(info);
	if (!progress)
		return -ENOMEM;
	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	if (!IS_ERR(port))
		step_announce(port, progress);
	rf_ports_unlock(genl_info_net(info));
	rf_progress_put(progress);
	return PTR_ERR_OR_ZERO(port);
}

static bool max_hold_fits(const struct rf_dir *dir, u64 cap)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	const struct rf_rule *rule;
	u32 i;

	for (i = 0; i < rf_dir_count(dir); i++) {
		rule = rules->rule[i];
		if (rf_actions_fit(rule->action, rule->actions, cap))
			return false;
	}
	return true;
}

static int port_set_name(struct rf_port *port, const struct nlattr *attr,
			 struct netlink_ext_ack *extack)
{
	char name[RDMAFAULT_NAME_LEN + 1];
	int err;

	if (!attr)
		return 0;
	if (nla_strscpy(name, attr, sizeof(name)) < 1) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "name: invalid length; 1 to 63 characters");
		return -EINVAL;
	}
	err = rf_port_set_name(port, name);
	if (err == -EBUSY)
		NL_SET_ERR_MSG_ATTR(extack, attr, "name: the port has rules, whose random numbers depend on it; delete them first");
	else if (err)
		NL_SET_ERR_MSG_ATTR(extack, attr, "name: another port has this name");
	return err;
}

static int port_check_max_hold(const struct rf_port *port, const struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	const struct rf_path *path = rf_port_path(port);
	u64 cap;

	if (!attr)
		return 0;
	cap = nla_get_u64(attr);
	if (!max_hold_fits(&port->dir[RF_TX], cap) ||
	    !max_hold_fits(&port->dir[RF_RX], cap)) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "max-hold: shorter than the delay of a rule of this port");
		return -EBUSY;
	}
	if (path && path->conf.gap > cap) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "max-hold: shorter than the gap of the path of this port");
		return -EBUSY;
	}
	return 0;
}

static void port_set_hold(struct rf_port *port, struct nlattr **attrs)
{
	const struct nlattr *forwarded = attrs[RDMAFAULT_A_HOLD_FORWARDED];
	const struct nlattr *attr = attrs[RDMAFAULT_A_MAX_HOLD];

	rf_port_set_hold(port, attr ? nla_get_u64(attr) : port->dir[RF_TX].max_hold,
			 forwarded ? nla_get_u32(forwarded) : port->hold_forwarded);
}

int rdmafault_nl_port_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	if (!info->attrs[RDMAFAULT_A_NAME] && !info->attrs[RDMAFAULT_A_HOLD_FORWARDED]) {
		err = rf_netlink_require(info, RDMAFAULT_A_MAX_HOLD,
					 "max-hold, hold-forwarded or name: missing");
		if (err)
			return err;
	}
	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) :
	      port_check_max_hold(port, info->attrs[RDMAFAULT_A_MAX_HOLD], info->extack) ?:
	      port_set_name(port, info->attrs[RDMAFAULT_A_NAME], info->extack);
	if (!err)
		port_set_hold(port, info->attrs);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

static void port_reset_stats(struct rf_port *port, const void *arg)
{
	rf_port_reset_stats(port);
	if (port->queue)
		rf_queue_reset_stats(port->queue);
}

static void port_reset(struct rf_port *port, const void *arg)
{
	rf_port_reset(port);
	if (port->queue)
		rf_queue_reset(port->queue);
	port_reset_stats(port, NULL);
}

int rdmafault_nl_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rf_netlink_each_port(info, port_reset, NULL);
}

int rdmafault_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rf_netlink_each_port(info, port_reset_stats, NULL);
}
