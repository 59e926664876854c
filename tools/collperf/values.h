/* SPDX-License-Identifier: GPL-2.0 */
/* Inputs before a run, and verification of the result after it */
#ifndef CP_VALUES_H
#define CP_VALUES_H

#include "state.h"

int cp_values_open(struct cp_rank *me, const struct cp_case *what);
void cp_values_close(struct cp_rank *me);
void cp_values_prepare(struct cp_rank *me, const struct coll_shape *shape);
uint64_t cp_values_check(struct cp_rank *me, const struct coll_shape *shape);

#endif
