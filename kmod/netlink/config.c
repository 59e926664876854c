// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing the configuration of a port from netlink attributes. The generated
 * policies have checked types and ranges before. A request changes a copy of the
 * port's configuration. If the changed copy isn't valid, the request is refused,
 * and the extack has the reason and the attribute.
 */
#include <net/genetlink.h>

#include "../compat/netlink.h"
#include "../queue/config.h"
#include "../fields.h"
#include "generated/netlink.h"
#include "netlink.h"

/**
 * rf_refuse_from - refuse the attributes that are only allowed in replies
 * @tb: attributes of a nest
 * @first: the first attribute to refuse; these attributes are the last ones of
 *	each set
 * @max: the last attribute of the set
 * @extack: set to the reason
 *
 * Return: 0 or -EINVAL.
 */
int rf_refuse_from(struct nlattr **tb, int first, int max,
		   struct netlink_ext_ack *extack)
{
	int attr;

	for (attr = first; attr <= max; attr++) {
		if (!tb[attr])
			continue;
		NL_SET_ERR_MSG_ATTR(extack, tb[attr],
				    "netlink attribute queue: only allowed in replies");
		return -EINVAL;
	}
	return 0;
}

static int conf_refuse_both(const struct nlattr *value, const struct nlattr *none,
			    const char *words, struct netlink_ext_ack *extack)
{
	if (!value || !none)
		return 0;
	rf_extack_set(extack, words);
	NL_SET_BAD_ATTR(extack, none);
	return -EINVAL;
}

/**
 * rf_require - require an attribute in a nest
 * @tb: attributes of the nest
 * @attr: the required attribute
 * @nest: the nest
 * @words: the message if the attribute is missing
 * @extack: set to the message
 *
 * Return: 0 or -EINVAL.
 */
int rf_require(struct nlattr **tb, int attr, const struct nlattr *nest,
	       const char *words, struct netlink_ext_ack *extack)
{
	if (!NL_REQ_ATTR_CHECK(extack, nest, tb, attr))
		return 0;
	rf_extack_set(extack, words);
	return -EINVAL;
}

/**
 * rf_conf_parse_link - parse the attributes of a link
 * @link: configuration of the link; undefined after a failure
 * @nest: attributes of the set "link", which are also the options of the qdisc
 * @extack: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int rf_conf_parse_link(struct rf_link_conf *link, const struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_LINK_MAX + 1];
	u64 set = 0;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_LINK_MAX, nest,
			       rdmafault_link_nl_policy, extack) ?:
	      rf_refuse_from(tb, RDMAFAULT_A_LINK_IN_FLIGHT,
			     RDMAFAULT_A_LINK_MAX, extack) ?:
	      conf_refuse_both(tb[RDMAFAULT_A_LINK_RATE],
			       tb[RDMAFAULT_A_LINK_NO_RATE],
			       "no-rate: not allowed with a rate", extack);
	if (err)
		return err;
	rf_get_fields(link, &set, tb, rf_link_fields, RDMAFAULT_A_LINK_MAX);
	if (tb[RDMAFAULT_A_LINK_NO_RATE])
		link->rate = 0;
	return 0;
}

static int conf_parse_buffer(struct rf_conf *conf, const struct nlattr *nest,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_BUFFER_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_BUFFER_MAX, nest,
			       rdmafault_buffer_nl_policy, extack) ?:
	      rf_refuse_from(tb, RDMAFAULT_A_BUFFER_USED,
			     RDMAFAULT_A_BUFFER_MAX, extack) ?:
	      conf_refuse_both(tb[RDMAFAULT_A_BUFFER_SIZE],
			       tb[RDMAFAULT_A_BUFFER_NO_SIZE],
			       "no-size: not allowed with a size", extack);
	if (err)
		return err;
	if (tb[RDMAFAULT_A_BUFFER_SIZE])
		conf->buffer = nla_get_u64(tb[RDMAFAULT_A_BUFFER_SIZE]);
	if (tb[RDMAFAULT_A_BUFFER_NO_SIZE])
		conf->buffer = 0;
	return 0;
}

static int conf_parse_ecn(struct rf_ecn_conf *ecn, const struct nlattr *nest,
			  struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_ECN_MAX + 1];
	u64 set = 0;
	int err;

	if (!nest)
		return 0;
	err = nla_parse_nested(tb, RDMAFAULT_A_ECN_MAX, nest,
			       rdmafault_ecn_nl_policy, extack);
	if (err)
		return err;
	rf_get_fields(ecn, &set, tb, rf_ecn_fields, RDMAFAULT_A_ECN_MAX);
	return 0;
}

static int conf_parse_prio(struct rf_conf *conf, const struct nlattr *nest,
			   struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_PRIO_MAX + 1];
	struct rf_prio_conf *prio;
	u64 set = 0;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_PRIO_MAX, nest,
			       rdmafault_prio_nl_policy, extack) ?:
	      rf_refuse_from(tb, RDMAFAULT_A_PRIO_STATS,
			     RDMAFAULT_A_PRIO_MAX, extack) ?:
	      rf_require(tb, RDMAFAULT_A_PRIO_PRIO, nest, "prio: missing", extack);
	if (err)
		return err;
	prio = &conf->prio[nla_get_u32(tb[RDMAFAULT_A_PRIO_PRIO])];
	rf_get_fields(prio, &set, tb, rf_prio_fields, RDMAFAULT_A_PRIO_MAX);
	return conf_parse_ecn(&prio->ecn, tb[RDMAFAULT_A_PRIO_ECN], extack);
}

static int conf_parse_dscp_prio(struct rf_conf *conf, const struct nlattr *nest,
				struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_DSCP_PRIO_MAX + 1];
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_DSCP_PRIO_MAX, nest,
			       rdmafault_dscp_prio_nl_policy, extack) ?:
	      rf_require(tb, RDMAFAULT_A_DSCP_PRIO_DSCP, nest, "dscp: missing",
			 extack) ?:
	      rf_require(tb, RDMAFAULT_A_DSCP_PRIO_PRIO, nest, "prio: missing",
			 extack);
	if (err)
		return err;
	conf->dscp_prio[nla_get_u32(tb[RDMAFAULT_A_DSCP_PRIO_DSCP])] =
		nla_get_u32(tb[RDMAFAULT_A_DSCP_PRIO_PRIO]);
	return 0;
}

static int conf_parse_watchdog(struct rf_conf *conf, const struct nlattr *nest,
			       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_WATCHDOG_MAX + 1];
	u64 set = 0;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_WATCHDOG_MAX, nest,
			       rdmafault_watchdog_nl_policy, extack);
	if (err)
		return err;
	rf_get_fields(&conf->watchdog, &set, tb, rf_watchdog_fields,
		      RDMAFAULT_A_WATCHDOG_MAX);
	return 0;
}

static int conf_parse_dcqcn(struct rf_conf *conf, const struct nlattr *nest,
			    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RDMAFAULT_A_DCQCN_MAX + 1];
	u64 set = 0;
	int err;

	err = nla_parse_nested(tb, RDMAFAULT_A_DCQCN_MAX, nest,
			       rdmafault_dcqcn_nl_policy, extack);
	if (err)
		return err;
	rf_get_fields(&conf->dcqcn, &set, tb, rf_dcqcn_fields, RDMAFAULT_A_DCQCN_MAX);
	return 0;
}

/* Return: 1 for an attribute that isn't part of the configuration. */
static int conf_parse_attr(struct rf_conf *conf, const struct nlattr *attr,
			   struct netlink_ext_ack *extack)
{
	switch (nla_type(attr)) {
	case RDMAFAULT_A_LINK:
		return rf_conf_parse_link(&conf->link, attr, extack);
	case RDMAFAULT_A_BUFFER:
		return conf_parse_buffer(conf, attr, extack);
	case RDMAFAULT_A_PRIO:
		return conf_parse_prio(conf, attr, extack);
	case RDMAFAULT_A_DSCP_PRIO:
		return conf_parse_dscp_prio(conf, attr, extack);
	case RDMAFAULT_A_WATCHDOG:
		return conf_parse_watchdog(conf, attr, extack);
	case RDMAFAULT_A_DCQCN:
		return conf_parse_dcqcn(conf, attr, extack);
	default:
		return 1;
	}
}

static bool conf_is_prio(const struct nlattr *attr, u32 prio)
{
	const struct nlattr *number;

	number = nla_find_nested(attr, RDMAFAULT_A_PRIO_PRIO);
	return prio == RDMAFAULT_PRIOS || nla_get_u32(number) == prio;
}

/* Return: the invalid attribute in a top-level attribute, or NULL. */
static const struct nlattr *conf_bad_attr(const struct nlattr *attr,
					  const struct rf_invalid *invalid, u32 prio)
{
	const struct nlattr *nest = attr;

	if (nla_type(attr) == RDMAFAULT_A_PRIO && !conf_is_prio(attr, prio))
		return NULL;
	if (nla_type(attr) == RDMAFAULT_A_PRIO &&
	    invalid->nest == RDMAFAULT_A_PRIO_ECN)
		nest = nla_find_nested(attr, RDMAFAULT_A_PRIO_ECN);
	else if (nla_type(attr) != invalid->nest)
		return NULL;
	return nest ? nla_find_nested(nest, invalid->attr) ?: nest : attr;
}

/*
 * Set the last invalid attribute in the extack. If the request doesn't have the
 * priority with the invalid value, the size of the buffer made the value invalid.
 */
static int conf_refuse_invalid(const struct rf_invalid *invalid, u32 prio,
			       struct genl_info *info)
{
	const struct nlattr *attr, *bad = NULL;
	int rem;

	if (!invalid)
		return 0;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		bad = conf_bad_attr(attr, invalid, prio) ?: bad;
	rf_extack_set(info->extack, invalid->words);
	NL_SET_BAD_ATTR(info->extack, bad ?: info->attrs[RDMAFAULT_A_BUFFER]);
	return -EINVAL;
}

/**
 * rf_conf_parse - apply a request to a configuration
 * @conf: a copy of the port's configuration; undefined after a failure
 * @info: the request
 *
 * Return: 0, or -EINVAL with the reason in the extack.
 */
int rf_conf_parse(struct rf_conf *conf, struct genl_info *info)
{
	const struct rf_invalid *invalid;
	const struct nlattr *attr;
	bool found = false;
	int rem, err;
	u32 prio;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		err = conf_parse_attr(conf, attr, info->extack);
		if (err < 0)
			return err;
		found |= !err;
	}
	if (!found) {
		NL_SET_ERR_MSG(info->extack,
			       "setting missing; link, buffer, prio, dscp-prio, watchdog or dcqcn");
		return -EINVAL;
	}
	rf_conf_complete(conf);
	invalid = rf_conf_validate(conf, &prio);
	return conf_refuse_invalid(invalid, prio, info);
}
