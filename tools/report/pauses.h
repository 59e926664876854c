/* SPDX-License-Identifier: GPL-2.0 */
/* How long a priority was paused, by the trace. */
#ifndef RF_PAUSES_H
#define RF_PAUSES_H

#include "tools/trace/events.h"

struct rf_pauses {
	uint64_t first, last;		/* paused first, resumed last */
	uint64_t ns;			/* paused in between */
	uint32_t count;			/* times that it was paused */
};

bool rf_pauses_of(const struct rf_events *ev, const char *dev, uint32_t prio,
		  struct rf_pauses *pauses);	/* false: never */

#endif
