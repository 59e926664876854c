/* SPDX-License-Identifier: GPL-2.0 */
/* Print the plan of a run. */
#ifndef RF_PLAN_H
#define RF_PLAN_H

#include <stdio.h>
#include "scenario.h"

struct json_object;

void rf_plan_write(FILE *f, const struct rf_scenario *s);
struct json_object *rf_plan_json(const struct rf_scenario *s);

/* schema.c */
struct json_object *rf_schema_json(void);

#endif
