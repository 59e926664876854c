// SPDX-License-Identifier: GPL-2.0
/* The path of a port: convert it to netlink attributes, and the attributes of a response to it. */
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "genl_attrs.h"
#include "kmod/fields.h"

static int put_path_link(struct nl_msg *msg, const struct rf_path_link_info *link)
{
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_PATH_LINK);

	if (!nest || nla_put_u32(msg, RDMAFAULT_A_PATH_LINK_IFINDEX, link->ifindex) ||
	    nla_put_u32(msg, RDMAFAULT_A_PATH_LINK_DOWN, link->down))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int put_path_route(struct nl_msg *msg, const struct rf_path_route *route)
{
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_PATH_ROUTE);

	if (!nest ||
	    (route->addr_len &&
	     nla_put(msg, RDMAFAULT_A_PATH_ROUTE_DADDR, route->addr_len, route->daddr)) ||
	    (route->qp && nla_put_u32(msg, RDMAFAULT_A_PATH_ROUTE_QP, route->qp)) ||
	    nla_put_u32(msg, RDMAFAULT_A_PATH_ROUTE_LINKS, route->links))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

/**
 * rf_genl_put_path - append a path to a request
 * @msg: the request
 * @path: the path
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_path(struct nl_msg *msg, const struct rf_path_info *path)
{
	uint64_t set = BIT_ULL(RDMAFAULT_A_PATH_MODE) | BIT_ULL(RDMAFAULT_A_PATH_SEED);
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_PATH);
	uint32_t i;
	int err = 0;

	if (path->conf.gap)
		set |= BIT_ULL(RDMAFAULT_A_PATH_GAP);
	if (path->conf.mode == RDMAFAULT_PATH_MODE_SPRAY)
		set |= BIT_ULL(RDMAFAULT_A_PATH_ORDER);
	if (!nest ||
	    rf_genl_put_fields(msg, &path->conf, set, rf_path_fields, RDMAFAULT_A_PATH_MAX))
		return -ENOMEM;
	for (i = 0; i < path->conf.links && !err; i++)
		err = put_path_link(msg, &path->link[i]);
	for (i = 0; i < path->conf.routes && !err; i++)
		err = put_path_route(msg, &path->conf.route[i]);
	return err ? err : nla_nest_end(msg, nest);
}

/**
 * rf_genl_put_path_link - append the mark of a link to a request
 * @msg: the request
 * @ifindex: netdev of the link
 * @down: the link is not chosen any more
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_path_link(struct nl_msg *msg, uint32_t ifindex, bool down)
{
	const struct rf_path_link_info link = { .ifindex = ifindex, .down = down };
	struct nlattr *nest = rf_genl_nest(msg, RDMAFAULT_A_PATH);

	if (!nest || put_path_link(msg, &link))
		return -ENOMEM;
	return nla_nest_end(msg, nest);
}

static int parse_path_link(struct nlattr *nest, struct rf_path_info *path)
{
	struct nlattr *tb[RDMAFAULT_A_PATH_LINK_MAX + 1];
	struct rf_path_link_info *link;

	if (path->conf.links == RDMAFAULT_PATH_LINKS_MAX ||
	    nla_parse_nested(tb, RDMAFAULT_A_PATH_LINK_MAX, nest, NULL))
		return -EBADMSG;
	link = &path->link[path->conf.links++];
	link->ifindex = rf_genl_u32(tb[RDMAFAULT_A_PATH_LINK_IFINDEX]);
	if (tb[RDMAFAULT_A_PATH_LINK_IFNAME])
		nla_strlcpy(link->ifname, tb[RDMAFAULT_A_PATH_LINK_IFNAME], sizeof(link->ifname));
	link->down = rf_genl_u32(tb[RDMAFAULT_A_PATH_LINK_DOWN]);
	link->removed = tb[RDMAFAULT_A_PATH_LINK_REMOVED];
	link->packets = rf_genl_u64(tb[RDMAFAULT_A_PATH_LINK_PACKETS]);
	link->bytes = rf_genl_u64(tb[RDMAFAULT_A_PATH_LINK_BYTES]);
	return 0;
}

static int parse_path_route(struct nlattr *nest, struct rf_path_conf *conf)
{
	struct nlattr *tb[RDMAFAULT_A_PATH_ROUTE_MAX + 1], *daddr;
	struct rf_path_route *route;

	if (conf->routes == RDMAFAULT_PATH_ROUTES_MAX ||
	    nla_parse_nested(tb, RDMAFAULT_A_PATH_ROUTE_MAX, nest, NULL))
		return -EBADMSG;
	route = &conf->route[conf->routes++];
	daddr = tb[RDMAFAULT_A_PATH_ROUTE_DADDR];
	if (daddr && nla_len(daddr) != 4 && nla_len(daddr) != 16)
		return -EBADMSG;
	if (daddr) {
		route->addr_len = nla_len(daddr);
		memcpy(route->daddr, nla_data(daddr), route->addr_len);
	}
	route->qp = rf_genl_u32(tb[RDMAFAULT_A_PATH_ROUTE_QP]);
	route->links = rf_genl_u32(tb[RDMAFAULT_A_PATH_ROUTE_LINKS]);
	return 0;
}

static int parse_path(struct nlattr *nest, struct rf_path_info *path)
{
	struct nlattr *tb[RDMAFAULT_A_PATH_MAX + 1], *a;
	uint64_t set = 0;
	int rem, err = 0;

	if (nla_parse_nested(tb, RDMAFAULT_A_PATH_MAX, nest, NULL))
		return -EBADMSG;
	rf_genl_get_fields(tb, &path->conf, &set, rf_path_fields, RDMAFAULT_A_PATH_MAX);
	path->no_link = rf_genl_u64(tb[RDMAFAULT_A_PATH_NO_LINK]);
	nla_for_each_nested(a, nest, rem) {
		if (nla_type(a) == RDMAFAULT_A_PATH_LINK)
			err = parse_path_link(a, path);
		else if (nla_type(a) == RDMAFAULT_A_PATH_ROUTE)
			err = parse_path_route(a, &path->conf);
		if (err)
			return err;
	}
	return 0;
}

/**
 * rf_genl_parse_path - parse the path of a port in a response
 * @nlh: the response
 * @path: gets the path
 *
 * Return: 0, or -EBADMSG.
 */
int rf_genl_parse_path(struct nlmsghdr *nlh, struct rf_path_info *path)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1];

	memset(path, 0, sizeof(*path));
	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL) || !tb[RDMAFAULT_A_PATH])
		return -EBADMSG;
	path->ifindex = rf_genl_u32(tb[RDMAFAULT_A_IFINDEX]);
	if (tb[RDMAFAULT_A_IFNAME])
		nla_strlcpy(path->ifname, tb[RDMAFAULT_A_IFNAME], sizeof(path->ifname));
	return parse_path(tb[RDMAFAULT_A_PATH], path);
}
