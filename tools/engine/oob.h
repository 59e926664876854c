/* SPDX-License-Identifier: GPL-2.0 */
/* Out of band: messages between ranks outside the data path */
#ifndef CP_OOB_H
#define CP_OOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "wait.h"

#define CP_RANKS_MAX	64

/**
 * struct cp_words - the reason of a failure
 * @status: how the rank ended
 * @who: the rank, for messages: "rank 2 (rxe3)"
 * @error: the reason; sent without the unused rest, see cp_words_len()
 */
struct cp_words {
	uint32_t status;
	char who[CP_WHO_LEN];
	char error[CP_ERROR_LEN];
};

/**
 * struct cp_oob - the connections of a rank outside the data path
 * @rank: number of this rank
 * @ranks: number of ranks
 * @state: state of this rank in the status page
 * @waiter: for waiting
 * @fds: sockets: in rank 0 to every other rank, otherwise only to rank 0; -1: none
 * @early: ranks whose part of the next gather has arrived
 * @first: reason of the rank that failed first; status CP_OK: none
 */
struct cp_oob {
	int rank, ranks;
	struct cp_state *state;
	const struct cp_waiter *waiter;
	int fds[CP_RANKS_MAX];
	bool early[CP_RANKS_MAX];
	struct cp_words first;
};

/* Size of a reason on the wire */
static inline size_t cp_words_len(const struct cp_words *words)
{
	return offsetof(struct cp_words, error) + strlen(words->error) + 1;
}

/* Check the size of a received reason. */
static inline bool cp_words_fit(size_t len)
{
	return len > offsetof(struct cp_words, error) &&
	       len <= sizeof(struct cp_words);
}

int cp_star_create(int ranks, int fds[][2]);
void cp_star_init(struct cp_oob *oob, int fds[][2]);
void cp_star_close(struct cp_oob *oob);

int cp_allgather(struct cp_oob *oob, const void *mine, size_t len, void *all);
int cp_barrier(struct cp_oob *oob, uint64_t *waited_ns);

/* For callers that wait for other descriptors: check that all ranks are still connected. */
int cp_star_watch(const struct cp_oob *oob, struct pollfd *fds);
int cp_star_look(struct cp_oob *oob, const struct pollfd *fds, int n);

#endif
