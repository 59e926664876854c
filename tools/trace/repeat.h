/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event as a rule: what names its packet, and what was done to it with
 * everything that was drawn made explicit.
 */
#ifndef RF_REPEAT_H
#define RF_REPEAT_H

#include "events.h"
#include "rule.h"

/* Holds what is written of any event. */
#define RF_EVENT_LINE_LEN 4608

void rf_event_actions(const struct rf_event *e, const struct rf_rule_spec *by,
		      struct rf_rule_spec *spec);
int rf_event_repeat(const struct rf_event *e, const struct rf_rule_spec *by,
		    struct rf_rule_spec *spec);
char *rf_event_deed(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN]);
char *rf_event_line(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN]);

#endif
