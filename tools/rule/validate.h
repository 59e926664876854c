/* SPDX-License-Identifier: GPL-2.0 */
/* Check rules, storms and settings with the module's code, without loading the module. */
#ifndef RF_VALIDATE_H
#define RF_VALIDATE_H

#include "err.h"
#include "queue.h"
#include "rule.h"

/* Return: 0, or -EINVAL with the module's error message in @why. */
int rf_validate_rule(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why);
int rf_validate_storm(const struct rf_storm_spec *spec, struct rf_why *why);
int rf_validate_conf(const struct rf_conf *conf, struct rf_why *why);

#endif
