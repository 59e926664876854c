// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rdmafault.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink.h"

#include <uapi/rdmafault/rdmafault.h>

/* Integer value ranges */
static const struct netlink_range_validation rdmafault_a_match_qp_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_rel_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

/* Common nested types */
const struct nla_policy rdmafault_match_nl_policy[RDMAFAULT_A_MATCH_STEP + 1] = {
	[RDMAFAULT_A_MATCH_QP] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_qp_range),
	[RDMAFAULT_A_MATCH_PSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_range),
	[RDMAFAULT_A_MATCH_PSN_REL] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_rel_range),
	[RDMAFAULT_A_MATCH_OPCODE] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_MATCH_CLASS] = NLA_POLICY_MASK(NLA_U32, 0x3ff),
	[RDMAFAULT_A_MATCH_POSITION] = NLA_POLICY_MASK(NLA_U32, 0xf),
	[RDMAFAULT_A_MATCH_PASS_MIN] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_PASS_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_STEP] = { .type = NLA_U32, },
};

const struct nla_policy rdmafault_rule_nl_policy[RDMAFAULT_A_RULE_OWNER + 1] = {
	[RDMAFAULT_A_RULE_ID] = { .type = NLA_U32, },
	[RDMAFAULT_A_RULE_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_RULE_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x3),
	[RDMAFAULT_A_RULE_MATCH] = NLA_POLICY_NESTED(rdmafault_match_nl_policy),
	[RDMAFAULT_A_RULE_NTH] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_RULE_COUNT] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_RULE_ACTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_RULE_MATCHED] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_HITS] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_OWNER] = { .type = NLA_U32, },
};

/* RDMAFAULT_CMD_PORT_GET - do */
const struct nla_policy rdmafault_port_get_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_STEP_SET - do */
const struct nla_policy rdmafault_step_set_nl_policy[RDMAFAULT_A_STEP + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_STEP] = { .type = NLA_U32, },
};

/* RDMAFAULT_CMD_RULE_NEW - do */
const struct nla_policy rdmafault_rule_new_nl_policy[RDMAFAULT_A_BATCH_FLAGS + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_BATCH_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x1),
	[RDMAFAULT_A_RULE] = NLA_POLICY_NESTED(rdmafault_rule_nl_policy),
};

/* RDMAFAULT_CMD_RULE_GET - do */
const struct nla_policy rdmafault_rule_get_nl_policy[RDMAFAULT_A_ID + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_RULE_DEL - do */
const struct nla_policy rdmafault_rule_del_nl_policy[RDMAFAULT_A_ID + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_RULE_FLUSH - do */
const struct nla_policy rdmafault_rule_flush_nl_policy[RDMAFAULT_A_DIRECTION + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
};

/* Ops table for rdmafault */
const struct genl_ops rdmafault_nl_ops[6] = {
	{
		.cmd		= RDMAFAULT_CMD_PORT_GET,
		.doit		= rdmafault_nl_port_get_doit,
		.dumpit		= rdmafault_nl_port_get_dumpit,
		.policy		= rdmafault_port_get_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
	},
	{
		.cmd		= RDMAFAULT_CMD_STEP_SET,
		.doit		= rdmafault_nl_step_set_doit,
		.policy		= rdmafault_step_set_nl_policy,
		.maxattr	= RDMAFAULT_A_STEP,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_NEW,
		.doit		= rdmafault_nl_rule_new_doit,
		.policy		= rdmafault_rule_new_nl_policy,
		.maxattr	= RDMAFAULT_A_BATCH_FLAGS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_GET,
		.doit		= rdmafault_nl_rule_get_doit,
		.dumpit		= rdmafault_nl_rule_get_dumpit,
		.policy		= rdmafault_rule_get_nl_policy,
		.maxattr	= RDMAFAULT_A_ID,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_DEL,
		.doit		= rdmafault_nl_rule_del_doit,
		.policy		= rdmafault_rule_del_nl_policy,
		.maxattr	= RDMAFAULT_A_ID,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_FLUSH,
		.doit		= rdmafault_nl_rule_flush_doit,
		.policy		= rdmafault_rule_flush_nl_policy,
		.maxattr	= RDMAFAULT_A_DIRECTION,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
};
