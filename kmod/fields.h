/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FIELDS_H
#define RF_FIELDS_H

#include "path/path.h"
#include "rule/params.h"
#include "queue/config.h"

/**
 * struct rf_field - the name of an attribute, and the member with its value
 * @name: name in the specification
 * @size: bytes of the member, 4 or 8; 0 for an attribute that is not a number
 * @offset: offset of the member in the struct
 */
struct rf_field {
	const char *name;
	u16 size;
	u16 offset;
};

/* The index is the number of the attribute. */
extern const struct rf_field rf_match_fields[RDMAFAULT_A_MATCH_MAX + 1];
extern const struct rf_field rf_trigger_fields[RDMAFAULT_A_TRIGGER_MAX + 1];
extern const struct rf_field rf_action_fields[RDMAFAULT_A_ACTION_MAX + 1];
extern const struct rf_field rf_link_fields[RDMAFAULT_A_LINK_MAX + 1];
extern const struct rf_field rf_prio_fields[RDMAFAULT_A_PRIO_MAX + 1];
extern const struct rf_field rf_ecn_fields[RDMAFAULT_A_ECN_MAX + 1];
extern const struct rf_field rf_watchdog_fields[RDMAFAULT_A_WATCHDOG_MAX + 1];
extern const struct rf_field rf_dcqcn_fields[RDMAFAULT_A_DCQCN_MAX + 1];
extern const struct rf_field rf_dcqcn_flow_fields[RDMAFAULT_A_DCQCN_FLOW_MAX + 1];
extern const struct rf_field rf_prio_stats_fields[RDMAFAULT_A_PRIO_STATS_MAX + 1];
extern const struct rf_field rf_storm_fields[RDMAFAULT_A_STORM_MAX + 1];
extern const struct rf_field rf_path_fields[RDMAFAULT_A_PATH_MAX + 1];

#endif
