/* SPDX-License-Identifier: GPL-2.0 */
/* The time of all ranks of a case by activity */
#ifndef RF_ACTIVITIES_H
#define RF_ACTIVITIES_H

#include "tools/run/record.h"

struct json_object;

enum rf_activity {
	RF_ACTIVITY_WORK, RF_ACTIVITY_DATA, RF_ACTIVITY_ACKS, RF_ACTIVITY_BARRIER,
	RF_ACTIVITIES
};

/* Time of all ranks in ns, by activity and in total */
struct rf_activities {
	double ns[RF_ACTIVITIES], all;
};

void rf_activities_of(const struct rf_timeline *tl, struct rf_activities *b);
void rf_activities_json(struct json_object *o, const struct rf_timeline *tl);

#endif
