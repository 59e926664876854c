// SPDX-License-Identifier: GPL-2.0
/*
 * Take the carrier of a link away, and give it back. The link is a veth pair: if one end is set
 * down, both ends have no carrier.
 *
 * A netdev without a carrier has noop_qdisc, which reports to rxe that a packet was not sent.
 * Since kernel 6.10, rxe then moves the queue pair to the error state. A NIC loses the packet and
 * sends it again. So that rxe does the same, a rule drops all RoCEv2 packets at egress, before the
 * qdisc. The rule exists from before the carrier is lost until the netdev can send packets again.
 * The kernel itself drops the packets in the other direction, because their netdev is set down.
 *
 * An end with an RDMA device is never set down, because rxe ends its queue pairs then, too, and
 * because the kernel deletes routes and neighbours of a netdev that is set down.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "genl.h"
#include "link_down.h"
#include "nl.h"

#define UP_TIMEOUT_S	20
#define POLL_US		1000

/* All RoCEv2 packets, also those to QP 1: an error in QP 1 would end connection management. */
static const struct rf_rule_spec drop_all = {
	.match = {
		.set = RF_MATCH_BIT(CLASS),
		.classes = RDMAFAULT_CLASS_CM | (RDMAFAULT_CLASS_CM - 1),
	},
	.actions = 1, .action = { { .type = RDMAFAULT_ACTION_DROP } },
};

static int refuse_link(struct rf_sock *s, const char *netdev, int err, struct rf_why *why)
{
	rf_why_refuse(why, "%s: %s", netdev, rf_sock_why(s, err));
	return err;
}

static int find_other_end(struct rf_sock *s, const struct rf_target *t, struct rf_target *peer,
			  struct rf_why *why)
{
	struct rf_link_info link = { };
	int err = rf_rtnl_link_get(s, t->ifindex, &link);

	if (!err && !link.peer)
		return rf_why_refuse(why, "%s: cannot lose its carrier, because it is not an end of a veth pair in this network namespace; \"blackhole %s tx TIME both all count 1\" drops its packets",
				     t->netdev, t->netdev);
	if (!err)
		err = rf_rtnl_link_get(s, link.peer, &link);
	if (err)
		return refuse_link(s, t->netdev, err, why);
	*peer = (struct rf_target){ .ifindex = link.ifindex };
	memcpy(peer->netdev, link.name, sizeof(peer->netdev));
	if (rf_netdev_to_rdma(link.name, peer->rdma, sizeof(peer->rdma)))
		peer->rdma[0] = '\0';
	return 0;
}

/**
 * rf_link_ends_find - find the link of a netdev
 * @t: the netdev, either end of the link
 * @l: gets both ends
 * @why: gets the text of an error
 *
 * Return: 0, or -errno; -EINVAL if the link cannot be taken down.
 */
int rf_link_ends_find(const struct rf_target *t, struct rf_link_ends *l, struct rf_why *why)
{
	struct rf_target peer;
	struct rf_sock s;
	int err = rf_sock_open(&s, NETLINK_ROUTE);

	if (err)
		return rf_why_refuse(why, "netlink: %s", strerror(-err));
	err = find_other_end(&s, t, &peer, why);
	rf_sock_close(&s);
	if (err)
		return err;
	if (t->rdma[0] && peer.rdma[0])
		return rf_why_refuse(why, "%s: cannot lose its carrier, because both ends of its link have an RDMA device, %s and %s; \"blackhole %s tx TIME both all count 1\" drops its packets",
				     t->netdev, t->rdma, peer.rdma, t->netdev);
	*l = peer.rdma[0] ? (struct rf_link_ends){ .near = peer, .far = *t } :
			    (struct rf_link_ends){ .near = *t, .far = peer };
	return 0;
}

static bool is_up(struct rf_sock *s, const struct rf_target *t)
{
	struct rf_link_info link = { };

	return !rf_rtnl_link_get(s, t->ifindex, &link) && link.up;
}

/*
 * Wait until the packets that had passed the rules before a rule was added have been sent. If such
 * a packet reaches a netdev that is being set down, veth reports to rxe that it was not sent.
 * membarrier(MEMBARRIER_CMD_GLOBAL) calls synchronize_rcu() (kernel/sched/membarrier.c), and rules
 * and transmission are in one RCU read-side section (__dev_queue_xmit() in net/core/dev.c). The
 * kernel itself waits only after it has stopped the netdev (dev_deactivate_many()).
 */
static int wait_for_packets_on_their_way(void)
{
	return syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) ? -errno : 0;
}

static int set_down(struct rf_sock *s, const struct rf_target *t, struct rf_why *why)
{
	int err = rf_rtnl_link_down(s, t->ifindex);

	return err ? refuse_link(s, t->netdev, err, why) : 0;
}

static int add_rule_and_set_down(struct rf_sock *s, struct rf_nl *nl,
				 const struct rf_link_ends *l, uint32_t *rule, struct rf_why *why)
{
	int err = rf_nl_rule_new(nl, l->near.ifindex, RDMAFAULT_DIRECTION_TX, 0, &drop_all, 1,
				 rule);

	if (err) {
		rf_why_refuse(why, "%s: %s", l->near.netdev, rf_nl_why(nl, err));
		return err;
	}
	err = wait_for_packets_on_their_way();
	if (err)
		rf_why_refuse(why, "membarrier: %s", strerror(-err));
	else
		err = set_down(s, &l->far, why);
	if (err)
		rf_nl_rule_del(nl, l->near.ifindex, rule, 1);
	return err;
}

/**
 * rf_link_take_down - drop all packets that leave the near end, and take the carrier away
 * @nl: the socket that owns the rule; it must stay open until rf_link_bring_up() has returned
 * @l: the link
 * @rule: gets the number of the rule at tx of the near end
 * @why: gets the text of an error
 *
 * Return: 0, or -errno; then the link and the rules are as before.
 */
int rf_link_take_down(struct rf_nl *nl, const struct rf_link_ends *l, uint32_t *rule,
		      struct rf_why *why)
{
	struct rf_sock s;
	int err = rf_sock_open(&s, NETLINK_ROUTE);

	if (err)
		return rf_why_refuse(why, "netlink: %s", strerror(-err));
	if (is_up(&s, &l->near) && is_up(&s, &l->far))
		err = add_rule_and_set_down(&s, nl, l, rule, why);
	else
		err = rf_why_refuse(why, "%s: the link to %s is down already; \"ip link set %s up\" sets it up",
				    l->near.netdev, l->far.netdev, l->far.netdev);
	rf_sock_close(&s);
	return err;
}

/* Can the near end send packets, and has the port of its RDMA device seen this? */
static bool has_come_back(struct rf_sock *s, const struct rf_link_ends *l)
{
	return is_up(s, &l->near) && is_up(s, &l->far) &&
	       (!l->near.rdma[0] || rf_rdma_is_active(l->near.rdma));
}

static int wait_ready(struct rf_sock *s, const struct rf_link_ends *l, struct rf_why *why)
{
	time_t deadline = time(NULL) + UP_TIMEOUT_S;

	while (!has_come_back(s, l)) {
		if (time(NULL) > deadline)
			return rf_why_refuse(why, "%s: set up, but after %d s the link to %s is still down",
					     l->far.netdev, UP_TIMEOUT_S, l->near.netdev);
		usleep(POLL_US);
	}
	return 0;
}

/**
 * rf_link_bring_up - give the carrier back, and wait until the near end can send packets
 * @l: the link
 * @why: gets the text of an error
 *
 * The caller then deletes the rule of rf_link_take_down().
 *
 * Return: 0, or -errno.
 */
int rf_link_bring_up(const struct rf_link_ends *l, struct rf_why *why)
{
	struct rf_sock s;
	int err = rf_sock_open(&s, NETLINK_ROUTE);

	if (err)
		return rf_why_refuse(why, "netlink: %s", strerror(-err));
	err = rf_rtnl_link_up(&s, l->far.ifindex, 0);
	if (err)
		refuse_link(&s, l->far.netdev, err, why);
	else
		err = wait_ready(&s, l, why);
	rf_sock_close(&s);
	return err;
}
