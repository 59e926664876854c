/* SPDX-License-Identifier: GPL-2.0 */
/* The flows of recorded packets, and how far each transmission of a packet has come */
#ifndef RF_TRANSIT_H
#define RF_TRANSIT_H

#include "flight.h"

/* Packets from one address to a queue pair of another one, either requests or responses */
struct rf_transit_flow {
	const struct rf_sighting *any;	/* one of its sightings */
	size_t *at;			/* its sightings, sorted by PSN and then by time */
	size_t n;
	size_t *place;			/* the places on its way, first to last */
	size_t places;
	bool final;			/* the last place is where the packets arrive */
	struct rf_transit_flow *peer;	/* responses to it; NULL: none known */
};

struct rf_transit {
	const struct rf_flight *f;
	struct rf_transit_flow *flow;
	size_t flows;
};

/* One transmission of a packet */
struct rf_attempt {
	const struct rf_sighting *sent;	/* at the first place */
	const struct rf_sighting *last;	/* at the last place that it has reached */
	size_t reached;			/* index of that place on the way */
};

#define RF_ATTEMPTS_MAX 64		/* earlier attempts are not regarded */

int rf_transit_find(struct rf_flight *f, struct rf_transit *t);
void rf_transit_free(struct rf_transit *t);
size_t rf_attempts(const struct rf_transit *t, const struct rf_transit_flow *flow, uint32_t psn,
		   struct rf_attempt attempt[RF_ATTEMPTS_MAX], size_t *all);
const struct rf_sighting *rf_transit_first(const struct rf_transit *t,
					   const struct rf_transit_flow *flow, uint32_t psn,
					   size_t *n);

#endif
