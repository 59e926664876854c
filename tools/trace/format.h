/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse records of tracepoints. Fields are found by their names in the format files of
 * tracefs, so their offsets can differ between versions of the module.
 */
#ifndef RF_FORMAT_H
#define RF_FORMAT_H

#include "state.h"

struct tep_event;
struct tep_record;

const char *rf_point_name(unsigned int point);	/* rf_hit ... rf_packet */
int rf_format_load(struct rf_trace *t);
void rf_format_free(struct rf_trace *t);
int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink);

#endif
