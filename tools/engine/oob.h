/* SPDX-License-Identifier: GPL-2.0 */
/* Out of band: how ranks speak with one another beside the data path. */
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
 * struct cp_words - a rank's last words: why the job ends
 * @status: how that rank ended
 * @who: its name for the user: "rank 2 (rxe3)"
 * @error: why; only its text travels, see cp_words_len()
 */
struct cp_words {
	uint32_t status;
	char who[CP_WHO_LEN];
	char error[CP_ERROR_LEN];
};

/**
 * struct cp_oob - a rank's view of the job
 * @rank: own number
 * @ranks: how many
 * @state: own part of the board
 * @waiter: what ends a sleep
 * @fds: the star's sockets: to every rank in the hub, else to the hub only; -1
 *	where there is none
 * @early: whose part of the next gather is here already
 * @first: what was heard of the rank that failed first; CP_OK: nothing
 */
struct cp_oob {
	int rank, ranks;
	struct cp_state *state;
	const struct cp_waiter *waiter;
	int fds[CP_RANKS_MAX];
	bool early[CP_RANKS_MAX];
	struct cp_words first;
};

/* Bytes of last words that are sent */
static inline size_t cp_words_len(const struct cp_words *words)
{
	return offsetof(struct cp_words, error) + strlen(words->error) + 1;
}

/* Can received last words have this length? */
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

/* For callers that sleep on other descriptors: are all ranks still connected? */
int cp_star_watch(const struct cp_oob *oob, struct pollfd *fds);
int cp_star_look(struct cp_oob *oob, const struct pollfd *fds, int n);

#endif
