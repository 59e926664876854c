/* SPDX-License-Identifier: GPL-2.0 */
/* Write the hits of a recording as rules that repeat them, for "rule replace". */
#ifndef RF_RULEFILE_H
#define RF_RULEFILE_H

#include "events.h"

struct rf_ordinals;
struct rf_rulebook;

/* The rules of one port and direction */
struct rf_rulefile {
	char dev[16];
	uint32_t ifindex;
	uint32_t dir;		/* enum rdmafault_direction */
	size_t rules;
	size_t nameless;	/* hits not repeated: flow or attempt unknown */
	size_t unknown;		/* hits not repeated: their rule was deleted */
};

int rf_rulefile_list(const struct rf_events *ev, struct rf_rulefile **list,
		     size_t *n);	/* free(*list) */
int rf_rulefile_write(struct rf_rulefile *file, const char *path,
		      const struct rf_events *ev, struct rf_rulebook *book,
		      const struct rf_ordinals *ordinals);

#endif
