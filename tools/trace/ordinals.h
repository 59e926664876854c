/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ordinals of flows for a repetition of a recording. The module numbers the flows between
 * two addresses since their direction got its first rule. A repetition starts with new
 * flows, so flows from before the recording are not counted.
 */
#ifndef RF_ORDINALS_H
#define RF_ORDINALS_H

#include "events.h"

struct rf_nl;
struct rf_ordinal;

struct rf_ordinals {
	struct rf_ordinal *base;
	size_t n;
};

int rf_ordinals_learn(struct rf_ordinals *o, struct rf_nl *nl);
void rf_ordinals_settle(struct rf_ordinals *o, const struct rf_events *ev);
uint32_t rf_ordinals_flow(const struct rf_ordinals *o, const struct rf_event *e);
void rf_ordinals_free(struct rf_ordinals *o);

#endif
