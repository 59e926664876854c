/* SPDX-License-Identifier: GPL-2.0 */
/* Out of band: messages between ranks outside the data path */
#ifndef COLL_OOB_H
#define COLL_OOB_H

#include "oob_state.h"

int coll_star_create(int ranks, int fds[][2]);
void coll_star_init(struct coll_oob *oob, int fds[][2]);
void coll_star_close(struct coll_oob *oob);

int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all);
int coll_barrier(struct coll_oob *oob, uint64_t *waited_ns);

/*
 * For a caller that also waits for other descriptors: get the sockets to the other ranks
 * for poll(), and check them afterwards.
 */
int coll_star_watch(const struct coll_oob *oob, struct pollfd *fds);
int coll_star_look(struct coll_oob *oob, const struct pollfd *fds, int n);

#endif
