/* SPDX-License-Identifier: GPL-2.0 */
/* Gradients with exact float sums, and digests that verify these sums */
#ifndef TR_GRID_H
#define TR_GRID_H

#include <stdint.h>

#define TR_GRID_BITS	21	/* a grid step is 2^-21 */
#define TR_GRID_MAX	8.0f	/* largest sum over all ranks: 2^24 grid steps */

uint64_t tr_grid_round(float *to, const float *from, uint64_t n, int ranks);

uint64_t tr_grid_digest(const float *v, uint64_t n, uint64_t at);
uint64_t tr_hash(const void *v, uint64_t bytes);

#endif
