/* SPDX-License-Identifier: GPL-2.0 */
/* What the module would refuse, found without it: by the module's own checks. */
#ifndef RF_VALIDATE_H
#define RF_VALIDATE_H

#include "queue.h"
#include "rule.h"
#include "why.h"

/* 0, or -EINVAL with the module's words */
int rf_validate_rule(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why);
int rf_validate_storm(const struct rf_storm_spec *spec, struct rf_why *why);
int rf_validate_conf(const struct rf_conf *conf, struct rf_why *why);

#endif
