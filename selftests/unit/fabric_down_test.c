// SPDX-License-Identifier: GPL-2.0
/*
 * Test the removal of the fabric: while a process has an RDMA device of the fabric open, the
 * removal fails; with --force, the process is killed. Devices that only have a similar name,
 * and devices on netdevs that only have a similar name, are not changed.
 */
#include <sys/wait.h>

#include "said.h"
#include "tap.h"
#include "../../tools/net/fabric_down.c"
#include "../../tools/base/waiting.c"

/*
 * PIDs of the processes that use the devices rxe1, rxe8 and rxe9. The fabric has two nodes, so
 * it contains rxe1. rxe8 is on a netdev v8 that is not part of the fabric. rxe9 is on a netdev
 * with a quite different name, d0.
 */
static pid_t user_of_1, user_of_8, user_of_9;
static int removed;			/* number of removed devices */

struct rf_fabric_names rf_fabric_names(unsigned int k)
{
	struct rf_fabric_names n;

	snprintf(n.v, sizeof(n.v), "v%u", k);
	snprintf(n.p, sizeof(n.p), "p%u", k);
	snprintf(n.rdma, sizeof(n.rdma), "rxe%u", k);
	return n;
}

int rf_rdma_to_netdev(const char *name, char *netdev, size_t len)
{
	if (!strcmp(name, "rxe9"))
		return snprintf(netdev, len, "d0") < 0;
	if (strcmp(name, "rxe1") && strcmp(name, "rxe2") &&
	    strcmp(name, "rxe8"))
		return -ENODEV;
	return snprintf(netdev, len, "v%s", name + 3) < 0;
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

int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c)
{
	*c = (struct rf_fabric_census){
		.links = s ? 5 : 0, .has = { [1] = true, [2] = true },
		.backlog = -1,
	};
	return 0;
}

int rf_rxe_del(const char *name)
{
	removed += !!name;
	return 0;
}

int rf_rtnl_group_del(struct rf_sock *s, uint32_t group)
{
	return !s || group != RF_FABRIC_GROUP;
}

int rf_fabric_lock(void)
{
	return -ENOENT;
}

void rf_fabric_unlock(int lock)
{
	(void)lock;
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

int rf_fabric_failed(struct rf_sock *s, const char *name, const char *what,
		     int err)
{
	(void)s;
	(void)name;
	(void)what;
	return err;
}

int rf_sysctl_set(const char *name, long v)
{
	(void)name;
	(void)v;
	return 0;
}

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
