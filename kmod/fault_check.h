/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_CHECK_H
#define RF_FAULT_CHECK_H

#include "action.h"

/* The fields that rewrite may set. */
#define RF_REWRITE_FIELDS						\
	(RF_ACTION_BIT(OPCODE) | RF_ACTION_BIT(QP) | RF_ACTION_BIT(PSN) | \
	 RF_ACTION_BIT(PKEY) | RF_ACTION_BIT(RKEY) |			\
	 RF_ACTION_BIT(DMA_LENGTH) | RF_ACTION_BIT(SYNDROME) |		\
	 RF_ACTION_BIT(MSN))

/* Each returns what is wrong, or NULL. */
const char *rf_check_foreign(const struct rf_action *action, u64 takes,
			     u32 flags);
const char *rf_check_delay(const struct rf_action *action);
const char *rf_check_reorder(const struct rf_action *action);
const char *rf_check_corrupt(const struct rf_action *action);
const char *rf_check_truncate(const struct rf_action *action);
const char *rf_check_rewrite(const struct rf_action *action);
const char *rf_check_nak(const struct rf_action *action);
const char *rf_check_blackhole(const struct rf_action *action);

u64 rf_check_holding(const struct rf_action *action);
u64 rf_reorder_within(const struct rf_action *action);

#endif
