/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a play leaves behind: the job's timeline, the module's events, and how
 * far rxe's counters and the module's went.
 */
#ifndef RF_RECORD_H
#define RF_RECORD_H

#include "tools/trace/events.h"
#include "timeline.h"

/* rxe's counters that are read before and after a play, by name. */
enum rf_counter {
	RF_SEND_ERR,
	RF_RETRY_ERR,		/* go-back-N, whatever asked for it */
	RF_SEQ_ERR,		/* NAKs that the sender took notice of */
	RF_OUT_OF_SEQ,		/* NAKs that a receiver sent */
	RF_DUPLICATE,
	RF_RETRY_EXCEEDED,
	RF_COUNTERS
};

extern const char *const rf_counter_names[RF_COUNTERS];

struct rf_record {
	struct rf_timeline tl;
	struct rf_events ev;
	uint64_t rule_hits;			/* of the play's own rules */
	uint64_t flows_lost;			/* packets of unknown pass */
	uint64_t counters[RF_RANKS_MAX][RF_COUNTERS];	/* by rank: delta */
};

void rf_record_free(struct rf_record *rec);
uint64_t rf_record_counter(const struct rf_record *rec, enum rf_counter c);

#endif
