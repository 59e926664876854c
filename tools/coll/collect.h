/* SPDX-License-Identifier: GPL-2.0 */
/* Collect the states of all ranks in rank 0. */
#ifndef CP_COLLECT_H
#define CP_COLLECT_H

#include "oob.h"

void cp_board_collect(struct cp_oob *oob);

#endif
