/* SPDX-License-Identifier: GPL-2.0 */
/* Total pause time of a priority, computed from the trace */
#ifndef RF_PAUSES_H
#define RF_PAUSES_H

#include "tools/trace/events.h"

struct rf_pauses {
	uint64_t first, last;		/* start of the first pause, end of the last pause */
	uint64_t ns;			/* total time paused */
	uint32_t count;			/* number of pauses */
};

uint64_t rf_pause_overlap(const struct rf_event *e, uint64_t from, uint64_t to);
bool rf_pauses_of(const struct rf_events *ev, const char *dev, uint32_t prio,
		  struct rf_pauses *pauses);	/* false: never paused */

#endif
