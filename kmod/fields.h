/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FIELDS_H
#define RF_FIELDS_H

#include "rule/action.h"
#include "queue/config.h"
#include "rule/match.h"
#include "queue/prio_stats.h"
#include "pfc/storm_fsm.h"
#include "rule/trigger.h"

/**
 * struct rf_field - what an attribute is called and where its number is kept
 * @name: as in the specification
 * @size: 4 or 8 bytes; 0 for an attribute that is not a plain number
 * @offset: from the start of the struct
 */
struct rf_field {
	const char *name;
	u16 size;
	u16 offset;
};

/* By attribute; the length of each table is one more than the highest. */
extern const struct rf_field rf_match_fields[RDMAFAULT_A_MATCH_MAX + 1];
extern const struct rf_field rf_trigger_fields[RDMAFAULT_A_TRIGGER_MAX + 1];
extern const struct rf_field rf_action_fields[RDMAFAULT_A_ACTION_MAX + 1];
extern const struct rf_field rf_link_fields[RDMAFAULT_A_LINK_MAX + 1];
extern const struct rf_field rf_prio_fields[RDMAFAULT_A_PRIO_MAX + 1];
extern const struct rf_field rf_ecn_fields[RDMAFAULT_A_ECN_MAX + 1];
extern const struct rf_field rf_watchdog_fields[RDMAFAULT_A_WATCHDOG_MAX + 1];
extern const struct rf_field rf_prio_stats_fields[RDMAFAULT_A_PRIO_STATS_MAX + 1];
extern const struct rf_field rf_storm_fields[RDMAFAULT_A_STORM_MAX + 1];

#endif
