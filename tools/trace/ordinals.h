/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows between two addresses are counted from when their direction got its
 * first rule. A repetition starts with new flows, so the flows that were
 * there before the recording must not count.
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
