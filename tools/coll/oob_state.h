/* SPDX-License-Identifier: GPL-2.0 */
/* The connections of a rank outside the data path */
#ifndef COLL_OOB_STATE_H
#define COLL_OOB_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "status_page.h"
#include "wait.h"

#define COLL_RANKS_MAX	64

/**
 * struct coll_words - the reason of a failure
 * @status: how the rank ended
 * @name: the rank in error messages, for example "rank 2 (rxe3)"
 * @error: the reason. Bytes after its NUL are not sent, see coll_words_len()
 */
struct coll_words {
	uint32_t status;
	char name[COLL_RANK_NAME_LEN];
	char error[COLL_ERROR_LEN];
};

/**
 * struct coll_oob - the connections of a rank outside the data path
 * @rank: number of this rank
 * @ranks: number of ranks
 * @state: state of this rank in the status page
 * @waiter: conditions that end every wait of the rank
 * @fds: the socket to each rank, or -1. Rank 0 has a socket to every other rank; the
 *	other ranks only have a socket to rank 0
 * @early: for each rank: true if its part of the next gather has already arrived
 * @first: reason of the rank that failed first; its status is COLL_OK if no rank failed
 */
struct coll_oob {
	int rank, ranks;
	struct coll_state *state;
	const struct coll_waiter *waiter;
	int fds[COLL_RANKS_MAX];
	bool early[COLL_RANKS_MAX];
	struct coll_words first;
};

/* Return the size of a reason in a message, in bytes. */
static inline size_t coll_words_len(const struct coll_words *words)
{
	return offsetof(struct coll_words, error) + strlen(words->error) + 1;
}

/* Check that a received reason has a valid size. */
static inline bool coll_words_fit(size_t len)
{
	return len > offsetof(struct coll_words, error) &&
	       len <= sizeof(struct coll_words);
}

#endif
