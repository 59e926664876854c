/* SPDX-License-Identifier: GPL-2.0 */
/* Announce the steps of a job to the module. */
#ifndef COLL_STEP_H
#define COLL_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct rf_nl;

/**
 * struct coll_announcer - data for announcing the steps of a rank to the module
 * @nl: socket to the module; NULL: steps are not announced
 * @ifindex: netdev of the rank
 * @messages: number of messages of each flow in a step; 0: unknown
 * @messages_total: number of messages of each flow in the whole job; 0: unknown. A number is
 *	unknown if it is not the same for all flows, or is too large
 * @verbose: print a note if steps cannot be announced
 */
struct coll_announcer {
	struct rf_nl *nl;
	uint32_t ifindex;
	uint32_t messages, messages_total;
	bool verbose;
};

void coll_announcer_open(struct coll_announcer *a, const char *netdev);
void coll_announce(struct coll_announcer *a, uint32_t step);
void coll_announcer_close(struct coll_announcer *a);

#endif
