/* SPDX-License-Identifier: GPL-2.0 */
/* One rank, from start to end */
#ifndef TR_RANK_H
#define TR_RANK_H

#include "ranks.h"

enum coll_status tr_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2]);

#endif
