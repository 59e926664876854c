/* SPDX-License-Identifier: GPL-2.0 */
/* Find out how this process was started, and which rank it is. */
#ifndef COLL_OWN_RANK_H
#define COLL_OWN_RANK_H

#include "rendezvous.h"
#include "options.h"

enum coll_launcher {
	COLL_NO_LAUNCHER,		/* this process starts the ranks */
	COLL_BY_OPTIONS, COLL_BY_PMIX,
};

enum coll_launcher coll_own_rank_launcher(const struct coll_options *opt);
int coll_own_rank_find(struct coll_own_rank *own, enum coll_launcher by,
		       const struct coll_options *opt, uint32_t ranks);

/* pmix.c */
int coll_pmix_own_rank(struct coll_own_rank *own, uint64_t deadline_ns);

#endif
