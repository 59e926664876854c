/* SPDX-License-Identifier: GPL-2.0 */
/* The programs that are workloads, and which of their options are for users. */
#ifndef RF_PROGRAM_H
#define RF_PROGRAM_H

#include "argwords.h"
#include "scenario.h"

#define RF_COLLECTIVES_MAX 16

extern const struct rf_name rf_collective_names[];

/* -EINVAL: the workload's options aren't legal, and @why says what is */
int rf_options_check(const struct rf_workload *w, struct rf_why *why);
bool rf_options_have(const struct rf_workload *w, const char *name);
bool rf_case_is_clean(const struct rf_case *kase);

#endif
