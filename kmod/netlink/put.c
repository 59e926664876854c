// SPDX-License-Identifier: GPL-2.0
/*
 * Put ports and rules into netlink messages.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <net/netlink.h>

#include "../fields.h"
#include "../flow/flow.h"
#include "netlink.h"
#include "../port.h"

static int put_stats(struct sk_buff *skb, int attr, const struct rf_port *port,
		     u32 direction)
{
	const struct rf_dir *dir = &port->dir[direction];
	struct nlattr *nest = nla_nest_start(skb, attr);
	u64 sum[RF_STATS];
	int i;

	if (!nest)
		return -EMSGSIZE;
	rf_port_read_stats(port, direction, sum);
	for (i = 0; i < RF_STATS; i++)
		if (nla_put_u64_64bit(skb, rf_stat_attr(i), sum[i],
				      RDMAFAULT_A_STATS_PAD))
			return -EMSGSIZE;
	if (nla_put_u32(skb, RDMAFAULT_A_STATS_RULES, rf_dir_count(dir)) ||
	    nla_put_u32(skb, RDMAFAULT_A_STATS_FLOWS,
			rf_flows_count(dir->flows)) ||
	    nla_put_u32(skb, RDMAFAULT_A_STATS_HELD, rf_delayq_count(&dir->delayq)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_progress(struct sk_buff *skb, const struct rf_port *port)
{
	static const struct rf_progress none;
	const struct rf_progress *progress;

	progress = rcu_dereference_protected(port->dir[RF_TX].progress,
					     rf_ports_is_held(port));
	if (!progress)
		progress = &none;
	if (nla_put_u32(skb, RDMAFAULT_A_STEP, progress->step) ||
	    nla_put_u32(skb, RDMAFAULT_A_MESSAGES, progress->messages) ||
	    nla_put_u32(skb, RDMAFAULT_A_MESSAGES_TOTAL,
			progress->messages_total))
		return -EMSGSIZE;
	return 0;
}

/**
 * rf_put_netdev - put the ifindex and the name of a netdev
 * @skb: the message; the caller must cancel it after a failure
 * @dev: the netdev
 *
 * RTNL can't be taken under rf_ports_lock. So the netdev can be renamed meanwhile, and
 * the name can be a mixture of both, but it is a string.
 *
 * Context: process.
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_netdev(struct sk_buff *skb, const struct net_device *dev)
{
	char name[IFNAMSIZ];

	strscpy(name, dev->name, sizeof(name));
	return nla_put_u32(skb, RDMAFAULT_A_IFINDEX, dev->ifindex) ?:
	       nla_put_string(skb, RDMAFAULT_A_IFNAME, name);
}

/**
 * rf_put_port - put the attributes of a port
 * @skb: the message; the caller must cancel it after a failure
 * @port: the port
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_port(struct sk_buff *skb, const struct rf_port *port)
{
	if (rf_put_netdev(skb, port->dev) ||
	    nla_put_u32(skb, RDMAFAULT_A_GENERATION, port->generation) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_MAX_HOLD, port->dir[RF_TX].max_hold,
			      RDMAFAULT_A_PAD) ||
	    nla_put_u32(skb, RDMAFAULT_A_HOLD_FORWARDED, port->hold_forwarded) ||
	    nla_put_string(skb, RDMAFAULT_A_NAME, port->name) ||
	    (port->queue && nla_put_flag(skb, RDMAFAULT_A_QUEUES)) ||
	    put_progress(skb, port))
		return -EMSGSIZE;
	if (put_stats(skb, RDMAFAULT_A_TX, port, RF_TX))
		return -EMSGSIZE;
	return put_stats(skb, RDMAFAULT_A_RX, port, RF_RX);
}

/**
 * rf_put_fields - put the numbers of a struct as attributes
 * @skb: the message
 * @from: the struct
 * @set: bit n for attribute n: put this attribute
 * @fields: the members of the struct
 * @max: highest attribute
 * @pad: the attribute that aligns 64-bit numbers
 *
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_fields(struct sk_buff *skb, const void *from, u64 set,
		  const struct rf_field *fields, int max, int pad)
{
	const void *member;
	int attr, err = 0;

	for (attr = 1; attr <= max && !err; attr++) {
		if (!(set & BIT_ULL(attr)) || !fields[attr].size)
			continue;
		member = from + fields[attr].offset;
		if (fields[attr].size == sizeof(u64))
			err = nla_put_u64_64bit(skb, attr, *(u64 *)member, pad);
		else
			err = nla_put_u32(skb, attr, *(u32 *)member);
	}
	return err;
}

static int put_endpoints(struct sk_buff *skb, const struct rf_match *m)
{
	u32 i;

	for (i = 0; i < m->qps; i++)
		if (nla_put_u32(skb, RDMAFAULT_A_MATCH_QP, m->qp[i]))
			return -EMSGSIZE;
	if (RF_ASKS(m, SADDR) &&
	    nla_put(skb, RDMAFAULT_A_MATCH_SADDR, m->saddr_len, m->saddr))
		return -EMSGSIZE;
	if (RF_ASKS(m, DADDR) &&
	    nla_put(skb, RDMAFAULT_A_MATCH_DADDR, m->daddr_len, m->daddr))
		return -EMSGSIZE;
	return 0;
}

static int put_match(struct sk_buff *skb, const struct rf_match *m)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_RULE_MATCH);

	if (!nest || put_endpoints(skb, m) ||
	    rf_put_fields(skb, m, m->set, rf_match_fields,
			  RDMAFAULT_A_MATCH_MAX, 0))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_trigger(struct sk_buff *skb, const struct rf_trigger *t)
{
	struct nlattr *nest;

	if (!t->set)
		return 0;
	nest = nla_nest_start(skb, RDMAFAULT_A_RULE_TRIGGER);
	if (!nest ||
	    rf_put_fields(skb, t, t->set, rf_trigger_fields,
			  RDMAFAULT_A_TRIGGER_MAX, RDMAFAULT_A_TRIGGER_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_actions(struct sk_buff *skb, const struct rf_rule *rule)
{
	const struct rf_action *a;
	struct nlattr *nest;
	u32 i;

	for (i = 0; i < rule->actions; i++) {
		a = &rule->action[i];
		nest = nla_nest_start(skb, RDMAFAULT_A_RULE_ACTION);
		if (!nest ||
		    rf_put_fields(skb, a, a->set, rf_action_fields,
				  RDMAFAULT_A_ACTION_MAX, RDMAFAULT_A_ACTION_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int put_missed(struct sk_buff *skb, const struct rf_rule_counters *counters)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_RULE_MISSED);
	int i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < RF_MISSES; i++)
		if (nla_put_u64_64bit(skb, RDMAFAULT_A_MISSED_WINDOW + i,
				      counters->missed[i], RDMAFAULT_A_MISSED_PAD))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_counters(struct sk_buff *skb, const struct rf_rule_counters *counters)
{
	if (nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_MATCHED, counters->matched,
			      RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_HITS, counters->hits,
			      RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_BYTES, counters->bytes,
			      RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_UNANSWERED,
			      counters->unanswered, RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_UNCHANGED,
			      counters->unchanged, RDMAFAULT_A_RULE_PAD))
		return -EMSGSIZE;
	return put_missed(skb, counters);
}

static int put_head(struct sk_buff *skb, u32 direction, const struct rf_rule *rule)
{
	if (nla_put_u32(skb, RDMAFAULT_A_RULE_ID, rule->id) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_DIRECTION, direction) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_FLAGS, rule->flags) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_SEED, rule->seed,
			      RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_KEY, rule->key) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_OWNER, rule->owner))
		return -EMSGSIZE;
	return 0;
}

/* At least 1, because a request must not have 0. */
static int put_expires(struct sk_buff *skb, const struct rf_rule *rule)
{
	u64 left = rf_rule_time_left(rule, ktime_get_ns());

	if (left == U64_MAX)
		return 0;
	return nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_EXPIRES,
				 max_t(u64, left, 1), RDMAFAULT_A_RULE_PAD);
}

static struct rf_rule_counters read_counters(struct rf_dir *dir,
					     const struct rf_rule *rule)
{
	struct rf_rule_counters counters;

	spin_lock_bh(&dir->lock);
	counters = rule->counters;
	spin_unlock_bh(&dir->lock);
	return counters;
}

/**
 * rf_put_rule - put the attributes of a rule
 * @skb: the message; the caller must cancel it after a failure
 * @port: the port of the rule
 * @direction: the direction of the rule
 * @rule: the rule
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_rule(struct sk_buff *skb, struct rf_port *port, u32 direction,
		const struct rf_rule *rule)
{
	struct rf_rule_counters counters = read_counters(&port->dir[direction], rule);
	struct nlattr *nest;

	if (rf_put_netdev(skb, port->dev))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_RULE);
	if (!nest || put_head(skb, direction, rule) || put_expires(skb, rule) ||
	    put_match(skb, &rule->match) ||
	    put_trigger(skb, &rule->trigger) || put_actions(skb, rule) ||
	    put_counters(skb, &counters))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
