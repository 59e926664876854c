// SPDX-License-Identifier: GPL-2.0
/*
 * Whether an action can be meant: it has the attributes that its type wants,
 * and none that its type doesn't take. Ranges of single attributes have been
 * checked by the netlink policy.
 */
#include "fault_check.h"

/* Of a packet that waits for others, unless it is told otherwise: 100 ms. */
#define REORDER_WITHIN	100000000ULL

#define FOREIGN(attr, name) \
	[RDMAFAULT_A_ACTION_ ## attr] = name ": not for this action"

static const char *const foreign[RDMAFAULT_A_ACTION_MAX + 1] = {
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

/**
 * rf_check_foreign - an attribute or flag that the type doesn't take
 * @action: the action
 * @takes: bits of the attributes that it takes
 * @flags: flags that it takes
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_foreign(const struct rf_action *action, u64 takes,
			     u32 flags)
{
	u64 others = action->set & ~takes;
	int attr;

	if (action->flags & ~flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER)
		return "flags: keep-order is for delay";
	if (action->flags & ~flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		return "flags: valid-icrc is for corrupt and truncate";
	if (action->flags & ~flags & RDMAFAULT_ACTION_FLAG_BOTH)
		return "flags: both is for blackhole";
	for (attr = 0; attr <= RDMAFAULT_A_ACTION_MAX; attr++)
		if (others & BIT_ULL(attr))
			return foreign[attr];
	return NULL;
}

/**
 * rf_check_delay - what is wrong with a delay
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_delay(const struct rf_action *action)
{
	if (!RF_ACTION_HAS(action, DELAY))
		return "delay: missing";
	if (RF_ACTION_HAS(action, JITTER_CORRELATION) && !action->jitter)
		return "jitter-correlation: there is no jitter";
	if (RF_ACTION_HAS(action, DISTRIBUTION) && !action->jitter)
		return "distribution: there is no jitter";
	return NULL;
}

/**
 * rf_check_reorder - what is wrong with a reorder
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_reorder(const struct rf_action *action)
{
	int ways = RF_ACTION_HAS(action, DISTANCE) +
		   RF_ACTION_HAS(action, BEHIND_PSN) +
		   RF_ACTION_HAS(action, BEHIND_PSN_REL);

	if (!ways)
		return "distance: missing, and so is a PSN to come behind";
	if (ways > 1)
		return "distance, behind-psn, behind-psn-rel: more than one of them";
	return NULL;
}

/**
 * rf_check_corrupt - what is wrong with a corrupt
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_corrupt(const struct rf_action *action)
{
	bool bits = action->unit == RDMAFAULT_UNIT_BIT ||
		    action->unit == RDMAFAULT_UNIT_ICRC;

	if (!RF_ACTION_HAS(action, UNIT))
		return "unit: missing";
	if (bits && RF_ACTION_HAS(action, VALUE))
		return "value: a bit has none";
	if (action->unit != RDMAFAULT_UNIT_ICRC)
		return NULL;
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		return "flags: valid-icrc would undo the change of the ICRC";
	if (action->offset > 31)
		return "offset: the ICRC has bits 0 to 31";
	return NULL;
}

/**
 * rf_check_truncate - what is wrong with a truncate
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_truncate(const struct rf_action *action)
{
	return RF_ACTION_HAS(action, LENGTH) ? NULL : "length: missing";
}

/**
 * rf_check_rewrite - what is wrong with a rewrite
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_rewrite(const struct rf_action *action)
{
	return action->set & RF_REWRITE_FIELDS ? NULL :
						 "rewrite: no field is set";
}

/**
 * rf_check_nak - what is wrong with a nak
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_nak(const struct rf_action *action)
{
	if (!RF_ACTION_HAS(action, CODE))
		return "code: missing";
	if (action->code > 4)
		return "code: a NAK has 0 to 4";
	return NULL;
}

/**
 * rf_check_blackhole - what is wrong with a blackhole
 * @action: the action
 *
 * Return: what is wrong, or NULL.
 */
const char *rf_check_blackhole(const struct rf_action *action)
{
	return action->delay ? NULL : "delay: missing";
}

/**
 * rf_reorder_within - how long a packet waits for others, at most
 * @action: a reorder
 *
 * Return: nanoseconds.
 */
u64 rf_reorder_within(const struct rf_action *action)
{
	return RF_ACTION_HAS(action, DELAY) ? action->delay : REORDER_WITHIN;
}

/**
 * rf_check_holding - how long an action asks for a packet to be held
 * @action: the action
 *
 * A jitter that is normal or has a tail may draw more; the hold cuts it.
 *
 * Return: nanoseconds.
 */
u64 rf_check_holding(const struct rf_action *action)
{
	switch (action->type) {
	case RDMAFAULT_ACTION_DELAY:
		return action->delay + action->jitter;
	case RDMAFAULT_ACTION_REORDER:
		return rf_reorder_within(action);
	case RDMAFAULT_ACTION_DUPLICATE:
		return action->delay;
	default:
		return 0;
	}
}
