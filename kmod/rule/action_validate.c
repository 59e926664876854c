// SPDX-License-Identifier: GPL-2.0
/*
 * Actions that say half of something, or what their type doesn't take. Ranges
 * of single attributes have been checked by the netlink policy.
 */
#include <linux/bits.h>
#include <linux/stddef.h>

#include "invalid.h"
#include "params.h"

#define ATTR(attr)	RF_ACTION_BIT(attr)
#define FLAG(flag)	RDMAFAULT_ACTION_FLAG_ ## flag
#define REWRITE	(ATTR(OPCODE) | ATTR(QP) | ATTR(PSN) | ATTR(PKEY) | ATTR(RKEY) | \
		 ATTR(DMA_LENGTH) | ATTR(SYNDROME) | ATTR(MSN))

/* What each type takes beside type and flags, and which flags. */
static const struct {
	u64 attrs;
	u32 flags;
} takes[] = {
	[RDMAFAULT_ACTION_DROP] = { 0 },
	[RDMAFAULT_ACTION_OBSERVE] = { 0 },
	[RDMAFAULT_ACTION_DELAY] = {
		ATTR(DELAY) | ATTR(JITTER) | ATTR(JITTER_CORRELATION) |
		ATTR(DISTRIBUTION), FLAG(KEEP_ORDER),
	},
	[RDMAFAULT_ACTION_REORDER] = {
		ATTR(DELAY) | ATTR(DISTANCE) | ATTR(BEHIND_PSN) |
		ATTR(BEHIND_PSN_REL),
	},
	[RDMAFAULT_ACTION_DUPLICATE] = { ATTR(DELAY) | ATTR(COPIES) },
	[RDMAFAULT_ACTION_CORRUPT] = {
		ATTR(UNIT) | ATTR(OFFSET) | ATTR(VALUE), FLAG(VALID_ICRC),
	},
	[RDMAFAULT_ACTION_TRUNCATE] = { ATTR(LENGTH), FLAG(VALID_ICRC) },
	[RDMAFAULT_ACTION_MARK] = { ATTR(ECN) | ATTR(NOT_ECT) },
	[RDMAFAULT_ACTION_REWRITE] = { REWRITE },
	[RDMAFAULT_ACTION_NAK] = { ATTR(CODE) | ATTR(PEER_QP) },
	[RDMAFAULT_ACTION_RNR] = { ATTR(CODE) | ATTR(PEER_QP) },
	[RDMAFAULT_ACTION_BLACKHOLE] = { ATTR(DELAY), FLAG(BOTH) },
};

static bool foreign_flag(const struct rf_action *a, u32 flag)
{
	return a->flags & ~takes[a->type].flags & flag;
}

static bool foreign_keep_order(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(KEEP_ORDER));
}

static bool foreign_valid_icrc(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(VALID_ICRC));
}

static bool foreign_both(const struct rf_action *a)
{
	return foreign_flag(a, FLAG(BOTH));
}

static bool delay_missing(const struct rf_action *a)
{
	return (a->type == RDMAFAULT_ACTION_DELAY &&
		!RF_ACTION_HAS(a, DELAY)) ||
	       (a->type == RDMAFAULT_ACTION_BLACKHOLE && !a->delay);
}

static bool correlation_of_nothing(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, JITTER_CORRELATION) && !a->jitter;
}

static bool distribution_of_nothing(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, DISTRIBUTION) && !a->jitter;
}

static int reorder_ways(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, DISTANCE) + RF_ACTION_HAS(a, BEHIND_PSN) +
	       RF_ACTION_HAS(a, BEHIND_PSN_REL);
}

static bool distance_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_REORDER && !reorder_ways(a);
}

static bool distance_and_behind(const struct rf_action *a)
{
	return reorder_ways(a) > 1;
}

static bool unit_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_CORRUPT && !RF_ACTION_HAS(a, UNIT);
}

static bool value_of_bit(const struct rf_action *a)
{
	return RF_ACTION_HAS(a, VALUE) && (a->unit == RDMAFAULT_UNIT_BIT ||
					   a->unit == RDMAFAULT_UNIT_ICRC);
}

static bool is_icrc(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_CORRUPT &&
	       a->unit == RDMAFAULT_UNIT_ICRC;
}

static bool icrc_made_valid(const struct rf_action *a)
{
	return is_icrc(a) && a->flags & FLAG(VALID_ICRC);
}

static bool icrc_offset_too_big(const struct rf_action *a)
{
	return is_icrc(a) && a->offset > 31;
}

static bool length_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_TRUNCATE &&
	       !RF_ACTION_HAS(a, LENGTH);
}

static bool nothing_to_rewrite(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_REWRITE && !(a->set & REWRITE);
}

static bool code_missing(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_NAK && !RF_ACTION_HAS(a, CODE);
}

static bool code_too_big(const struct rf_action *a)
{
	return a->type == RDMAFAULT_ACTION_NAK && a->code > 4;
}

static const struct {
	bool (*is_there)(const struct rf_action *a);
	struct rf_invalid invalid;
} checks[] = {
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_ACTION_ ## name, .words = text } }
	INVALID(foreign_keep_order, FLAGS, "flags: keep-order is only for delay"),
	INVALID(foreign_valid_icrc, FLAGS,
		"flags: valid-icrc is only for corrupt and truncate"),
	INVALID(foreign_both, FLAGS, "flags: both is only for blackhole"),
	INVALID(delay_missing, TYPE, "delay: missing"),
	INVALID(correlation_of_nothing, JITTER_CORRELATION,
		"jitter-correlation: requires jitter"),
	INVALID(distribution_of_nothing, DISTRIBUTION,
		"distribution: requires jitter"),
	INVALID(distance_missing, TYPE,
		"distance: missing; or behind-psn or behind-psn-rel"),
	INVALID(distance_and_behind, TYPE,
		"distance, behind-psn, behind-psn-rel: only one is allowed"),
	INVALID(unit_missing, TYPE, "unit: missing"),
	INVALID(value_of_bit, VALUE, "value: not allowed for unit bit"),
	INVALID(icrc_made_valid, FLAGS,
		"flags: valid-icrc not allowed for unit icrc"),
	INVALID(icrc_offset_too_big, OFFSET, "offset: out of range; 0 to 31 for unit icrc"),
	INVALID(length_missing, TYPE, "length: missing"),
	INVALID(nothing_to_rewrite, TYPE, "rewrite: no field is given"),
	INVALID(code_missing, TYPE, "code: missing"),
	INVALID(code_too_big, CODE, "code: out of range; 0 to 4 for a NAK"),
};

#define FOREIGN(attr, name)						\
	[RDMAFAULT_A_ACTION_ ## attr] = {				\
		RDMAFAULT_A_ACTION_ ## attr, name ": not for this action", \
	}

static const struct rf_invalid foreign[RDMAFAULT_A_ACTION_MAX + 1] = {
	FOREIGN(DELAY, "delay"),
	FOREIGN(JITTER, "jitter"),
	FOREIGN(JITTER_CORRELATION, "jitter-correlation"),
	FOREIGN(DISTRIBUTION, "distribution"),
	FOREIGN(DISTANCE, "distance"),
	FOREIGN(BEHIND_PSN, "behind-psn"),
	FOREIGN(BEHIND_PSN_REL, "behind-psn-rel"),
	FOREIGN(COPIES, "copies"),
	FOREIGN(UNIT, "unit"),
	FOREIGN(OFFSET, "offset"),
	FOREIGN(VALUE, "value"),
	FOREIGN(LENGTH, "length"),
	FOREIGN(ECN, "ecn"),
	FOREIGN(NOT_ECT, "not-ect"),
	FOREIGN(CODE, "code"),
	FOREIGN(PEER_QP, "peer-qp"),
	FOREIGN(OPCODE, "opcode"),
	FOREIGN(QP, "qp"),
	FOREIGN(PSN, "psn"),
	FOREIGN(PKEY, "pkey"),
	FOREIGN(RKEY, "rkey"),
	FOREIGN(DMA_LENGTH, "dma-length"),
	FOREIGN(SYNDROME, "syndrome"),
	FOREIGN(MSN, "msn"),
};

static const struct rf_invalid *foreign_attr(const struct rf_action *a)
{
	u64 others = a->set & ~takes[a->type].attrs;
	int attr;

	for (attr = 0; attr <= RDMAFAULT_A_ACTION_MAX; attr++)
		if (foreign[attr].words && others & BIT_ULL(attr))
			return &foreign[attr];
	return NULL;
}

/**
 * rf_action_validate - is there anything that can't be meant?
 * @action: the action
 *
 * Context: any.
 * Return: what is invalid first, or NULL.
 */
const struct rf_invalid *rf_action_validate(const struct rf_action *action)
{
	size_t i;

	if (foreign_attr(action))
		return foreign_attr(action);
	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (checks[i].is_there(action))
			return &checks[i].invalid;
	return NULL;
}
