// SPDX-License-Identifier: GPL-2.0
/*
 * Ports and rules as netlink attributes, in the form that the specification
 * gives them.
 */
#include <linux/netdevice.h>
#include <net/netlink.h>

#include "flow.h"
#include "netlink.h"
#include "port.h"

static int put_stats(struct sk_buff *skb, int attr, const struct rf_side *side)
{
	struct nlattr *nest = nla_nest_start(skb, attr);
	u64 sum[RF_STATS];
	int i;

	if (!nest)
		return -EMSGSIZE;
	rf_stats_sum(side->stats, sum);
	for (i = 0; i < RF_STATS; i++)
		if (nla_put_u64_64bit(skb, RF_STAT_ATTR(i), sum[i],
				      RDMAFAULT_A_STATS_PAD))
			return -EMSGSIZE;
	if (nla_put_u32(skb, RDMAFAULT_A_STATS_RULES, rf_side_count(side)) ||
	    nla_put_u32(skb, RDMAFAULT_A_STATS_FLOWS,
			rf_flows_count(side->flows)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * rf_put_port - what there is to say of a port
 * @skb: gets the attributes; what is in it after a failure is to be cancelled
 * @port: the port
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_port(struct sk_buff *skb, const struct rf_port *port)
{
	if (nla_put_u32(skb, RDMAFAULT_A_IFINDEX, port->dev->ifindex) ||
	    nla_put_string(skb, RDMAFAULT_A_IFNAME, port->dev->name) ||
	    nla_put_u32(skb, RDMAFAULT_A_GENERATION, port->generation) ||
	    nla_put_u32(skb, RDMAFAULT_A_STEP, READ_ONCE(port->step)))
		return -EMSGSIZE;
	if (put_stats(skb, RDMAFAULT_A_TX, &port->side[RF_TX]))
		return -EMSGSIZE;
	return put_stats(skb, RDMAFAULT_A_RX, &port->side[RF_RX]);
}

static int put_asked(struct sk_buff *skb, const struct rf_match *match,
		     u32 bit, int attr, u32 value)
{
	return match->set & bit ? nla_put_u32(skb, attr, value) : 0;
}

static int put_match(struct sk_buff *skb, const struct rf_match *m)
{
	struct nlattr *nest = nla_nest_start(skb, RDMAFAULT_A_RULE_MATCH);

	if (!nest ||
	    put_asked(skb, m, RF_MATCH_QP, RDMAFAULT_A_MATCH_QP, m->qp) ||
	    put_asked(skb, m, RF_MATCH_PSN, RDMAFAULT_A_MATCH_PSN, m->psn) ||
	    put_asked(skb, m, RF_MATCH_PSN_REL, RDMAFAULT_A_MATCH_PSN_REL,
		      m->psn_rel) ||
	    put_asked(skb, m, RF_MATCH_OPCODE, RDMAFAULT_A_MATCH_OPCODE,
		      m->opcode) ||
	    put_asked(skb, m, RF_MATCH_CLASS, RDMAFAULT_A_MATCH_CLASS,
		      m->classes) ||
	    put_asked(skb, m, RF_MATCH_POSITION, RDMAFAULT_A_MATCH_POSITION,
		      m->positions) ||
	    put_asked(skb, m, RF_MATCH_PASS_MIN, RDMAFAULT_A_MATCH_PASS_MIN,
		      m->pass_min) ||
	    put_asked(skb, m, RF_MATCH_PASS_MAX, RDMAFAULT_A_MATCH_PASS_MAX,
		      m->pass_max) ||
	    put_asked(skb, m, RF_MATCH_STEP, RDMAFAULT_A_MATCH_STEP, m->step))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_trigger(struct sk_buff *skb, const struct rf_trigger *trigger)
{
	if (trigger->nth &&
	    nla_put_u32(skb, RDMAFAULT_A_RULE_NTH, trigger->nth))
		return -EMSGSIZE;
	if (trigger->count &&
	    nla_put_u32(skb, RDMAFAULT_A_RULE_COUNT, trigger->count))
		return -EMSGSIZE;
	return 0;
}

static int put_tally(struct sk_buff *skb, const struct rf_tally *tally)
{
	if (nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_MATCHED, tally->matched,
			      RDMAFAULT_A_RULE_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RULE_HITS, tally->hits,
			      RDMAFAULT_A_RULE_PAD))
		return -EMSGSIZE;
	return 0;
}

static int put_head(struct sk_buff *skb, u32 dir, const struct rf_rule *rule)
{
	if (nla_put_u32(skb, RDMAFAULT_A_RULE_ID, rule->id) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_DIRECTION, dir) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_FLAGS, rule->flags) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_ACTION, rule->action) ||
	    nla_put_u32(skb, RDMAFAULT_A_RULE_OWNER, rule->owner))
		return -EMSGSIZE;
	return 0;
}

static struct rf_tally read_tally(struct rf_side *side,
				  const struct rf_rule *rule)
{
	struct rf_tally tally;

	spin_lock_bh(&side->lock);
	tally = rule->tally;
	spin_unlock_bh(&side->lock);
	return tally;
}

/**
 * rf_put_rule - what there is to say of a rule
 * @skb: gets the attributes; what is in it after a failure is to be cancelled
 * @port: the rule's port
 * @dir: and direction
 * @rule: the rule
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or -EMSGSIZE.
 */
int rf_put_rule(struct sk_buff *skb, struct rf_port *port, u32 dir,
		const struct rf_rule *rule)
{
	struct rf_tally tally = read_tally(&port->side[dir], rule);
	struct nlattr *nest;

	if (nla_put_u32(skb, RDMAFAULT_A_IFINDEX, port->dev->ifindex) ||
	    nla_put_string(skb, RDMAFAULT_A_IFNAME, port->dev->name))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_RULE);
	if (!nest || put_head(skb, dir, rule) ||
	    put_match(skb, &rule->match) ||
	    put_trigger(skb, &rule->trigger) || put_tally(skb, &tally))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
