/* SPDX-License-Identifier: GPL-2.0 */
/* What the verbs of rdmafault pause share. */
#ifndef RF_PAUSE_CMD_H
#define RF_PAUSE_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "rulewords.h"

#define RF_PAUSE_QUANTA_FORM	"1 to 65535"
#define RF_PAUSE_TIME_FORM	"a time of 1ns to 86400s, as 200ms"

extern const struct rf_name rf_guard_names[];	/* actions of the watchdog */

/* -EINVAL: the value is not of the form */
int rf_pause_quanta(const char *s, uint32_t *quanta);
int rf_pause_time(const char *s, uint64_t *ns);

char **rf_pause_take(char **argv, uint32_t *prios);

/* The members of an object, or a line and what belongs to it */
void rf_storm_json(const struct rf_storm_info *storm);
void rf_storm_text(const struct rf_storm_info *storm, bool histograms);

int rf_pause_storm(int argc, char **argv);
int rf_pause_show(int argc, char **argv);

#endif
