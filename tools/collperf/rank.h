/* SPDX-License-Identifier: GPL-2.0 */
/* One rank, from start to end */
#ifndef CP_RANK_H
#define CP_RANK_H

#include "config.h"

enum coll_status cp_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2]);

#endif
