/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_TRIGGER_H
#define RF_TRIGGER_H

#include "pure.h"

/**
 * struct rf_trigger - when a matching packet is hit
 * @nth: only the nth matching packet, counted from 1; 0: any
 * @count: at most so many hits; 0: no end
 */
struct rf_trigger {
	u32 nth;
	u32 count;
};

/**
 * struct rf_tally - what has come of a rule
 * @matched: packets that matched
 * @hits: packets that were hit
 */
struct rf_tally {
	u64 matched;
	u64 hits;
};

bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_tally *tally);

#endif
