// SPDX-License-Identifier: GPL-2.0
/* rtnetlink requests for links, addresses, neighbours, routes and root qdiscs. */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include "nl.h"

#define NEW (NLM_F_CREATE | NLM_F_EXCL)

static struct nl_msg *new_rtnl_msg(int type, int flags, void *hdr, size_t len)
{
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags);

	if (msg && nlmsg_append(msg, hdr, len, NLMSG_ALIGNTO)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static struct nl_msg *link_msg(int type, int flags, uint32_t ifindex)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex };

	return new_rtnl_msg(type, flags, &ifi, sizeof(ifi));
}

static void put_new_link(struct nl_msg *msg, const struct rf_link *l)
{
	nla_put_string(msg, IFLA_IFNAME, l->name);
	nla_put(msg, IFLA_ADDRESS, sizeof(l->mac), l->mac);
	nla_put_u32(msg, IFLA_MTU, l->mtu);
	nla_put_u32(msg, IFLA_GROUP, l->group);
}

/**
 * rf_rtnl_bridge_add - create a bridge
 * @s: a NETLINK_ROUTE socket
 * @br: the bridge
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_bridge_add(struct rf_sock *s, const struct rf_link *br)
{
	struct nl_msg *msg = link_msg(RTM_NEWLINK, NEW, 0);
	struct nlattr *info;

	if (!msg)
		return -ENOMEM;
	put_new_link(msg, br);
	info = nla_nest_start(msg, IFLA_LINKINFO);
	nla_put_string(msg, IFLA_INFO_KIND, "bridge");
	nla_nest_end(msg, info);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_veth_add - create a pair of veth devices
 * @s: a NETLINK_ROUTE socket
 * @a: one end
 * @b: the other end
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_veth_add(struct rf_sock *s, const struct rf_link *a,
		     const struct rf_link *b)
{
	struct nl_msg *msg = link_msg(RTM_NEWLINK, NEW, 0);
	struct ifinfomsg ifi = {};
	struct nlattr *info, *data, *peer;

	if (!msg)
		return -ENOMEM;
	put_new_link(msg, a);
	info = nla_nest_start(msg, IFLA_LINKINFO);
	nla_put_string(msg, IFLA_INFO_KIND, "veth");
	data = nla_nest_start(msg, IFLA_INFO_DATA);
	peer = nla_nest_start(msg, VETH_INFO_PEER);
	nlmsg_append(msg, &ifi, sizeof(ifi), NLMSG_ALIGNTO);
	put_new_link(msg, b);
	nla_nest_end(msg, peer);
	nla_nest_end(msg, data);
	nla_nest_end(msg, info);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_link_up - set a link up, and add it to a bridge
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @master: ifindex of the bridge; 0: none
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_link_up(struct rf_sock *s, uint32_t ifindex, uint32_t master)
{
	struct ifinfomsg ifi = {
		.ifi_index = ifindex, .ifi_flags = IFF_UP, .ifi_change = IFF_UP,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_SETLINK, 0, &ifi, sizeof(ifi));

	if (msg && master)
		nla_put_u32(msg, IFLA_MASTER, master);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_link_down - set a link down
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_link_down(struct rf_sock *s, uint32_t ifindex)
{
	struct ifinfomsg ifi = { .ifi_index = ifindex, .ifi_change = IFF_UP };

	return rf_sock_request(s, new_rtnl_msg(RTM_SETLINK, 0, &ifi, sizeof(ifi)), NULL, NULL);
}

/**
 * rf_rtnl_bridge_port_fixed - disable learning and flooding on a port of a bridge
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the port
 *
 * The bridge then forwards to this port only packets to an address in its FDB.
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_bridge_port_fixed(struct rf_sock *s, uint32_t ifindex)
{
	struct ifinfomsg ifi = { .ifi_family = AF_BRIDGE, .ifi_index = ifindex };
	struct nl_msg *msg = new_rtnl_msg(RTM_SETLINK, 0, &ifi, sizeof(ifi));
	struct nlattr *port;

	if (!msg)
		return -ENOMEM;
	port = nla_nest_start(msg, IFLA_PROTINFO | NLA_F_NESTED);
	nla_put_u8(msg, IFLA_BRPORT_LEARNING, 0);
	nla_put_u8(msg, IFLA_BRPORT_UNICAST_FLOOD, 0);
	nla_put_u8(msg, IFLA_BRPORT_MCAST_FLOOD, 0);
	nla_put_u8(msg, IFLA_BRPORT_BCAST_FLOOD, 0);
	nla_nest_end(msg, port);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_fdb_add - add a permanent FDB entry to a bridge
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the port
 * @mac: the address
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_fdb_add(struct rf_sock *s, uint32_t ifindex, const uint8_t mac[6])
{
	struct ndmsg nd = {
		.ndm_family = AF_BRIDGE, .ndm_ifindex = ifindex,
		.ndm_state = NUD_NOARP, .ndm_flags = NTF_MASTER,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE,
					  &nd, sizeof(nd));

	if (msg)
		nla_put(msg, NDA_LLADDR, 6, mac);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_link_alias - set the alias of a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @alias: the alias
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_link_alias(struct rf_sock *s, uint32_t ifindex, const char *alias)
{
	struct nl_msg *msg = link_msg(RTM_SETLINK, 0, ifindex);

	if (msg)
		nla_put(msg, IFLA_IFALIAS, strlen(alias), alias);
	return rf_sock_request(s, msg, NULL, NULL);
}

struct each {
	rf_link_fn fn;
	void *arg;
};

/* With programs in two modes, the kernel reports XDP_ATTACHED_MULTI and each program. */
static bool has_xdp_skb(struct nlattr *attr)
{
	struct nlattr *tb[IFLA_XDP_MAX + 1];

	if (!attr || nla_parse_nested(tb, IFLA_XDP_MAX, attr, NULL))
		return false;
	return tb[IFLA_XDP_SKB_PROG_ID] && nla_get_u32(tb[IFLA_XDP_SKB_PROG_ID]);
}

/*
 * Return: the ifindex of the other end of a veth pair; 0 for another kind of link, or if the other
 * end is in another network namespace.
 */
static uint32_t veth_peer(struct nlattr **tb)
{
	struct nlattr *info[IFLA_INFO_MAX + 1];

	if (!tb[IFLA_LINK] || tb[IFLA_LINK_NETNSID] || !tb[IFLA_LINKINFO] ||
	    nla_parse_nested(info, IFLA_INFO_MAX, tb[IFLA_LINKINFO], NULL) ||
	    !info[IFLA_INFO_KIND] || strcmp(nla_get_string(info[IFLA_INFO_KIND]), "veth"))
		return 0;
	return nla_get_u32(tb[IFLA_LINK]);
}

static int on_link(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[IFLA_MAX + 1];
	struct ifinfomsg *ifi = nlmsg_data(nlh);
	struct rf_link_info link = {};
	struct each *e = arg;

	if (nlmsg_parse(nlh, sizeof(*ifi), tb, IFLA_MAX, NULL))
		return -EBADMSG;
	link.ifindex = ifi->ifi_index;
	if (tb[IFLA_IFNAME])
		nla_strlcpy(link.name, tb[IFLA_IFNAME], sizeof(link.name));
	if (tb[IFLA_IFALIAS])
		nla_strlcpy(link.alias, tb[IFLA_IFALIAS], sizeof(link.alias));
	if (tb[IFLA_GROUP])
		link.group = nla_get_u32(tb[IFLA_GROUP]);
	if (tb[IFLA_MTU])
		link.mtu = nla_get_u32(tb[IFLA_MTU]);
	if (tb[IFLA_MASTER])
		link.master = nla_get_u32(tb[IFLA_MASTER]);
	link.peer = veth_peer(tb);
	link.up = tb[IFLA_OPERSTATE] && nla_get_u8(tb[IFLA_OPERSTATE]) == IF_OPER_UP;
	link.xdp_skb = has_xdp_skb(tb[IFLA_XDP]);
	return e->fn(&link, e->arg);
}

/**
 * rf_rtnl_link_each - call a function for each link of the namespace
 * @s: a NETLINK_ROUTE socket
 * @fn: the function; must not use @s
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_rtnl_link_each(struct rf_sock *s, rf_link_fn fn, void *arg)
{
	struct nl_msg *msg = link_msg(RTM_GETLINK, NLM_F_DUMP, 0);
	struct each e = { .fn = fn, .arg = arg };

	return rf_sock_request(s, msg, on_link, &e);
}

static int keep_link(const struct rf_link_info *link, void *arg)
{
	*(struct rf_link_info *)arg = *link;
	return 0;
}

/**
 * rf_rtnl_link_get - get one link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @link: gets the link
 *
 * Return: 0, or -errno; -ENODEV if there is no such link.
 */
int rf_rtnl_link_get(struct rf_sock *s, uint32_t ifindex, struct rf_link_info *link)
{
	struct each e = { .fn = keep_link, .arg = link };

	return rf_sock_request(s, link_msg(RTM_GETLINK, 0, ifindex), on_link, &e);
}

static int keep_ifindex(const struct rf_link_info *link, void *arg)
{
	*(uint32_t *)arg = link->ifindex;
	return 0;
}

/**
 * rf_rtnl_ifindex - get the ifindex of a link
 * @s: a NETLINK_ROUTE socket
 * @name: name of the link
 *
 * if_nametoindex() is not used, because it needs an ioctl. If there is no link with the name,
 * this ioctl makes the kernel run modprobe.
 *
 * Return: the ifindex; 0 if there is no such link.
 */
uint32_t rf_rtnl_ifindex(struct rf_sock *s, const char *name)
{
	struct nl_msg *msg = link_msg(RTM_GETLINK, 0, 0);
	uint32_t ifindex = 0;
	struct each e = { .fn = keep_ifindex, .arg = &ifindex };

	if (msg)
		nla_put_string(msg, IFLA_IFNAME, name);
	rf_sock_request(s, msg, on_link, &e);
	return ifindex;
}

/**
 * rf_ifindex - get the ifindex of a link, for callers without a socket
 * @name: name of the link
 *
 * Return: the ifindex; 0 if there is no such link.
 */
uint32_t rf_ifindex(const char *name)
{
	struct rf_sock s;
	uint32_t ifindex;

	if (rf_sock_open(&s, NETLINK_ROUTE))
		return 0;
	ifindex = rf_rtnl_ifindex(&s, name);
	rf_sock_close(&s);
	return ifindex;
}

/**
 * rf_rtnl_group_del - delete all links of a group in one request
 * @s: a NETLINK_ROUTE socket
 * @group: the group
 *
 * Return: 0, or -errno; -ENODEV if the group is empty.
 */
int rf_rtnl_group_del(struct rf_sock *s, uint32_t group)
{
	struct nl_msg *msg = link_msg(RTM_DELLINK, 0, 0);

	if (msg)
		nla_put_u32(msg, IFLA_GROUP, group);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_addr_add - add an IPv4 address to a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @addr: the address, in network order
 * @prefix: length of the prefix in bits
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_addr_add(struct rf_sock *s, uint32_t ifindex, uint32_t addr,
		     int prefix)
{
	struct ifaddrmsg ifa = {
		.ifa_family = AF_INET, .ifa_prefixlen = prefix,
		.ifa_index = ifindex,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_NEWADDR, NEW, &ifa, sizeof(ifa));

	if (msg) {
		nla_put_u32(msg, IFA_LOCAL, addr);
		nla_put_u32(msg, IFA_ADDRESS, addr);
	}
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_neigh_add - add a permanent neighbour entry to a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @addr: the address, in network order
 * @mac: MAC address of the neighbour
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_neigh_add(struct rf_sock *s, uint32_t ifindex, uint32_t addr,
		      const uint8_t mac[6])
{
	struct ndmsg nd = {
		.ndm_family = AF_INET, .ndm_ifindex = ifindex,
		.ndm_state = NUD_PERMANENT,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE,
					  &nd, sizeof(nd));

	if (msg) {
		nla_put_u32(msg, NDA_DST, addr);
		nla_put(msg, NDA_LLADDR, 6, mac);
	}
	return rf_sock_request(s, msg, NULL, NULL);
}

static int on_route(struct nlmsghdr *nlh, void *arg)
{
	const struct rtmsg *rtm = nlmsg_data(nlh);

	*(bool *)arg = rtm->rtm_type == RTN_LOCAL;
	return 0;
}

/**
 * rf_rtnl_route_is_local - check whether the kernel delivers packets between two
 * addresses locally, without a link
 * @s: a NETLINK_ROUTE socket
 * @from: source address, in network order
 * @to: destination address, in network order
 *
 * Return: true if the route is local; false otherwise, also if there is no route.
 */
bool rf_rtnl_route_is_local(struct rf_sock *s, uint32_t from, uint32_t to)
{
	struct rtmsg rtm = {
		.rtm_family = AF_INET, .rtm_src_len = 32, .rtm_dst_len = 32,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_GETROUTE, 0, &rtm, sizeof(rtm));
	bool local = false;

	if (msg) {
		nla_put_u32(msg, RTA_SRC, from);
		nla_put_u32(msg, RTA_DST, to);
	}
	rf_sock_request(s, msg, on_route, &local);
	return local;
}

/**
 * rf_rtnl_route_add - add a route
 * @s: a NETLINK_ROUTE socket
 * @r: the route; the kernel deletes it with its link
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_route_add(struct rf_sock *s, const struct rf_route *r)
{
	struct rtmsg rtm = {
		.rtm_family = AF_INET, .rtm_dst_len = r->dst_len, .rtm_protocol = r->proto,
		.rtm_scope = r->type == RTN_LOCAL ? RT_SCOPE_HOST : RT_SCOPE_LINK,
		.rtm_type = r->type,
	};
	struct nl_msg *msg = new_rtnl_msg(RTM_NEWROUTE, NEW, &rtm, sizeof(rtm));

	if (msg) {
		nla_put_u32(msg, RTA_TABLE, r->table);
		nla_put_u32(msg, RTA_DST, r->dst);
		nla_put_u32(msg, RTA_OIF, r->ifindex);
		if (r->src)
			nla_put_u32(msg, RTA_PREFSRC, r->src);
	}
	return rf_sock_request(s, msg, NULL, NULL);
}

static struct nl_msg *policy_msg(int type, int flags, const struct rf_policy *p)
{
	struct fib_rule_hdr frh = {
		.family = AF_INET, .src_len = p->src_len, .dst_len = p->dst_len,
		.action = p->table ? FR_ACT_TO_TBL : FR_ACT_UNSPEC,
	};
	struct nl_msg *msg = new_rtnl_msg(type, flags, &frh, sizeof(frh));

	if (!msg)
		return NULL;
	nla_put_u32(msg, FRA_PRIORITY, p->pref);
	nla_put_u32(msg, FRA_TABLE, p->table);
	nla_put_u8(msg, FRA_PROTOCOL, p->proto);
	if (p->src_len)
		nla_put_u32(msg, FRA_SRC, p->src);
	if (p->dst_len)
		nla_put_u32(msg, FRA_DST, p->dst);
	if (p->output)
		nla_put_string(msg, FRA_IIFNAME, "lo");
	return msg;
}

/**
 * rf_rtnl_policy_add - add a rule of the routing policy
 * @s: a NETLINK_ROUTE socket
 * @p: the rule
 *
 * Return: 0, or -errno; -EEXIST if there is an equal rule.
 */
int rf_rtnl_policy_add(struct rf_sock *s, const struct rf_policy *p)
{
	return rf_sock_request(s, policy_msg(RTM_NEWRULE, NEW, p), NULL, NULL);
}

/**
 * rf_rtnl_policy_del - delete one rule of the routing policy
 * @s: a NETLINK_ROUTE socket
 * @p: the rule; without a table, protocol, prefix or direction, rules with any are meant
 *
 * Return: 0, or -errno; -ENOENT if there is no such rule.
 */
int rf_rtnl_policy_del(struct rf_sock *s, const struct rf_policy *p)
{
	return rf_sock_request(s, policy_msg(RTM_DELRULE, 0, p), NULL, NULL);
}

struct each_policy {
	rf_policy_fn fn;
	void *arg;
};

static int on_policy(struct nlmsghdr *nlh, void *arg)
{
	const struct fib_rule_hdr *frh = nlmsg_data(nlh);
	struct rf_policy p = { .src_len = frh->src_len, .dst_len = frh->dst_len };
	struct nlattr *tb[FRA_MAX + 1];
	struct each_policy *e = arg;

	if (nlmsg_parse(nlh, sizeof(*frh), tb, FRA_MAX, NULL))
		return -EBADMSG;
	if (tb[FRA_PRIORITY])
		p.pref = nla_get_u32(tb[FRA_PRIORITY]);
	if (tb[FRA_PROTOCOL])
		p.proto = nla_get_u8(tb[FRA_PROTOCOL]);
	if (frh->action == FR_ACT_TO_TBL && tb[FRA_TABLE])
		p.table = nla_get_u32(tb[FRA_TABLE]);
	return e->fn(&p, e->arg);
}

/**
 * rf_rtnl_policy_each - call a function for each rule of the routing policy of IPv4
 * @s: a NETLINK_ROUTE socket
 * @fn: the function; must not use @s. Addresses and the direction of the rule are not set
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_rtnl_policy_each(struct rf_sock *s, rf_policy_fn fn, void *arg)
{
	struct fib_rule_hdr frh = { .family = AF_INET };
	struct nl_msg *msg = new_rtnl_msg(RTM_GETRULE, NLM_F_DUMP, &frh, sizeof(frh));
	struct each_policy e = { .fn = fn, .arg = arg };

	return rf_sock_request(s, msg, on_policy, &e);
}

struct root {
	uint32_t ifindex;
	struct rf_qdisc_info *q;
};

/* The response of the kernel can also contain qdiscs of other links. Ignore them. */
static int on_qdisc(struct nlmsghdr *nlh, void *arg)
{
	struct tcmsg *tcm = nlmsg_data(nlh);
	struct nlattr *tb[TCA_MAX + 1];
	struct root *root = arg;

	if ((uint32_t)tcm->tcm_ifindex != root->ifindex ||
	    tcm->tcm_parent != TC_H_ROOT)
		return 0;
	if (nlmsg_parse(nlh, sizeof(*tcm), tb, TCA_MAX, NULL))
		return -EBADMSG;
	root->q->handle = tcm->tcm_handle;
	if (tb[TCA_KIND])
		nla_strlcpy(root->q->kind, tb[TCA_KIND],
			    sizeof(root->q->kind));
	return 0;
}

static struct nl_msg *qdisc_msg(int type, int flags, uint32_t ifindex)
{
	struct tcmsg tcm = {
		.tcm_family = AF_UNSPEC, .tcm_ifindex = ifindex,
		.tcm_parent = type == RTM_GETQDISC ? 0 : TC_H_ROOT,
	};

	return new_rtnl_msg(type, flags, &tcm, sizeof(tcm));
}

/**
 * rf_rtnl_qdisc_root - get the root qdisc of a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @q: gets the qdisc; the kind is "" if the link has no root qdisc
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_qdisc_root(struct rf_sock *s, uint32_t ifindex,
		       struct rf_qdisc_info *q)
{
	struct nl_msg *msg = qdisc_msg(RTM_GETQDISC, NLM_F_DUMP, ifindex);
	struct root root = { .ifindex = ifindex, .q = q };

	memset(q, 0, sizeof(*q));
	return rf_sock_request(s, msg, on_qdisc, &root);
}

/**
 * rf_rtnl_qdisc_add - replace the default root qdisc of a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 * @kind: kind of the qdisc; its module must be loaded
 *
 * Return: 0, or -errno; -ENOENT if the kind is unknown.
 */
int rf_rtnl_qdisc_add(struct rf_sock *s, uint32_t ifindex, const char *kind)
{
	struct nl_msg *msg = qdisc_msg(RTM_NEWQDISC, NEW, ifindex);

	if (msg)
		nla_put_string(msg, TCA_KIND, kind);
	return rf_sock_request(s, msg, NULL, NULL);
}

/**
 * rf_rtnl_qdisc_del - delete the root qdisc of a link
 * @s: a NETLINK_ROUTE socket
 * @ifindex: the link
 *
 * Return: 0, or -errno.
 */
int rf_rtnl_qdisc_del(struct rf_sock *s, uint32_t ifindex)
{
	struct nl_msg *msg = qdisc_msg(RTM_DELQDISC, 0, ifindex);

	return rf_sock_request(s, msg, NULL, NULL);
}
