/* SPDX-License-Identifier: GPL-2.0 */
/* Find out how this process was started, and which rank it is. */
#ifndef CP_SEAT_H
#define CP_SEAT_H

#include "meet.h"
#include "options.h"

enum cp_launcher {
	CP_NO_LAUNCHER,		/* this process starts the ranks */
	CP_BY_OPTIONS, CP_BY_PMIX,
};

enum cp_launcher cp_seat_launcher(const struct cp_options *opt);
int cp_seat_take(struct cp_seat *seat, enum cp_launcher by,
		 const struct cp_options *opt, uint32_t ranks);

/* pmix.c */
int cp_pmix_seat(struct cp_seat *seat, uint64_t deadline_ns);

#endif
