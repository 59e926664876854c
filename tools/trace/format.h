/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records as the kernel describes them in tracefs, taken apart by the names of
 * their fields, so that the place of a field may change.
 */
#ifndef RF_FORMAT_H
#define RF_FORMAT_H

#include "trace.h"

struct tep_event;
struct tep_record;

const char *rf_point_name(unsigned int point);	/* rf_hit ... rf_packet */
int rf_format_load(struct rf_trace *t);
void rf_format_free(struct rf_trace *t);
int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink);

#endif
