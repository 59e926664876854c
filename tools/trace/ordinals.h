/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flow numbers (ordinals) for rules that repeat a recording. The module numbers the flows
 * between two addresses from 1, in the order of their first packets. The numbering begins
 * when a port and direction gets its first rule. Repeated traffic starts with new flows.
 * Therefore flows that started before the recording are not counted.
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
