// SPDX-License-Identifier: GPL-2.0
/*
 * The options of the qdisc, for tc: the port's link, in the attributes of the
 * set "link" of the netlink specification. Like a queue-set request they change
 * what is given, all or nothing, and nobody has to detach the qdisc for it.
 *
 * A port whose link nobody has touched has no options to show: tc without our
 * plugin calls all others unknown, in the midst of its JSON, too.
 */
#include <linux/err.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "compat/netlink.h"
#include "queue/config.h"
#include "netlink/family.h"
#include "netlink/parse.h"
#include "port.h"
#include "sch_options.h"

static int change(struct rf_conf *conf, const struct nlattr *opt,
		  struct netlink_ext_ack *extack)
{
	const struct rf_invalid *invalid;
	u32 prio;
	int err;

	err = rf_conf_parse_link(&conf->link, opt, extack);
	if (err)
		return err;
	rf_conf_complete(conf);
	invalid = rf_conf_validate(conf, &prio);
	if (!invalid)
		return 0;
	rf_extack_set(extack, invalid->words);
	NL_SET_BAD_ATTR(extack, opt);
	return -EINVAL;
}

static struct rf_conf *changed_copy(const struct rf_conf *old,
				    const struct nlattr *opt,
				    struct netlink_ext_ack *extack)
{
	struct rf_conf *conf;
	int err;

	conf = kmemdup(old, sizeof(*old), GFP_KERNEL_ACCOUNT);
	if (!conf)
		return ERR_PTR(-ENOMEM);
	err = opt ? change(conf, opt, extack) : 0;
	if (!err)
		return conf;
	kfree(conf);
	return ERR_PTR(err);
}

/**
 * rf_options_new - what a new port is told
 * @opt: the options of its qdisc, or NULL
 * @extack: says what is wrong
 *
 * Context: process.
 * Return: a configuration that the caller owns; -EINVAL or -ENOMEM as an
 * ERR_PTR.
 */
struct rf_conf *rf_options_new(const struct nlattr *opt,
			       struct netlink_ext_ack *extack)
{
	return changed_copy(&rf_port_default, opt, extack);
}

static const struct rf_conf *conf_of(const struct rf_port *port)
{
	return rcu_dereference_protected(port->conf,
					 lockdep_is_held(&rf_ports_lock));
}

/**
 * rf_options_change - tell a port something else, with packets in it or without
 * @port: the port
 * @opt: the options that change
 * @extack: says what is wrong
 *
 * Context: RTNL held, may sleep.
 * Return: 0; -EINVAL or -ENOMEM, and nothing has changed.
 */
int rf_options_change(struct rf_port *port, const struct nlattr *opt,
		      struct netlink_ext_ack *extack)
{
	struct rf_conf *conf;
	int err;

	mutex_lock(&rf_ports_lock);
	conf = changed_copy(conf_of(port), opt, extack);
	/* The options don't change PFC, so the hook for it is there. */
	err = PTR_ERR_OR_ZERO(conf);
	if (!err)
		rf_port_conf_publish(port, conf);
	mutex_unlock(&rf_ports_lock);
	return err;
}

static bool is_untold(const struct rf_link_conf *link)
{
	struct rf_link_conf untold;

	rf_link_conf_init(&untold);
	return link->rate == untold.rate && link->delay == untold.delay &&
	       link->jitter == untold.jitter && link->seed == untold.seed &&
	       link->overhead == untold.overhead;
}

/**
 * rf_options_dump - show the link of a port
 * @port: the port
 * @skb: gets the options, if there are any
 *
 * Context: RTNL held, may sleep.
 * Return: length of @skb, or -EMSGSIZE.
 */
int rf_options_dump(struct rf_port *port, struct sk_buff *skb)
{
	const struct rf_conf *conf;
	int err = 0;

	mutex_lock(&rf_ports_lock);
	conf = conf_of(port);
	if (!is_untold(&conf->link))
		err = rf_put_link(skb, TCA_OPTIONS, conf);
	mutex_unlock(&rf_ports_lock);
	return err ?: skb->len;
}
