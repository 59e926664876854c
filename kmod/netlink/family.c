// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family. port.c, rule.c, flow.c, queue.c, pause.c, ring.c, path.c and
 * dcqcn.c have its requests.
 *
 * Rules and storms without the flag persist are leased: they end when the socket that
 * created them is closed. The netlink core notifies us of that.
 */
#include <linux/notifier.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../compat/netlink.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

static int socket_released(struct notifier_block *nb, unsigned long event,
			   void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE &&
	    notify->protocol == NETLINK_GENERIC && notify->portid)
		rf_ports_end_lease(notify->net, notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block socket_notifier = {
	.notifier_call = socket_released,
};

/*
 * Linux 6.1 has no extack here. There the first message of the dump does this check,
 * and the error message has no attribute.
 */
static int family_dump_start(struct netlink_callback *cb)
{
	return cb->extack ? rf_netlink_dump_check(cb) : 0;
}

/*
 * Faults affect other users of the machine: they use its memory and its softirq time,
 * and a network namespace can share a netdev with the host. So the owner of a user
 * namespace must not change anything. The netlink core would refuse such a request
 * without a message.
 */
static int family_check_admin(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, RF_NEEDS_ADMIN);
	return -EPERM;
}

static int family_pre_doit(const struct genl_split_ops *op, struct sk_buff *skb,
			   struct genl_info *info)
{
	return op->flags & GENL_UNS_ADMIN_PERM ?
	       family_check_admin(skb, info->extack) : 0;
}

static int flow_dump_start(struct netlink_callback *cb)
{
	return family_check_admin(cb->skb, cb->extack) ?: family_dump_start(cb) ?:
	       rf_netlink_flow_copy(cb);
}

static int dcqcn_dump_start(struct netlink_callback *cb)
{
	return family_check_admin(cb->skb, cb->extack);
}

/* The generated table, and functions that its generator does not support */
static struct genl_ops family_ops[ARRAY_SIZE(rdmafault_nl_ops)] __ro_after_init;

static void __init family_fill_ops(void)
{
	int i;

	memcpy(family_ops, rdmafault_nl_ops, sizeof(family_ops));
	for (i = 0; i < ARRAY_SIZE(family_ops); i++) {
		if (family_ops[i].flags & GENL_ADMIN_PERM) {
			family_ops[i].flags &= ~GENL_ADMIN_PERM;
			family_ops[i].flags |= GENL_UNS_ADMIN_PERM;
		}
		if (family_ops[i].cmd == RDMAFAULT_CMD_RULE_GET)
			family_ops[i].start = family_dump_start;
		if (family_ops[i].cmd == RDMAFAULT_CMD_DCQCN_FLOW_GET)
			family_ops[i].start = dcqcn_dump_start;
		if (family_ops[i].cmd == RDMAFAULT_CMD_QUEUE_GET)
			family_ops[i].start = rf_netlink_queue_start;
		if (family_ops[i].cmd == RDMAFAULT_CMD_PATH_GET)
			family_ops[i].start = rf_netlink_path_start;
		if (family_ops[i].cmd == RDMAFAULT_CMD_FLOW_GET) {
			family_ops[i].start = flow_dump_start;
			family_ops[i].done = rf_netlink_flow_done;
		}
	}
}

struct genl_family rf_family __ro_after_init = {
	.name = RDMAFAULT_FAMILY_NAME,
	.version = RDMAFAULT_FAMILY_VERSION,
	.netnsok = true,
	.pre_doit = family_pre_doit,
	.module = THIS_MODULE,
	.ops = family_ops,
	.n_ops = ARRAY_SIZE(family_ops),
	.resv_start_op = RDMAFAULT_CMD_PORT_GET,
	.maxattr = RDMAFAULT_A_MAX,
};

/**
 * rf_netlink_register - register the family
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int __init rf_netlink_register(void)
{
	int err;

	family_fill_ops();
	err = netlink_register_notifier(&socket_notifier);
	if (err)
		return err;
	err = genl_register_family(&rf_family);
	if (err)
		netlink_unregister_notifier(&socket_notifier);
	return err;
}

/**
 * rf_netlink_unregister - unregister the family
 *
 * Context: module exit.
 */
void rf_netlink_unregister(void)
{
	genl_unregister_family(&rf_family);
	netlink_unregister_notifier(&socket_notifier);
}

MODULE_ALIAS_GENL_FAMILY(RDMAFAULT_FAMILY_NAME);
