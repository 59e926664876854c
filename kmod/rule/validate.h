/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_VALIDATE_H
#define RF_RULE_VALIDATE_H

#include "../invalid.h"
#include "match.h"
#include "params.h"

void rf_trigger_complete(struct rf_trigger *trigger);
const struct rf_invalid *rf_match_validate(const struct rf_match *match);
const struct rf_invalid *rf_trigger_validate(const struct rf_trigger *trigger);
const struct rf_invalid *rf_action_validate(const struct rf_action *action);
const struct rf_invalid *rf_actions_validate(const struct rf_action *action, u32 count,
					     u32 *at);
const struct rf_invalid *rf_actions_fit(const struct rf_action *action, u32 count,
					u64 max_hold);
const struct rf_invalid *rf_rule_validate(const struct rf_match *match,
					  const struct rf_trigger *trigger,
					  const struct rf_action *action, u32 flags,
					  u64 expires);

#endif
