// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about the path of a port: its settings, and the counters of its links. The links
 * must be other ports of the bridge of the port.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sizes.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../compat/netlink.h"
#include "../fields.h"
#include "../path/forward.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

/* Room for a reply with all links and routes, which take about 4 KiB */
#define PATH_REPLY	SZ_8K

static int path_refuse(const struct nlattr *attr, const char *words,
		       struct netlink_ext_ack *extack)
{
	rf_extack_set(extack, words);
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

static int path_parse_link_attrs(struct nlattr **tb, const struct nlattr *nest,
				 struct netlink_ext_ack *extack)
{
	return nla_parse_nested(tb, RDMAFAULT_A_PATH_LINK_MAX, nest,
				rdmafault_path_link_nl_policy, extack) ?:
	       rf_refuse_from(tb, RDMAFAULT_A_PATH_LINK_IFNAME, RDMAFAULT_A_PATH_LINK_MAX,
			      extack) ?:
	       rf_require(tb, RDMAFAULT_A_PATH_LINK_IFINDEX, nest, "ifindex: missing", extack);
}

static bool path_has_link(const struct rf_path *path, const struct net_device *dev)
{
	u32 i;

	for (i = 0; i < path->conf.links; i++)
		if (path->link[i].dev == dev)
			return true;
	return false;
}

/* Return: why a netdev can't be a link of a port, or NULL */
static const char *path_check_link(const struct rf_path *path, struct net_device *port,
				   struct net_device *dev)
{
	if (!dev)
		return "link: no such netdev";
	if (path->conf.links == RDMAFAULT_PATH_LINKS_MAX)
		return "link: too many; at most 16";
	if (dev == port)
		return "link: is the port itself";
	if (netdev_master_upper_dev_get(dev) != netdev_master_upper_dev_get(port))
		return "link: is not in the bridge of the port";
	if (path_has_link(path, dev))
		return "link: given twice";
	return NULL;
}

static int path_parse_link(struct rf_path *path, struct net_device *port,
			   const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_PATH_LINK_MAX + 1];
	struct net_device *dev;
	const char *words;
	int err;

	err = path_parse_link_attrs(tb, nest, extack);
	if (err)
		return err;
	dev = __dev_get_by_index(dev_net(port), nla_get_u32(tb[RDMAFAULT_A_PATH_LINK_IFINDEX]));
	words = path_check_link(path, port, dev);
	if (words)
		return path_refuse(tb[RDMAFAULT_A_PATH_LINK_IFINDEX], words, extack);
	rf_path_add_link(path, dev);
	if (tb[RDMAFAULT_A_PATH_LINK_DOWN] && nla_get_u32(tb[RDMAFAULT_A_PATH_LINK_DOWN]))
		rf_path_mark(path, path->conf.links - 1, true);
	return 0;
}

static int path_parse_route(struct rf_path_conf *conf, const struct nlattr *nest,
			    struct netlink_ext_ack *extack)
{
	struct rf_path_route *route = &conf->route[conf->routes];
	struct nlattr *tb[RDMAFAULT_A_PATH_ROUTE_MAX + 1];
	int err;

	if (conf->routes == RDMAFAULT_PATH_ROUTES_MAX)
		return path_refuse(nest, "route: too many; at most 64", extack);
	err = nla_parse_nested(tb, RDMAFAULT_A_PATH_ROUTE_MAX, nest,
			       rdmafault_path_route_nl_policy, extack) ?:
	      rf_require(tb, RDMAFAULT_A_PATH_ROUTE_LINKS, nest, "links: missing", extack);
	if (!err && tb[RDMAFAULT_A_PATH_ROUTE_DADDR])
		err = rf_get_addr(tb[RDMAFAULT_A_PATH_ROUTE_DADDR], route->daddr,
				  &route->addr_len, extack);
	if (err)
		return err;
	route->qp = tb[RDMAFAULT_A_PATH_ROUTE_QP] ?
		    nla_get_u32(tb[RDMAFAULT_A_PATH_ROUTE_QP]) : 0;
	route->links = nla_get_u32(tb[RDMAFAULT_A_PATH_ROUTE_LINKS]);
	conf->routes++;
	return 0;
}

static int path_parse_lists(struct rf_path *path, struct net_device *port,
			    const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int rem, err = 0;

	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) == RDMAFAULT_A_PATH_LINK)
			err = path_parse_link(path, port, attr, extack);
		else if (nla_type(attr) == RDMAFAULT_A_PATH_ROUTE)
			err = path_parse_route(&path->conf, attr, extack);
		if (err)
			return err;
	}
	return 0;
}

static int path_parse(struct rf_path *path, const struct rf_port *port, struct genl_info *info)
{
	const struct nlattr *nest = info->attrs[RDMAFAULT_A_PATH];
	struct nlattr *tb[RDMAFAULT_A_PATH_MAX + 1];
	const struct rf_invalid *invalid;
	u64 set = 0;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_PATH_MAX, nest, rdmafault_path_nl_policy,
			       info->extack) ?:
	      rf_refuse_from(tb, RDMAFAULT_A_PATH_NO_LINK, RDMAFAULT_A_PATH_MAX, info->extack) ?:
	      path_parse_lists(path, port->dev, nest, info->extack);
	if (err)
		return err;
	rf_get_fields(&path->conf, &set, tb, rf_path_fields, RDMAFAULT_A_PATH_MAX);
	invalid = rf_path_validate(&path->conf, set, port->dir[RF_RX].max_hold);
	if (!invalid)
		return 0;
	return path_refuse(tb[invalid->attr] ?: nest, invalid->words, info->extack);
}

static int path_set(struct rf_port *port, struct genl_info *info)
{
	struct rf_path *path;
	int err;

	if (!netif_is_bridge_port(port->dev))
		return path_refuse(info->attrs[RDMAFAULT_A_IFINDEX],
				   "path: netdev is not a port of a bridge", info->extack);
	path = rf_path_alloc();
	if (!path)
		return -ENOMEM;
	err = path_parse(path, port, info) ?: rf_port_set_path(port, path);
	if (err)
		rf_path_free(path);
	return err;
}

/* A netdev that is no port becomes one, unless the path is refused. */
int rdmafault_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	bool made = false;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_IFINDEX, "ifindex: missing") ?:
	      rf_netlink_require(info, RDMAFAULT_A_PATH, "path: missing");
	if (err)
		return err;
	rtnl_lock();
	rf_ports_lock(genl_info_net(info));
	port = rf_port_find(genl_info_net(info),
			    nla_get_u32(info->attrs[RDMAFAULT_A_IFINDEX]));
	if (!port) {
		port = rf_netlink_port_new(info);
		made = !IS_ERR(port);
	}
	err = IS_ERR(port) ? PTR_ERR(port) : path_set(port, info);
	rf_ports_unlock(genl_info_net(info));
	if (err && made)
		rf_port_end(port);
	rtnl_unlock();
	return err;
}

/* Return: the path of the port of a request; with a message in the extack, an ERR_PTR */
static struct rf_path *path_find(struct genl_info *info)
{
	struct rf_port *port = rf_netlink_port(info);
	struct rf_path *path;

	if (IS_ERR(port))
		return ERR_CAST(port);
	path = rf_port_path(port);
	if (path)
		return path;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_IFINDEX],
			    "path: the port has none");
	return ERR_PTR(-ENOENT);
}

int rdmafault_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_path *path;

	rf_ports_lock(genl_info_net(info));
	path = path_find(info);
	if (!IS_ERR(path))
		rf_port_end_path(rf_netlink_port(info));
	rf_ports_unlock(genl_info_net(info));
	return PTR_ERR_OR_ZERO(path);
}

/* Mark the links of a request; nothing changes if @really is false. */
static int path_mark_links(struct rf_path *path, struct genl_info *info, bool really)
{
	struct nlattr *tb[RDMAFAULT_A_PATH_LINK_MAX + 1];
	const struct nlattr *attr;
	int rem, err;
	u32 i;

	nla_for_each_nested(attr, info->attrs[RDMAFAULT_A_PATH], rem) {
		if (nla_type(attr) != RDMAFAULT_A_PATH_LINK)
			return path_refuse(attr, "path: only link is allowed", info->extack);
		err = path_parse_link_attrs(tb, attr, info->extack) ?:
		      rf_require(tb, RDMAFAULT_A_PATH_LINK_DOWN, attr, "down: missing",
				 info->extack);
		if (err)
			return err;
		for (i = 0; i < path->conf.links; i++)
			if (path->link[i].ifindex == nla_get_u32(tb[RDMAFAULT_A_PATH_LINK_IFINDEX]))
				break;
		if (i == path->conf.links)
			return path_refuse(attr, "link: is not a link of the path", info->extack);
		if (really)
			rf_path_mark(path, i, nla_get_u32(tb[RDMAFAULT_A_PATH_LINK_DOWN]));
	}
	return 0;
}

int rdmafault_nl_path_link_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_path *path;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_PATH, "path: missing");
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	path = path_find(info);
	err = IS_ERR(path) ? PTR_ERR(path) :
	      path_mark_links(path, info, false) ?: path_mark_links(path, info, true);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

static int path_put_link(struct sk_buff *skb, const struct rf_path_link *link,
			 const struct rf_path_counts *counts, u32 i)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_PATH_LINK);

	if (!nest || nla_put_u32(skb, RDMAFAULT_A_PATH_LINK_IFINDEX, link->ifindex) ||
	    nla_put_u32(skb, RDMAFAULT_A_PATH_LINK_DOWN, !!(counts->down & BIT(i))) ||
	    nla_put_string(skb, RDMAFAULT_A_PATH_LINK_IFNAME, link->name) ||
	    (counts->removed & BIT(i) && nla_put_flag(skb, RDMAFAULT_A_PATH_LINK_REMOVED)) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PATH_LINK_PACKETS, counts->packets[i],
			      RDMAFAULT_A_PATH_LINK_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_PATH_LINK_BYTES, counts->bytes[i],
			      RDMAFAULT_A_PATH_LINK_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int path_put_route(struct sk_buff *skb, const struct rf_path_route *route)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_PATH_ROUTE);

	if (!nest ||
	    (route->addr_len && nla_put(skb, RDMAFAULT_A_PATH_ROUTE_DADDR, route->addr_len,
					route->daddr)) ||
	    (route->qp && nla_put_u32(skb, RDMAFAULT_A_PATH_ROUTE_QP, route->qp)) ||
	    nla_put_u32(skb, RDMAFAULT_A_PATH_ROUTE_LINKS, route->links))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int path_put_lists(struct sk_buff *skb, struct rf_path *path)
{
	struct rf_path_counts counts;
	int err = 0;
	u32 i;

	rf_path_read(path, &counts);
	for (i = 0; i < path->conf.links && !err; i++)
		err = path_put_link(skb, &path->link[i], &counts, i);
	for (i = 0; i < path->conf.routes && !err; i++)
		err = path_put_route(skb, &path->conf.route[i]);
	return err ?: nla_put_u64_64bit(skb, RDMAFAULT_A_PATH_NO_LINK, counts.no_link,
					RDMAFAULT_A_PATH_PAD);
}

static int path_put_settings(struct sk_buff *skb, const struct net_device *dev,
			     struct rf_path *path)
{
	u64 set = BIT_ULL(RDMAFAULT_A_PATH_MODE) | BIT_ULL(RDMAFAULT_A_PATH_SEED);
	struct nlattr *nest;

	if (path->conf.gap)
		set |= BIT_ULL(RDMAFAULT_A_PATH_GAP);
	if (path->conf.mode == RDMAFAULT_PATH_MODE_SPRAY)
		set |= BIT_ULL(RDMAFAULT_A_PATH_ORDER);
	if (rf_put_netdev(skb, dev))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_PATH);
	if (!nest ||
	    rf_put_fields(skb, &path->conf, set, rf_path_fields, RDMAFAULT_A_PATH_MAX,
			  RDMAFAULT_A_PATH_PAD) ||
	    path_put_lists(skb, path))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int path_put_msg(struct sk_buff *skb, void *hdr, const struct rf_port *port)
{
	if (!hdr)
		return -EMSGSIZE;
	if (path_put_settings(skb, port->dev, rf_port_path(port))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int path_reply(const struct rf_port *port, struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(PATH_REPLY, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0, RDMAFAULT_CMD_PATH_GET);
	if (path_put_msg(skb, hdr, port)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return genlmsg_reply(skb, info);
}

int rdmafault_nl_path_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_path *path;
	int err;

	rf_ports_lock(genl_info_net(info));
	path = path_find(info);
	err = IS_ERR(path) ? PTR_ERR(path) : path_reply(rf_netlink_port(info), info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

/**
 * rf_netlink_path_start - begin a dump of path-get
 * @cb: the dump
 *
 * Context: process.
 * Return: 0.
 */
int rf_netlink_path_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = PATH_REPLY;
	return 0;
}

int rdmafault_nl_path_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct rf_port *port;
	void *hdr;

	mutex_lock(&ports->lock);
	cb->seq = ports->changes;
	list_for_each_entry(port, &ports->list, list) {
		if (port->serial <= cb->args[0] || !rf_port_path(port) ||
		    !rf_netlink_dump_includes(cb, port))
			continue;
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &rf_family,
				  NLM_F_MULTI, RDMAFAULT_CMD_PATH_GET);
		if (path_put_msg(skb, hdr, port))
			break;
		genl_dump_check_consistent(cb, hdr);
		cb->args[0] = port->serial;
	}
	mutex_unlock(&ports->lock);
	return skb->len;
}
