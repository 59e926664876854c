/* SPDX-License-Identifier: GPL-2.0 */
/* Options of the programs "collperf" and "train" that a scenario can use */
#ifndef RF_PROGRAM_H
#define RF_PROGRAM_H

#include "scenario.h"
#include "words.h"

#define RF_COLLECTIVES_MAX 16

extern const struct rf_name rf_collective_names[];

int rf_options_check(const struct rf_workload *w, struct rf_why *why);
uint64_t rf_case_round_trip_ns(const struct rf_scenario *s, const struct rf_case *test_case);
bool rf_options_have(const struct rf_workload *w, const char *name);
bool rf_case_is_clean(const struct rf_case *test_case);

#endif
