// SPDX-License-Identifier: GPL-2.0
/*
 * Test which netdevs can become a port. The test simulates the replies of the kernel, because
 * no test machine has the hardware that must be refused.
 */
#include <stdarg.h>
#include <string.h>

#include "../../tools/net/port.c"
#include "golden.h"
#include "tap.h"

/* The simulated replies of the kernel. */
static struct {
	uint32_t ifindex;
	const char *rdma, *netdev;
	int kind, live;
	struct rf_qdisc_info root;
	int add_error;
	int added;		/* number of qdiscs */
	int made;		/* number of requests to make a port */
} world;

static char said[512];

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

int rf_rdma_kind(const char *rdma)
{
	return world.rdma && !strcmp(rdma, world.rdma) ? world.kind : -ENODEV;
}

int rf_rdma_to_netdev(const char *rdma, char *netdev, size_t len)
{
	if (!world.rdma || strcmp(rdma, world.rdma) || !world.netdev)
		return -ENODEV;
	snprintf(netdev, len, "%s", world.netdev);
	return 0;
}

int rf_netdev_to_rdma(const char *netdev, char *rdma, size_t len)
{
	if (!world.rdma || strcmp(netdev, world.netdev))
		return -ENODEV;
	snprintf(rdma, len, "%s", world.rdma);
	return 0;
}

int rf_rdma_live_qps(const char *rdma)
{
	(void)rdma;
	return world.live;
}

uint32_t rf_ifindex(const char *name)
{
	return world.netdev && !strcmp(name, world.netdev) ? world.ifindex : 0;
}

int rf_sock_open(struct rf_sock *s, int protocol)
{
	(void)protocol;
	s->error = NULL;
	return 0;
}

void rf_sock_close(struct rf_sock *s)
{
	(void)s;
}

const char *rf_sock_why(const struct rf_sock *s, int err)
{
	(void)s;
	return err == -EPERM ? "needs CAP_NET_ADMIN" : strerror(-err);
}

int rf_rtnl_qdisc_root(struct rf_sock *s, uint32_t ifindex,
		       struct rf_qdisc_info *q)
{
	(void)s;
	(void)ifindex;
	*q = world.root;
	return 0;
}

int rf_rtnl_qdisc_add(struct rf_sock *s, uint32_t ifindex, const char *kind)
{
	(void)s;
	world.added += ifindex == world.ifindex && !strcmp(kind, "rdmafault");
	return world.add_error;
}

int rf_rtnl_qdisc_del(struct rf_sock *s, uint32_t ifindex)
{
	(void)s;
	(void)ifindex;
	return 0;
}

int rf_nl_open(struct rf_nl **nl)
{
	*nl = NULL;
	return 0;
}

void rf_nl_close(struct rf_nl *nl)
{
	(void)nl;
}

const char *rf_nl_why(const struct rf_nl *nl, int err)
{
	(void)nl;
	return rf_sock_why(NULL, err);
}

int rf_nl_port_new(struct rf_nl *nl, uint32_t ifindex)
{
	(void)nl;
	world.made += ifindex == world.ifindex;
	return 0;
}

int rf_nl_port_del(struct rf_nl *nl, uint32_t ifindex)
{
	(void)nl;
	(void)ifindex;
	return 0;
}

int rf_nl_port_get(struct rf_nl *nl, uint32_t ifindex, struct rf_port_info *port)
{
	(void)nl;
	(void)ifindex;
	(void)port;
	return -ENODEV;
}

/* A netdev that can become a port: it has SoftRoCE and the default qdisc. */
static void all_well(void)
{
	memset(&world, 0, sizeof(world));
	world.ifindex = 7;
	world.netdev = "eth77";
	world.rdma = "rdma77";
	world.kind = RF_RDMA_RXE;
	strcpy(world.root.kind, "fq_codel");
	said[0] = '\0';
}

static void refuses(const char *name, bool force, const char *because)
{
	int err = rf_port_add(name, force);

	ok(err < 0 && !world.added, "rf_port_add() refuses %s: %s", name, because);
	golden(said, "%s%s: %s", name, force ? " by force" : "", because);
}

static void softroce_ok(void)
{
	all_well();
	ok(!rf_port_add("eth77", false) && world.added == 1,
	   "a netdev with SoftRoCE becomes a port");
	all_well();
	ok(!rf_port_add("rdma77", false) && world.added == 1,
	   "a netdev becomes a port by the name of its RDMA device");
}

static void hardware_fails(void)
{
	all_well();
	world.kind = RF_RDMA_HARDWARE;
	refuses("rdma77", false, "hardware");
	all_well();
	world.kind = RF_RDMA_HARDWARE;
	refuses("rdma77", true, "hardware");
	all_well();
	world.kind = RF_RDMA_HARDWARE;
	refuses("eth77", false, "hardware");
	all_well();
	world.kind = RF_RDMA_SIW;
	refuses("rdma77", false, "iWARP");
}

static void hardware_forced_ok(void)
{
	all_well();
	world.kind = RF_RDMA_HARDWARE;
	ok(!rf_port_add("eth77", true) && world.added == 1,
	   "a netdev with RDMA hardware becomes a port with force, for the kernel's traffic");
}

static void unknown_fails(void)
{
	all_well();
	refuses("eth78", false, "no such netdev");
	all_well();
	world.netdev = NULL;
	refuses("rdma77", false, "no netdev");
	all_well();
	world.rdma = NULL;
	refuses("eth77", false, "no RDMA device");
}

static void in_use_fails(void)
{
	all_well();
	world.live = 3;
	refuses("eth77", false, "open queue pairs");
	all_well();
	strcpy(world.root.kind, "htb");
	world.root.handle = 0x10000;
	refuses("eth77", true, "another qdisc");
	all_well();
	strcpy(world.root.kind, "rdmafault");
	world.root.handle = 0x80010000;
	refuses("eth77", true, "a port already");
}

static void rules_only_ok(void)
{
	all_well();
	world.rdma = NULL;
	world.live = 3;
	strcpy(world.root.kind, "htb");
	world.root.handle = 0x10000;
	ok(!rf_port_add_rules_only("eth77") && world.made == 1 && !world.added,
	   "a netdev with another qdisc, without SoftRoCE, becomes a port with rules only");
}

static void queues_fail(void)
{
	struct rf_target t;

	all_well();
	rf_target_find("eth77", &t);
	ok(!rf_port_add_queues(&t) && world.added == 1, "a port with rules only gets queues");
	all_well();
	world.live = 3;
	ok(rf_port_add_queues(&t) == -EBUSY && !world.added,
	   "a port with rules only and open queue pairs gets no queues");
	golden(said, "queues with open queue pairs");
}

static void kernel_says_no_fails(void)
{
	static const int errors[] = { -ENOENT, -EPERM, -ENOMEM };
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		all_well();
		world.add_error = errors[i];
		ok(rf_port_add("eth77", false) == errors[i], "rf_port_add() returns errno %d of the kernel", -errors[i]);
		golden(said, "the kernel returns errno %d", -errors[i]);
	}
}

int main(void)
{
	softroce_ok();
	hardware_fails();
	hardware_forced_ok();
	unknown_fails();
	in_use_fails();
	rules_only_ok();
	queues_fail();
	kernel_says_no_fails();
	golden_compare("port.txt");
	return done_testing();
}
