/* SPDX-License-Identifier: GPL-2.0 */
/* Out of band: how ranks find and await one another beside the data path. */
#ifndef CP_OOB_H
#define CP_OOB_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "wait.h"

#define CP_RANKS_MAX	64

struct cp_oob;

/**
 * struct cp_oob_ops - one bootstrap
 * @allgather: every rank gives @len bytes and gets all ranks' bytes, by rank
 * @watch: fill @fds with descriptors that hang up when a peer is gone
 * @lost: the rank behind the @i-th of these
 * @close: give everything back
 *
 * All but @close run under the deadline and fail through cp_fail().
 */
struct cp_oob_ops {
	int (*allgather)(struct cp_oob *oob, const void *mine, size_t len,
			 void *all);
	int (*watch)(const struct cp_oob *oob, struct pollfd *fds);
	int (*lost)(const struct cp_oob *oob, int i);
	void (*close)(struct cp_oob *oob);
};

/**
 * struct cp_oob - a rank's view of the job
 * @ops: the bootstrap at work
 * @rank: own number
 * @ranks: how many
 * @state: own part of the board
 * @waiter: what ends a sleep
 * @fds: for the star of sockets: see oob.c
 */
struct cp_oob {
	const struct cp_oob_ops *ops;
	int rank, ranks;
	struct cp_state *state;
	const struct cp_waiter *waiter;
	int fds[CP_RANKS_MAX];
};

int cp_star_create(int ranks, int fds[][2]);
void cp_star_init(struct cp_oob *oob, int fds[][2]);

int cp_allgather(struct cp_oob *oob, const void *mine, size_t len, void *all);
int cp_barrier(struct cp_oob *oob, uint64_t *waited_ns);

#endif
