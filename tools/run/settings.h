/* SPDX-License-Identifier: GPL-2.0 */
/* Port settings at the start of a run */
#ifndef RF_SETTINGS_H
#define RF_SETTINGS_H

#include "cluster.h"

struct json_object;

int rf_settings_check(const struct rf_cluster *c);
int rf_settings_json(const struct rf_cluster *c, struct json_object **list);

#endif
