/* SPDX-License-Identifier: GPL-2.0 */
/* One board of many: what each rank has on its own, brought to rank 0. */
#ifndef CP_COLLECT_H
#define CP_COLLECT_H

#include "oob.h"

void cp_board_collect(struct cp_oob *oob);

#endif
