// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to start and stop storms, and to send one pause frame. The reply of
 * queue-get has their results.
 *
 * A storm without the flag persist is leased like a rule: it ends with the socket that
 * has started it.
 */
#include <net/genetlink.h>

#include "../compat/netlink.h"
#include "../fields.h"
#include "generated/netlink.h"
#include "netlink.h"
#include "../port.h"

static int pause_parse_nest(struct nlattr **tb, struct genl_info *info)
{
	return nla_parse_nested(tb, RDMAFAULT_A_STORM_MAX,
				info->attrs[RDMAFAULT_A_STORM],
				rdmafault_storm_nl_policy, info->extack) ?:
	       rf_refuse_from(tb, RDMAFAULT_A_STORM_RUNNING,
			      RDMAFAULT_A_STORM_MAX, info->extack);
}

static int pause_parse_storm(struct rf_storm_spec *spec, struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_STORM_MAX + 1];
	struct rf_storm_info storm = { };
	const struct rf_invalid *invalid;
	u64 set = 0;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_STORM, "storm: missing") ?:
	      pause_parse_nest(tb, info);
	if (err)
		return err;
	rf_get_fields(&storm, &set, tb, rf_storm_fields, RDMAFAULT_A_STORM_MAX);
	*spec = storm.spec;
	if (spec->flags & RDMAFAULT_STORM_FLAG_FRAMES && !spec->quanta)
		spec->quanta = RDMAFAULT_QUANTA_MAX;
	invalid = rf_storm_validate(spec);
	if (!invalid)
		return 0;
	rf_extack_set(info->extack, invalid->words);
	NL_SET_BAD_ATTR(info->extack, tb[invalid->attr] ?:
			info->attrs[RDMAFAULT_A_STORM]);
	return -EINVAL;
}

int rdmafault_nl_storm_start_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_storm_spec spec;
	struct rf_prioq *q;
	u32 owner;
	int err;

	err = pause_parse_storm(&spec, info);
	if (err)
		return err;
	owner = spec.flags & RDMAFAULT_STORM_FLAG_PERSIST ? 0 :
		info->snd_portid;
	err = owner ? rf_ports_begin_lease(genl_info_net(info), owner) : 0;
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	if (!IS_ERR(q))
		rf_pfc_start_storm(q->pfc, &spec, owner);
	rf_ports_unlock(genl_info_net(info));
	return PTR_ERR_OR_ZERO(q);
}

/* A request to stop storms needs no attribute but their priorities. */
static int pause_parse_prios(u32 *prios, struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_STORM_MAX + 1];
	int err;

	*prios = U8_MAX;
	if (!info->attrs[RDMAFAULT_A_STORM])
		return 0;
	err = pause_parse_nest(tb, info) ?:
	      rf_require(tb, RDMAFAULT_A_STORM_PRIOS, info->attrs[RDMAFAULT_A_STORM],
			 "prios: missing", info->extack);
	if (err)
		return err;
	*prios = nla_get_u32(tb[RDMAFAULT_A_STORM_PRIOS]);
	return 0;
}

int rdmafault_nl_storm_stop_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rf_prioq *q;
	u32 prios;
	int err;

	err = pause_parse_prios(&prios, info);
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	if (!IS_ERR(q))
		rf_pfc_stop_storm(q->pfc, prios);
	rf_ports_unlock(genl_info_net(info));
	return PTR_ERR_OR_ZERO(q);
}

static int pause_parse_frame(struct nlattr **tb, struct genl_info *info)
{
	const struct nlattr *nest = info->attrs[RDMAFAULT_A_PAUSE];

	return rf_netlink_require(info, RDMAFAULT_A_PAUSE, "pause: missing") ?:
	       nla_parse_nested(tb, RDMAFAULT_A_PAUSE_MAX, nest,
				rdmafault_pause_nl_policy, info->extack) ?:
	       rf_refuse_from(tb, RDMAFAULT_A_PAUSE_RECEIVED,
			      RDMAFAULT_A_PAUSE_MAX, info->extack) ?:
	       rf_require(tb, RDMAFAULT_A_PAUSE_PRIOS, nest, "prios: missing",
			  info->extack) ?:
	       rf_require(tb, RDMAFAULT_A_PAUSE_QUANTA, nest, "quanta: missing",
			  info->extack);
}

int rdmafault_nl_pause_send_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_PAUSE_MAX + 1];
	struct rf_prioq *q;
	int err;

	err = pause_parse_frame(tb, info);
	if (err)
		return err;
	rf_ports_lock(genl_info_net(info));
	q = rf_netlink_queue(info);
	err = PTR_ERR_OR_ZERO(q);
	if (!err)
		err = rf_pfc_send_once(q->pfc,
				       nla_get_u32(tb[RDMAFAULT_A_PAUSE_PRIOS]),
				       nla_get_u32(tb[RDMAFAULT_A_PAUSE_QUANTA]));
	rf_ports_unlock(genl_info_net(info));
	if (err == -ENETDOWN)
		NL_SET_ERR_MSG(info->extack, "netdev is down or has no carrier");
	return err;
}
