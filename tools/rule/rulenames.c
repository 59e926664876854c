// SPDX-License-Identifier: GPL-2.0
/* Names of the values in a rule. The command line, JSON and reports use these names. */
#include <assert.h>
#include <string.h>

#include "rule.h"
#include "words.h"

/* The counters of matching packets that were not hit */
const char *const rf_miss_names[RF_MISSES] = {
	"window", "order", "chance", "once", "count"
};

const struct rf_name rf_class_names[] = {
	{ "send", RDMAFAULT_CLASS_SEND },
	{ "write", RDMAFAULT_CLASS_WRITE },
	{ "read-request", RDMAFAULT_CLASS_READ_REQUEST },
	{ "read-response", RDMAFAULT_CLASS_READ_RESPONSE },
	{ "atomic", RDMAFAULT_CLASS_ATOMIC },
	{ "ack", RDMAFAULT_CLASS_ACK },
	{ "nak", RDMAFAULT_CLASS_NAK },
	{ "rnr", RDMAFAULT_CLASS_RNR },
	{ "cnp", RDMAFAULT_CLASS_CNP },
	{ "cm", RDMAFAULT_CLASS_CM },
	{ }
};

const struct rf_name rf_position_names[] = {
	{ "first", RDMAFAULT_POSITION_FIRST },
	{ "middle", RDMAFAULT_POSITION_MIDDLE },
	{ "last", RDMAFAULT_POSITION_LAST },
	{ "only", RDMAFAULT_POSITION_ONLY },
	{ }
};

const struct rf_name rf_cm_names[] = {
	{ "req", RDMAFAULT_CM_REQ },
	{ "mra", RDMAFAULT_CM_MRA },
	{ "rej", RDMAFAULT_CM_REJ },
	{ "rep", RDMAFAULT_CM_REP },
	{ "rtu", RDMAFAULT_CM_RTU },
	{ "dreq", RDMAFAULT_CM_DREQ },
	{ "drep", RDMAFAULT_CM_DREP },
	{ "sidr-req", RDMAFAULT_CM_SIDR_REQ },
	{ "sidr-rep", RDMAFAULT_CM_SIDR_REP },
	{ "lap", RDMAFAULT_CM_LAP },
	{ "apr", RDMAFAULT_CM_APR },
	{ }
};

const struct rf_name rf_ecn_names[] = {
	{ "not-ect", RDMAFAULT_ECN_NOT_ECT },
	{ "ect1", RDMAFAULT_ECN_ECT1 },
	{ "ect0", RDMAFAULT_ECN_ECT0 },
	{ "ce", RDMAFAULT_ECN_CE },
	{ }
};

/*
 * Values of the ECN field (RFC 3168, section 5). rf_ecn_names has the same names, but each
 * value is one bit of a mask.
 */
const struct rf_name rf_codepoint_names[] = {
	{ "not-ect", 0 },
	{ "ect1", 1 },
	{ "ect0", 2 },
	{ "ce", 3 },
	{ }
};

const struct rf_name rf_once_names[] = {
	{ "flow", RDMAFAULT_ONCE_FLOW },
	{ "qp", RDMAFAULT_ONCE_QP },
	{ "step", RDMAFAULT_ONCE_STEP },
	{ }
};

const struct rf_name rf_action_names[] = {
	{ "drop", RDMAFAULT_ACTION_DROP },
	{ "observe", RDMAFAULT_ACTION_OBSERVE },
	{ "delay", RDMAFAULT_ACTION_DELAY },
	{ "reorder", RDMAFAULT_ACTION_REORDER },
	{ "duplicate", RDMAFAULT_ACTION_DUPLICATE },
	{ "corrupt", RDMAFAULT_ACTION_CORRUPT },
	{ "truncate", RDMAFAULT_ACTION_TRUNCATE },
	{ "mark", RDMAFAULT_ACTION_MARK },
	{ "rewrite", RDMAFAULT_ACTION_REWRITE },
	{ "nak", RDMAFAULT_ACTION_NAK },
	{ "rnr", RDMAFAULT_ACTION_RNR },
	{ "blackhole", RDMAFAULT_ACTION_BLACKHOLE },
	{ "trim", RDMAFAULT_ACTION_TRIM },
	{ }
};

/* The last entry ends the table. */
static_assert(sizeof(rf_action_names) / sizeof(*rf_action_names) ==
	      RDMAFAULT_ACTION_MAX + 2, "every action");

const struct rf_name rf_distribution_names[] = {
	{ "uniform", RDMAFAULT_DISTRIBUTION_UNIFORM },
	{ "normal", RDMAFAULT_DISTRIBUTION_NORMAL },
	{ "pareto", RDMAFAULT_DISTRIBUTION_PARETO },
	{ }
};

const struct rf_name rf_unit_names[] = {
	{ "bit", RDMAFAULT_UNIT_BIT },
	{ "byte", RDMAFAULT_UNIT_BYTE },
	{ "icrc", RDMAFAULT_UNIT_ICRC },
	{ "payload", RDMAFAULT_UNIT_PAYLOAD },
	{ }
};

const struct rf_name rf_not_ect_names[] = {
	{ "leave", RDMAFAULT_NOT_ECT_LEAVE },
	{ "mark", RDMAFAULT_NOT_ECT_MARK },
	{ "drop", RDMAFAULT_NOT_ECT_DROP },
	{ }
};

/* NAK codes of the AETH (IBTA vol. 1, table 50). */
const struct rf_name rf_nak_names[] = {
	{ "psn-sequence", 0 },
	{ "invalid-request", 1 },
	{ "remote-access", 2 },
	{ "remote-operational", 3 },
	{ "invalid-rd", 4 },
	{ }
};

const struct rf_name rf_dir_names[] = {
	{ "tx", RDMAFAULT_DIRECTION_TX },
	{ "rx", RDMAFAULT_DIRECTION_RX },
	{ }
};

/**
 * rf_dir_parse - parse a direction
 * @s: "tx" or "rx"
 * @dir: gets the enum rdmafault_direction
 *
 * Return: 0, or -EINVAL.
 */
int rf_dir_parse(const char *s, uint32_t *dir)
{
	return rf_name_value(rf_dir_names, s, strlen(s), dir);
}

/**
 * rf_dir_name - get the word for a direction
 * @dir: enum rdmafault_direction
 *
 * Return: "tx" or "rx".
 */
const char *rf_dir_name(uint32_t dir)
{
	const char *name = rf_value_name(rf_dir_names, dir);

	return name ? name : "unknown";
}

/**
 * rf_action_name - get the word for an action
 * @action: enum rdmafault_action
 *
 * Return: the word.
 */
const char *rf_action_name(uint32_t action)
{
	const char *name = rf_value_name(rf_action_names, action);

	return name ? name : "unknown";
}
