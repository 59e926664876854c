// SPDX-License-Identifier: GPL-2.0
/*
 * Test the removal of the fabric: while a process has an RDMA device of the fabric open, the
 * removal fails; with --force, the process is killed. Devices that only have a similar name,
 * and devices on netdevs that only have a similar name, are not changed.
 */
#include <sys/wait.h>

#include "said.h"
#include "tap.h"
#include "../../tools/net/fabric.c"
#include "../../tools/net/fabric_graph.c"
#include "../../tools/net/fabric_shape.c"
#include "../../tools/rule/rulenames.c"
#include "../../tools/base/key.c"
#include "../../tools/base/suggest.c"
#include "../../tools/base/text.c"
#include "../../tools/base/probability.c"
#include "../../tools/base/units.c"
#include "../../tools/base/why.c"
#include "../../tools/base/waiting.c"

/*
 * PIDs of the processes that use the devices rxe1, rxe8 and rxe9. The fabric has two nodes, so
 * it contains rxe1. rxe8 is on a netdev v8 that is not part of the fabric. rxe9 is on a netdev
 * with a quite different name, d0.
 */
static pid_t user_of_1, user_of_8, user_of_9;
static int removed;			/* number of removed devices */

int rf_rdma_to_netdev(const char *name, char *netdev, size_t len)
{
	if (!strcmp(name, "rxe9"))
		return snprintf(netdev, len, "d0") < 0;
	if (strcmp(name, "rxe1") && strcmp(name, "rxe2") &&
	    strcmp(name, "rxe8"))
		return -ENODEV;
	return snprintf(netdev, len, "v%s", name + 3) < 0;
}

/* The fabric of this test has no rules of the routing policy. */
int rf_fabric_cm_read(struct rf_sock *s, struct rf_fabric_cm *cm)
{
	(void)s;
	*cm = (struct rf_fabric_cm){ };
	return 0;
}

int rf_fabric_cm_check(const struct rf_fabric_cm *cm)
{
	(void)cm;
	return 0;
}

int rf_fabric_cm_add(struct rf_sock *s, uint32_t nodes)
{
	(void)s;
	(void)nodes;
	return 0;
}

int rf_fabric_cm_remove(struct rf_sock *s)
{
	(void)s;
	return 0;
}

static bool is_alive(pid_t pid)
{
	return pid && !waitpid(pid, NULL, WNOHANG);
}

int rf_rdma_users(const char *name, int32_t *pids, int max)
{
	pid_t *user = !strcmp(name, "rxe1") ? &user_of_1 :
		      !strcmp(name, "rxe8") ? &user_of_8 :
		      !strcmp(name, "rxe9") ? &user_of_9 : NULL;

	if (!user || !max || !*user)
		return 0;
	if (!is_alive(*user))
		*user = 0;
	pids[0] = *user;
	return *user != 0;
}

int rf_rtnl_link_each(struct rf_sock *s, rf_link_fn fn, void *arg)
{
	static const struct rf_link_info links[] = {
		{ .name = "v1", .group = GROUP }, { .name = "p1", .group = GROUP },
		{ .name = "v2", .group = GROUP }, { .name = "p2", .group = GROUP },
		{ .name = "rfbr0", .group = GROUP }, { .name = "v8" }, { .name = "d0" },
	};
	size_t i;

	for (i = 0; s && i < sizeof(links) / sizeof(*links); i++)
		fn(&links[i], arg);
	return 0;
}

int rf_rxe_del(const char *name)
{
	removed += !!name;
	return 0;
}

int rf_rtnl_group_del(struct rf_sock *s, uint32_t group)
{
	return !s || group != GROUP;
}

int rf_lock(const char *path, unsigned int wait_ms)
{
	return path && wait_ms ? -ENOENT : -EINVAL;
}

int rf_sock_open(struct rf_sock *s, int protocol)
{
	*s = (struct rf_sock){ };
	return protocol < 0;
}

void rf_sock_close(struct rf_sock *s)
{
	*s = (struct rf_sock){ };
}

const char *rf_sock_why(const struct rf_sock *s, int err)
{
	return s ? strerror(-err) : "";
}

int rf_sysctl_set(const char *name, long v)
{
	(void)name;
	(void)v;
	return 0;
}

/* Only the creation of a fabric uses these symbols. */
static void __attribute__((used)) unused(void)
{
	abort();
}

#define UNUSED(name) asm(".globl " #name "\n.set " #name ", unused")

UNUSED(rf_rdma_gid_index);
UNUSED(rf_rxe_add);
UNUSED(rf_sysctl_get);
UNUSED(rf_sysctl_set_dev);
UNUSED(rf_rtnl_addr_add);
UNUSED(rf_rtnl_bridge_add);
UNUSED(rf_rtnl_bridge_port_fixed);
UNUSED(rf_rtnl_fdb_add);
UNUSED(rf_rtnl_ifindex);
UNUSED(rf_rtnl_link_alias);
UNUSED(rf_rtnl_link_get);
UNUSED(rf_rtnl_link_up);
UNUSED(rf_rtnl_neigh_add);
UNUSED(rf_rtnl_veth_add);

static pid_t new_user(void)
{
	pid_t pid = fork();

	if (!pid)
		pause();
	return pid;
}

static void foreign_ok(const char *device, pid_t *of)
{
	pid_t user = new_user();

	*of = user;
	removed = 0;
	ok(!rf_fabric_down(false) && removed == 2,
	   "the fabric is removed while the foreign device %s is in use", device);
	removed = 0;
	ok(!rf_fabric_down(true) && removed == 2 && is_alive(user),
	   "the fabric is removed with force without killing the user of the foreign device %s", device);
	kill(user, SIGKILL);
	waitpid(user, NULL, 0);
	*of = 0;
}

static void used_ok(void)
{
	pid_t user = new_user();
	char number[16];

	user_of_1 = user;
	removed = 0;
	snprintf(number, sizeof(number), " %d", user);
	ok(rf_fabric_down(false) == -EBUSY && !removed && is_alive(user) &&
	   strstr(said, number), "a fabric in use is not removed, and the error names the process");
	ok(!rf_fabric_down(true) && removed == 2 && !is_alive(user),
	   "a fabric in use is removed with force after its user was killed");
}

int main(void)
{
	foreign_ok("rxe9", &user_of_9);
	foreign_ok("rxe8", &user_of_8);
	used_ok();
	return done_testing();
}
