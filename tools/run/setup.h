/* SPDX-License-Identifier: GPL-2.0 */
/* Keywords of run.json; only for setup.c and setup_load.c */
#ifndef RF_SETUP_H
#define RF_SETUP_H

#include "run.h"

extern const char *const rf_setup_clocks[RF_CLOCK_TIME + 1];
extern const char *const rf_setup_works[RF_WORK_COMMAND + 1];

#endif
