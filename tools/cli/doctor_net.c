// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault doctor: check the RDMA devices, and the netdevs that connect these devices.
 *
 * The checks start at the netdevs of the rxe devices and at the ports, and follow veth pairs,
 * lower devices and bridges from there. So the checks find links that "rdmafault fabric"
 * created, and also links that the user created.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "doctor_parse.h"
#include "fabric.h"
#include "fabric_parts.h"
#include "genl.h"
#include "rdmadev.h"
#include "rtnl.h"
#include "sysctl.h"

#define NODES_MAX 256
#define DEVS_MAX 1024

struct node {
	char rdma[RF_RDMA_NAME_LEN];
	char netdev[16];
};

struct net {
	struct node node[NODES_MAX];
	int nodes;
	char dev[DEVS_MAX][16];		/* names of netdevs, first the netdevs of @node */
	int devs;
};

static long read_number(const char *dev, const char *file)
{
	char *text = rf_doctor_read("/sys/class/net/%s/%s", dev, file);
	long n = text ? strtol(text, NULL, 10) : -1;

	free(text);
	return n;
}

/* ---- find the netdevs ---- */

static void add_dev(struct net *net, const char *dev)
{
	int i;

	for (i = 0; i < net->devs; i++)
		if (!strcmp(net->dev[i], dev))
			return;
	if (net->devs < DEVS_MAX && strlen(dev) < sizeof(net->dev[0]))
		strcpy(net->dev[net->devs++], dev);
}

static bool is_bridge(const char *dev)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/net/%s/bridge", dev);
	return !access(path, F_OK);
}

/*
 * Count the entries with names that begin with @prefix in a sysfs directory of a netdev.
 * The rest of such a name is the name of another netdev. If @net is not NULL, add the other
 * netdev to @net. Return: the number of entries.
 */
static int each_entry(const char *dev, const char *dir, const char *prefix,
		      struct net *net)
{
	size_t len = strlen(prefix);
	struct dirent *d;
	char path[300];
	int n = 0;
	DIR *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", dev, dir);
	f = opendir(path);
	if (!f)
		return 0;
	while ((d = readdir(f))) {
		if (d->d_name[0] == '.' || strncmp(d->d_name, prefix, len))
			continue;
		n++;
		if (net)
			add_dev(net, d->d_name + len);
	}
	closedir(f);
	return n;
}

static bool is_veth(const char *dev)
{
	long peer = read_number(dev, "iflink");

	return peer > 0 && peer != read_number(dev, "ifindex") &&
	       !each_entry(dev, "", "lower_", NULL);
}

struct search {
	const char *dev;
	long ifindex, iflink;
	struct net *net;
};

/*
 * Add @link to the list of netdevs if it is the peer of the veth device in @arg. The peer can
 * be in another namespace, and an unrelated netdev of this namespace can have the ifindex of
 * the peer. So also check that the veth device is the peer of @link.
 */
static int add_peer(const struct rf_link_info *link, void *arg)
{
	struct search *s = arg;

	if (link->ifindex == s->iflink &&
	    read_number(link->name, "iflink") == s->ifindex)
		add_dev(s->net, link->name);
	return 0;
}

static void follow(struct rf_sock *s, struct net *net, const char *dev)
{
	struct search search = {
		.ifindex = read_number(dev, "ifindex"),
		.iflink = read_number(dev, "iflink"), .net = net,
	};
	char path[64], master[256], *name;
	ssize_t n;

	if (is_bridge(dev)) {
		each_entry(dev, "brif", "", net);
		return;
	}
	each_entry(dev, "", "lower_", net);
	if (search.iflink > 0 && search.iflink != search.ifindex)
		rf_rtnl_link_each(s, add_peer, &search);
	snprintf(path, sizeof(path), "/sys/class/net/%s/master", dev);
	n = readlink(path, master, sizeof(master) - 1);
	if (n <= 0)
		return;
	master[n] = '\0';
	name = strrchr(master, '/');
	if (name && is_bridge(name + 1))
		add_dev(net, name + 1);
}

/* ---- RDMA devices ---- */

/* Check an RDMA device. Return: true if it is an rxe device that this namespace can use. */
static bool check_device(const char *rdma, char netdev[16])
{
	int err = rf_rdma_to_netdev(rdma, netdev, 16);
	int kind = rf_rdma_kind(rdma);
	char fix[64], *state;

	if (kind == RF_RDMA_HARDWARE || kind == RF_RDMA_SIW || err) {
		rf_doctor_say("device", rdma, RF_HEALTH_OK, NULL, "%s",
			      kind == RF_RDMA_HARDWARE ?
			      "hardware: its packets do not pass the kernel, it cannot be a port" :
			      kind == RF_RDMA_SIW ? "siw is iWARP: it cannot be a port" :
			      "has no netdev in this network namespace");
		return false;
	}
	if (kind < 0)
		rf_doctor_say("device", rdma, RF_HEALTH_ERROR, "modprobe ib_uverbs",
			      "its driver is unknown without ib_uverbs: %s",
			      strerror(-kind));
	state = rf_doctor_read("/sys/class/infiniband/%s/ports/1/state", rdma);
	if (state && !strstr(state, "ACTIVE")) {
		snprintf(fix, sizeof(fix), "ip link set %s up", netdev);
		rf_doctor_say("device", rdma, RF_HEALTH_ERROR, fix,
			      "port is not active: %s is down, or has no carrier", netdev);
	} else if (rf_rdma_gid_index(rdma) < 0) {
		snprintf(fix, sizeof(fix), "ip addr add ADDRESS/PREFIX dev %s", netdev);
		rf_doctor_say("device", rdma, RF_HEALTH_WARNING, fix,
			      "%s has no IPv4 address, so there is no IPv4 GID", netdev);
	} else if (kind >= 0) {
		rf_doctor_say("device", rdma, RF_HEALTH_OK, NULL, "rxe on %s", netdev);
	}
	free(state);
	return true;
}

static int is_name(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Opening a NETLINK_RDMA socket would load ib_core, so check in sysfs first. */
static void check_devices(struct net *net)
{
	struct dirent **list = NULL;
	int i, n = scandir("/sys/class/infiniband", &list, is_name, versionsort);
	struct node *node;

	for (i = 0; i < n; i++) {
		node = &net->node[net->nodes];
		if (net->nodes < NODES_MAX && check_device(list[i]->d_name, node->netdev)) {
			snprintf(node->rdma, sizeof(node->rdma), "%.63s",
				 list[i]->d_name);
			add_dev(net, node->netdev);
			net->nodes++;
		}
		free(list[i]);
	}
	free(list);
	if (!net->nodes)
		rf_doctor_say("device", NULL, RF_HEALTH_OK, NULL,
			      "no rxe device yet; \"rdmafault fabric up\" and \"rdma link add rxe0 type rxe netdev DEV\" create them");
}

static int add_port(const struct rf_port_info *port, void *arg)
{
	add_dev(arg, port->ifname);
	return 0;
}

/* A machine with only a bridge has ports and no RDMA device. rf_doctor_ports() reports errors. */
static void add_ports(struct net *net)
{
	struct rf_nl *nl;

	if (!rf_doctor_module_is_loaded("rdmafault") || rf_nl_open(&nl))
		return;
	rf_nl_port_each(nl, add_port, net);
	rf_nl_close(nl);
}

/* ---- checks of netdevs ---- */

static long largest_mtu(const struct net *net)
{
	long mtu, max = 0;
	int i;

	for (i = 0; i < net->nodes; i++) {
		mtu = read_number(net->node[i].netdev, "mtu");
		if (mtu > max)
			max = mtu;
	}
	return max;
}

static bool mtu_is_fine(const struct net *net, int i, long need)
{
	const char *dev = net->dev[i];
	long mtu = read_number(dev, "mtu");
	char fix[64];

	if (i < net->nodes) {
		if (rf_doctor_ib_mtu(mtu) == 4096)
			return true;
		snprintf(fix, sizeof(fix), "ip link set %s mtu %d", dev, RF_FABRIC_MTU);
		rf_doctor_say("mtu", dev, RF_HEALTH_WARNING, fix,
			      "%ld, so the IB MTU is %u; 4096 needs %d", mtu,
			      rf_doctor_ib_mtu(mtu), RF_FABRIC_MTU);
		return false;
	}
	if (is_bridge(dev) || mtu >= need)
		return true;
	snprintf(fix, sizeof(fix), "ip link set %s mtu %ld", dev, need);
	if (!net->nodes) {
		rf_doctor_say("mtu", dev, RF_HEALTH_WARNING, fix,
			      "%ld: drops packets of hosts whose IB MTU is larger than %u, and no counter shows these drops",
			      mtu, rf_doctor_ib_mtu(mtu));
		return false;
	}
	rf_doctor_say("mtu", dev, RF_HEALTH_ERROR, fix,
		      "%ld: drops larger packets of the nodes, whose MTU is %ld", mtu, need);
	return false;
}

static void check_mtu(const struct net *net)
{
	long need = net->nodes ? largest_mtu(net) : RF_FABRIC_MTU;
	bool fine = true;
	int i;

	for (i = 0; i < net->devs; i++)
		fine = mtu_is_fine(net, i, need) && fine;
	if (fine && net->devs)
		rf_doctor_say("mtu", NULL, RF_HEALTH_OK, NULL,
			      "large enough for an IB MTU of 4096 on %d netdevs", net->devs);
}

static bool is_steered(const char *dev)
{
	bool steered = true;
	char *mask;
	int i;

	for (i = 0; steered; i++) {
		mask = rf_doctor_read("/sys/class/net/%s/queues/rx-%d/rps_cpus", dev, i);
		if (!mask)
			break;
		steered = !rf_doctor_mask_is_empty(mask);
		free(mask);
	}
	return steered;
}

static void say_unsteered(const char *dev, long cpus)
{
	char fix[256];
	int n;

	n = snprintf(fix, sizeof(fix), "echo %x",
		     cpus % 32 ? (1u << cpus % 32) - 1 : 0xffffffffu);
	for (cpus = (cpus - 1) / 32; cpus > 0 && n < 100; cpus--)
		n += snprintf(fix + n, sizeof(fix) - n, ",ffffffff");
	snprintf(fix + n, sizeof(fix) - n,
		 " | tee /sys/class/net/%s/queues/rx-*/rps_cpus", dev);
	rf_doctor_say("rps", dev, RF_HEALTH_WARNING, fix,
		      "receive packet steering is off: packets of a flow can overtake each other");
}

static void check_rps(const struct net *net)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int i, veths = 0, off = 0;

	for (i = 0; i < net->devs; i++) {
		if (!is_veth(net->dev[i]))
			continue;
		veths++;
		if (cpus < 2 || is_steered(net->dev[i]))
			continue;
		off++;
		say_unsteered(net->dev[i], cpus);
	}
	if (veths && !off)
		rf_doctor_say("rps", NULL, RF_HEALTH_OK, NULL, cpus < 2 ?
			      "not needed with one CPU" : "on for all veth netdevs");
}

static void check_qdisc(struct rf_sock *s, const struct net *net)
{
	struct rf_qdisc_info q;
	char fix[64];
	int i;

	for (i = 0; i < net->devs; i++) {
		if (rf_rtnl_qdisc_root(s, rf_rtnl_ifindex(s, net->dev[i]), &q) ||
		    !q.handle || !strcmp(q.kind, "rdmafault"))
			continue;
		snprintf(fix, sizeof(fix), "tc qdisc del dev %s root", net->dev[i]);
		rf_doctor_say("qdisc", net->dev[i], RF_HEALTH_WARNING, fix,
			      "root qdisc %s: a port on the netdev cannot have queues", q.kind);
	}
}

static int check_xdp(const struct rf_link_info *link, void *arg)
{
	const struct net *net = arg;
	char fix[64];
	int i;

	for (i = 0; link->xdp_skb && i < net->devs; i++) {
		if (strcmp(net->dev[i], link->name))
			continue;
		snprintf(fix, sizeof(fix), "ip link set dev %s xdpgeneric off", link->name);
		rf_doctor_say("xdp", link->name, RF_HEALTH_WARNING, fix,
			      "XDP program in skb mode: it runs again for each packet that leaves the delay queue on rx");
	}
	return 0;
}

/* ---- sysctls ---- */

/* Return: the value that the kernel uses: the larger of the values of @dev and of "all". */
static long effective(const char *dev, const char *name, long *all)
{
	char path[128];
	long own = 0;

	*all = 0;
	snprintf(path, sizeof(path), "ipv4/conf/all/%s", name);
	rf_sysctl_get(path, all);
	snprintf(path, sizeof(path), "ipv4/conf/%s/%s", dev, name);
	rf_sysctl_get(path, &own);
	return own > *all ? own : *all;
}

static void say_sysctl(const char *dev, const char *name, long value, long need,
		       enum rf_health health, const char *effect)
{
	char fix[128], quoted[16], *dot;

	/* sysctl(8) needs "/" in place of "." in the name of a netdev, such as eth0.5. */
	snprintf(quoted, sizeof(quoted), "%s", dev);
	while ((dot = strchr(quoted, '.')))
		*dot = '/';
	snprintf(fix, sizeof(fix), "sysctl -w net.ipv4.conf.%s.%s=%ld", quoted, name,
		 need);
	rf_doctor_say("sysctl", dev, health, fix, "%s is %ld: %s", name, value, effect);
}

/* Check the sysctls that matter only if two nodes share a kernel. */
static bool sysctls_are_fine(const char *dev)
{
	enum rf_health health = is_veth(dev) ? RF_HEALTH_ERROR : RF_HEALTH_WARNING;
	bool fine = true;
	long v, all;

	v = effective(dev, "accept_local", &all);
	if (!v) {
		say_sysctl(dev, "accept_local", v, 1, health,
			   "packets from other nodes of this host are dropped");
		fine = false;
	}
	v = effective(dev, "rp_filter", &all);
	if (v == 1) {
		say_sysctl(dev, "rp_filter", v, all == 1 ? 2 : 0, health,
			   "packets from other nodes of this host are dropped");
		fine = false;
	}
	v = effective(dev, "arp_ignore", &all);
	if (v < 1) {
		say_sysctl(dev, "arp_ignore", v, 1, RF_HEALTH_WARNING,
			   "it answers ARP requests for the addresses of other nodes");
		fine = false;
	}
	v = effective(dev, "arp_announce", &all);
	if (v < 2) {
		say_sysctl(dev, "arp_announce", v, 2, RF_HEALTH_WARNING,
			   "it sends ARP requests with the addresses of other nodes");
		fine = false;
	}
	return fine;
}

static void check_sysctls(const struct net *net)
{
	bool fine = true;
	int i;

	if (net->nodes < 2)
		return;
	for (i = 0; i < net->nodes; i++)
		fine = sysctls_are_fine(net->node[i].netdev) && fine;
	if (fine)
		rf_doctor_say("sysctl", NULL, RF_HEALTH_OK, NULL,
			      "accept_local, rp_filter, arp_ignore and arp_announce let %d nodes share this host",
			      net->nodes);
}

static void check_backlog(const struct net *net)
{
	int i, veths = 0;
	long v;

	if (rf_sysctl_get(RF_FABRIC_BACKLOG, &v)) {
		rf_doctor_say("backlog", NULL, RF_HEALTH_UNKNOWN, NULL,
			      "net.core.netdev_max_backlog: %s", strerror(errno));
		return;
	}
	for (i = 0; i < net->devs; i++)
		veths += is_veth(net->dev[i]);
	if (v >= RF_FABRIC_BACKLOG_MIN)
		rf_doctor_say("backlog", NULL, RF_HEALTH_OK, NULL,
			      "net.core.netdev_max_backlog is %ld", v);
	else if (!veths)
		rf_doctor_say("backlog", NULL, RF_HEALTH_OK, NULL,
			      "net.core.netdev_max_backlog is %ld; \"rdmafault fabric up\" raises it to %d",
			      v, RF_FABRIC_BACKLOG_MIN);
	else
		rf_doctor_say("backlog", NULL, RF_HEALTH_WARNING,
			      "sysctl -w net.core.netdev_max_backlog=20000",
			      "net.core.netdev_max_backlog is %ld: bursts of many nodes are dropped", v);
}

static void check_bridge_nf(const struct net *net)
{
	int i, bridges = 0;
	long v = 0;

	for (i = 0; i < net->devs; i++)
		bridges += is_bridge(net->dev[i]);
	if (!bridges || rf_sysctl_get("bridge/bridge-nf-call-iptables", &v) || !v)
		return;
	rf_doctor_say("bridge-nf", NULL, RF_HEALTH_WARNING,
		      "sysctl -w net.bridge.bridge-nf-call-iptables=0",
		      "bridged packets pass iptables, whose rules can drop them");
}

/* ---- loopback ---- */

static uint32_t address_of(const struct ifaddrs *list, const char *dev)
{
	const struct ifaddrs *a;

	for (a = list; a; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET &&
		    !strcmp(a->ifa_name, dev))
			return ((const struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr;
	return 0;
}

/*
 * Check that the packets of rdma_cm programs between two nodes of this namespace leave by the
 * netdevs of the nodes. rdma_cm selects the RDMA device by the route. By default, the route to
 * a local address uses the loopback device.
 */
static void check_rdma_cm(struct rf_sock *s, const struct net *net)
{
	static const char fix[] =
		"name RDMA devices, for example ib_write_bw -d rxe1; or policy routing, see rdmafault-doctor(8)";
	uint32_t first = 0, second = 0;
	struct ifaddrs *list = NULL;
	int i;

	if (net->nodes < 2 || getifaddrs(&list))
		return;
	for (i = 0; i < net->nodes && !second; i++) {
		uint32_t addr = address_of(list, net->node[i].netdev);

		if (first)
			second = addr;
		else
			first = addr;
	}
	freeifaddrs(list);
	if (!second)
		return;
	if (rf_rtnl_route_is_local(s, first, second) ||
	    rf_rtnl_route_is_local(s, second, first))
		rf_doctor_say("rdma-cm", NULL, RF_HEALTH_WARNING, fix,
			      "rdma_cm programs between nodes of this network namespace use the loopback of rxe: no port sees their packets");
	else
		rf_doctor_say("rdma-cm", NULL, RF_HEALTH_OK, NULL,
			      "routes between the nodes of this network namespace leave by their netdevs");
}

static void check_fabric(struct rf_sock *s)
{
	struct rf_fabric_census c;
	char netdev[16];
	unsigned int k, half = 0;

	if (rf_fabric_census(s, &c) || !c.links) {
		rf_doctor_say("fabric", NULL, RF_HEALTH_OK, NULL, "none");
		return;
	}
	for (k = 1; k <= RF_FABRIC_MAX; k++)
		half += c.has[k] &&
			rf_rdma_to_netdev(rf_fabric_names(k).rdma, netdev, sizeof(netdev));
	if (half || !c.fabric.nodes)
		rf_doctor_say("fabric", NULL, RF_HEALTH_ERROR,
			      "rdmafault fabric down && rdmafault fabric up",
			      "incomplete: %u of %u nodes have no rxe device", half,
			      c.fabric.nodes);
	else
		rf_doctor_say("fabric", NULL, RF_HEALTH_OK, NULL, "%u nodes",
			      c.fabric.nodes);
}

/**
 * rf_doctor_net - check the RDMA devices and the netdevs that connect them
 */
void rf_doctor_net(void)
{
	struct net *net = calloc(1, sizeof(*net));
	struct rf_sock s;
	int i;

	if (!net || rf_sock_open(&s, NETLINK_ROUTE)) {
		rf_doctor_say("device", NULL, RF_HEALTH_UNKNOWN, NULL,
			      "netlink: %s", strerror(errno));
		free(net);
		return;
	}
	check_fabric(&s);
	check_devices(net);
	add_ports(net);
	for (i = 0; i < net->devs; i++)
		follow(&s, net, net->dev[i]);
	check_mtu(net);
	check_rps(net);
	check_qdisc(&s, net);
	rf_rtnl_link_each(&s, check_xdp, net);
	check_sysctls(net);
	check_backlog(net);
	check_bridge_nf(net);
	check_rdma_cm(&s, net);
	rf_sock_close(&s);
	free(net);
}
