/* SPDX-License-Identifier: GPL-2.0 */
/* Inputs before a run, and verification of the result after it */
#ifndef CP_PROOF_H
#define CP_PROOF_H

#include "bench.h"

int cp_proof_open(struct cp_rank *me, const struct cp_case *what);
void cp_proof_close(struct cp_rank *me);
void cp_proof_prepare(struct cp_rank *me, const struct coll_shape *shape);
uint64_t cp_proof_check(struct cp_rank *me, const struct coll_shape *shape);

#endif
