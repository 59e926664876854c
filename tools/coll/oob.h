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
 * @who: the rank in error messages, for example "rank 2 (rxe3)"
 * @error: the reason. Bytes after its NUL are not sent, see cp_words_len()
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
 * @waiter: conditions that end every wait of the rank
 * @fds: the socket to each rank, or -1. Rank 0 has a socket to every other rank; the
 *	other ranks only have a socket to rank 0
 * @early: for each rank: true if its part of the next gather has already arrived
 * @first: reason of the rank that failed first; its status is CP_OK if no rank failed
 */
struct cp_oob {
	int rank, ranks;
	struct cp_state *state;
	const struct cp_waiter *waiter;
	int fds[CP_RANKS_MAX];
	bool early[CP_RANKS_MAX];
	struct cp_words first;
};

/* Return the size of a reason in a message, in bytes. */
static inline size_t cp_words_len(const struct cp_words *words)
{
	return offsetof(struct cp_words, error) + strlen(words->error) + 1;
}

/* Check that a received reason has a valid size. */
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

/*
 * For a caller that also waits for other descriptors: get the sockets to the other ranks
 * for poll(), and check them afterwards.
 */
int cp_star_watch(const struct cp_oob *oob, struct pollfd *fds);
int cp_star_look(struct cp_oob *oob, const struct pollfd *fds, int n);

#endif
