/* SPDX-License-Identifier: GPL-2.0 */
/* Transfers between two ranks, outside of collectives */
#ifndef TR_TRAFFIC_H
#define TR_TRAFFIC_H

#include "state.h"

/* Connections that transfers need: between rank 0 and each rank, and between neighbors */
extern const struct coll_collective tr_star, tr_chain;

int tr_run(struct tr_rank *me, const struct coll_run *run);
int tr_send(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing);
int tr_recv(struct tr_rank *me, int peer, uint64_t at, uint64_t bytes,
	    const char *doing);
void tr_sent(struct tr_rank *me, int peer, const void *v, uint64_t bytes);
void tr_received(struct tr_rank *me, int peer, const void *v, uint64_t bytes);

#endif
