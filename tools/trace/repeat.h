/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make a rule from an event. The rule matches the packet of the event. Random values of the
 * actions are replaced by the values that the event recorded.
 */
#ifndef RF_REPEAT_H
#define RF_REPEAT_H

#include "events.h"
#include "rule.h"

/* Size of a buffer for the line of any event */
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
