/* SPDX-License-Identifier: GPL-2.0 */
/* Find out how this process was started, and which rank it is. */
#ifndef COLL_SEAT_H
#define COLL_SEAT_H

#include "rendezvous.h"
#include "options.h"

enum coll_launcher {
	COLL_NO_LAUNCHER,		/* this process starts the ranks */
	COLL_BY_OPTIONS, COLL_BY_PMIX,
};

enum coll_launcher coll_seat_launcher(const struct coll_options *opt);
int coll_seat_take(struct coll_seat *seat, enum coll_launcher by,
		   const struct coll_options *opt, uint32_t ranks);

/* pmix.c */
int coll_pmix_seat(struct coll_seat *seat, uint64_t deadline_ns);

#endif
