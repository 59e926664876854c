/* SPDX-License-Identifier: GPL-2.0 */
/* Collect the states of all ranks in rank 0. */
#ifndef COLL_COLLECT_H
#define COLL_COLLECT_H

#include "oob_state.h"

void coll_status_page_collect(struct coll_oob *oob);

#endif
