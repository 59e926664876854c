/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the verbs of rdmafault pause. */
#ifndef RF_PAUSE_CMD_H
#define RF_PAUSE_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "rule.h"
#include "units.h"
#include "words.h"

char **rf_pause_take(char **argv, uint32_t *prios);

const char *rf_prios_text(uint32_t prios, char buf[RF_FMT_LEN]);
const char *rf_prios_phrase(uint32_t prios, char buf[RF_FMT_LEN]);

/* Print the settings and results of a storm. rf_storm_json() adds them to the open JSON object. */
void rf_storm_json(const struct rf_storm_info *storm);
void rf_storm_text(const struct rf_storm_info *storm, bool histograms);

int rf_pause_storm(int argc, char **argv);
int rf_pause_show(int argc, char **argv);

#endif
