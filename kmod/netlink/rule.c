// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about rules: new, get, del and flush. Steps that can fail come first. Then
 * all changes of a request are published at once.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../compat/netlink.h"
#include "../rule/params.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"
#include "../trace.h"

static struct sk_buff *rules_new_reply(const struct rf_port *port,
				       const struct rf_batch *batch,
				       struct genl_info *info)
{
	struct sk_buff *skb;
	void *hdr;
	u32 i;

	skb = genlmsg_new((batch->count + 2) * nla_total_size(sizeof(u32)),
			  GFP_KERNEL);
	if (!skb)
		return NULL;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0,
				RDMAFAULT_CMD_RULE_NEW);
	if (!hdr)
		goto full;
	if (nla_put_u32(skb, RDMAFAULT_A_IFINDEX, port->dev->ifindex) ||
	    nla_put_u32(skb, RDMAFAULT_A_GENERATION, port->generation + 1))
		goto full;
	for (i = 0; i < batch->count; i++)
		if (nla_put_u32(skb, RDMAFAULT_A_ID,
				port->last_id + 1 + i))
			goto full;
	genlmsg_end(skb, hdr);
	return skb;

full:
	nlmsg_free(skb);
	return NULL;
}

/* The tracepoint has the attributes of a reply to rule-get. */
static void rules_trace(struct rf_port *port, u32 direction,
			const struct rf_batch *batch)
{
	struct sk_buff *skb;
	u32 i;

	if (!trace_rf_rule_enabled())
		return;
	for (i = 0; i < batch->count; i++) {
		skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
		if (skb && !rf_put_rule(skb, port, direction, batch->rule[i]))
			trace_rf_rule(port->dev, direction, batch->rule[i]->id, skb);
		nlmsg_free(skb);
	}
}

static int rules_refuse(struct genl_info *info)
{
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_RULE],
			    "rule: too many for this port");
	return -ENOSPC;
}

static int rules_check_room(const struct rf_port *port, u32 direction,
			    const struct rf_batch *batch, bool replace,
			    struct genl_info *info)
{
	const struct rf_dir *dir = &port->dir[direction];
	u32 there = rf_port_rules(port);

	if (replace)
		there -= rf_dir_count(dir);
	if (batch->count > RDMAFAULT_RULES_MAX - there)
		return rules_refuse(info);
	if (rf_dir_has_keys(dir, batch->rule, batch->count, replace))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_RULE],
			    "key: the highest possible key is in use, so a new rule cannot get a higher key");
	return -ENOSPC;
}

/* Everything that can fail comes before the rules are published. */
static int rules_publish(struct rf_port *port, u32 direction, struct rf_batch *batch,
			 bool replace, struct genl_info *info)
{
	const struct rf_invalid *invalid;
	struct sk_buff *reply;
	u32 i, owner = 0;
	int err;

	err = rules_check_room(port, direction, batch, replace, info);
	if (err)
		return err;
	for (i = 0; i < batch->count; i++) {
		invalid = rf_actions_fit(batch->rule[i]->action,
					 batch->rule[i]->actions, port->dir[RF_TX].max_hold);
		if (invalid) {
			rf_extack_set(info->extack, invalid->words);
			rf_batch_set_bad_attr(i, info);
			return -EINVAL;
		}
		owner = batch->rule[i]->owner ?: owner;
	}
	err = owner ? rf_ports_begin_lease(genl_info_net(info), owner) : 0;
	if (err)
		return err;
	reply = rules_new_reply(port, batch, info);
	if (!reply)
		return -ENOMEM;
	for (i = 0; i < batch->count; i++)
		batch->rule[i]->id = port->last_id + 1 + i;
	err = rf_port_add_rules(port, direction, batch->rule, batch->count, replace);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	port->last_id += batch->count;
	rf_port_changed(port);
	/* Before rf_port_reap_expired(), which can remove rules. */
	rules_trace(port, direction, batch);
	rf_port_reap_expired(port);
	/* The rules stay, even if the reply cannot be delivered. */
	genlmsg_reply(reply, info);
	return 0;
}

/* Make the netdev a port for its first rules. It isn't one if they are refused. */
static int rules_publish_new(u32 direction, struct rf_batch *batch, bool replace,
			     struct genl_info *info)
{
	struct rf_port *port;
	bool made = false;
	int err;

	rtnl_lock();
	rf_ports_lock(genl_info_net(info));
	port = rf_port_find(genl_info_net(info),
			    nla_get_u32(info->attrs[RDMAFAULT_A_IFINDEX]));
	if (!port) {
		port = rf_netlink_port_new(info);
		made = !IS_ERR(port);
	}
	err = IS_ERR(port) ? PTR_ERR(port) :
	      rules_publish(port, direction, batch, replace, info);
	rf_ports_unlock(genl_info_net(info));
	if (err && made)
		rf_port_end(port);
	rtnl_unlock();
	return err;
}

static u32 batch_flags(struct genl_info *info)
{
	struct nlattr *flags = info->attrs[RDMAFAULT_A_BATCH_FLAGS];

	return flags ? nla_get_u32(flags) : 0;
}

int rdmafault_nl_rule_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	bool replace = batch_flags(info) & RDMAFAULT_BATCH_FLAG_REPLACE;
	struct rf_batch batch;
	struct rf_port *port;
	u32 direction;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_IFINDEX, "ifindex: missing") ?:
	      rf_netlink_require(info, RDMAFAULT_A_DIRECTION, "direction: missing") ?:
	      rf_batch_parse(&batch, info);
	if (err)
		return err;
	direction = nla_get_u32(info->attrs[RDMAFAULT_A_DIRECTION]);
	rf_ports_lock(genl_info_net(info));
	port = rf_port_find(genl_info_net(info),
			    nla_get_u32(info->attrs[RDMAFAULT_A_IFINDEX]));
	if (port)
		err = rules_publish(port, direction, &batch, replace, info);
	rf_ports_unlock(genl_info_net(info));
	if (!port)
		err = rules_publish_new(direction, &batch, replace, info);
	rf_batch_free(&batch, err);
	return err;
}

static struct rf_rule *rule_find(struct rf_port *port, u32 id, u32 *direction)
{
	struct rf_rule *rule = NULL;

	for (*direction = 0; *direction < RF_DIRS; (*direction)++) {
		rule = rf_dir_find(&port->dir[*direction], id);
		if (rule)
			break;
	}
	return rule;
}

static int rule_put_msg(struct sk_buff *skb, struct netlink_callback *cb,
			void *hdr, struct rf_port *port, u32 direction,
			const struct rf_rule *rule)
{
	if (!hdr)
		return -EMSGSIZE;
	if (cb)
		genl_dump_check_consistent(cb, hdr);
	if (rf_put_rule(skb, port, direction, rule)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int rule_reply(struct rf_port *port, struct genl_info *info)
{
	struct nlattr *id = info->attrs[RDMAFAULT_A_ID];
	struct rf_rule *rule;
	struct sk_buff *skb;
	void *hdr;
	u32 direction;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_ID, "id: missing");
	if (err)
		return err;
	rule = rule_find(port, nla_get_u32(id), &direction);
	if (!rule) {
		NL_SET_ERR_MSG_ATTR(info->extack, id, "id: no such rule");
		return -ENOENT;
	}
	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rf_family, 0,
				RDMAFAULT_CMD_RULE_GET);
	if (rule_put_msg(skb, NULL, hdr, port, direction, rule)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	return genlmsg_reply(skb, info);
}

int rdmafault_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : rule_reply(port, info);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

/*
 * A dump continues after the last rule that it has put. It remembers this rule by
 * numbers that only increase: of the port, of the direction and of the rule. So it
 * skips no rule when others are removed in the meantime.
 */
static bool rule_was_dumped(const struct netlink_callback *cb,
			    const struct rf_port *port, u32 direction, u32 id)
{
	if (port->serial != cb->args[0])
		return port->serial < cb->args[0];
	if (direction != cb->args[1])
		return direction < cb->args[1];
	return id <= cb->args[2];
}

static int rule_dump(struct sk_buff *skb, struct netlink_callback *cb,
		     struct rf_port *port, u32 direction, const struct rf_rule *rule)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &rf_family, NLM_F_MULTI, RDMAFAULT_CMD_RULE_GET);
	if (rule_put_msg(skb, cb, hdr, port, direction, rule))
		return -EMSGSIZE;
	cb->args[0] = port->serial;
	cb->args[1] = direction;
	cb->args[2] = rule->id;
	return 0;
}

static int rules_dump_dir(struct sk_buff *skb, struct netlink_callback *cb,
			  struct rf_port *port, u32 direction)
{
	const struct rf_ruleset *rules = rf_dir_rules(&port->dir[direction]);
	int err = 0;
	u32 i;

	for (i = 0; !err && rules && i < rules->count; i++)
		if (!rule_was_dumped(cb, port, direction, rules->rule[i]->id))
			err = rule_dump(skb, cb, port, direction, rules->rule[i]);
	return err;
}

int rdmafault_nl_rule_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct rf_ports *ports = rf_ports(sock_net(cb->skb->sk));
	struct rf_port *port;
	int err;

	err = rf_netlink_dump_check(cb);
	if (err)
		return err;
	mutex_lock(&ports->lock);
	cb->seq = ports->changes + ports->rule_changes;
	list_for_each_entry(port, &ports->list, list) {
		if (!rf_netlink_dump_includes(cb, port))
			continue;
		err = rules_dump_dir(skb, cb, port, RF_TX) ?:
		      rules_dump_dir(skb, cb, port, RF_RX);
		if (err)
			break;
	}
	mutex_unlock(&ports->lock);
	return skb->len;
}

static int rules_mark(struct rf_port *port, struct genl_info *info, bool removed)
{
	struct rf_rule *rule;
	struct nlattr *attr;
	u32 direction;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RDMAFAULT_A_ID)
			continue;
		rule = rule_find(port, nla_get_u32(attr), &direction);
		if (!rule && removed) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "id: no such rule");
			return -ENOENT;
		}
		if (rule)
			rule->removed = removed;
	}
	return 0;
}

int rdmafault_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_port *port;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_ID, "id: missing");
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	port = rf_netlink_port(info);
	err = IS_ERR(port) ? PTR_ERR(port) : rules_mark(port, info, true);
	if (!err)
		rf_port_reap(port);
	else if (!IS_ERR(port))
		rules_mark(port, info, false);
	rf_ports_unlock(genl_info_net(info));
	return err;
}

static void rules_flush_dir(struct rf_dir *dir)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	u32 i;

	for (i = 0; i < rf_dir_count(dir); i++)
		rules->rule[i]->removed = true;
}

static void rules_flush_port(struct rf_port *port, const void *arg)
{
	const struct nlattr *direction = arg;

	if (!direction || nla_get_u32(direction) == RF_TX)
		rules_flush_dir(&port->dir[RF_TX]);
	if (!direction || nla_get_u32(direction) == RF_RX)
		rules_flush_dir(&port->dir[RF_RX]);
	rf_port_reap(port);
}

int rdmafault_nl_rule_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	return rf_netlink_each_port(info, rules_flush_port,
				    info->attrs[RDMAFAULT_A_DIRECTION]);
}
