/* SPDX-License-Identifier: GPL-2.0 */
/* How ranks that others started come together: a star over TCP. */
#ifndef CP_MEET_H
#define CP_MEET_H

#include "oob.h"

#define CP_HOST_LEN	256
#define CP_HUB_ADDRS	16

/**
 * struct cp_seat - what a rank knows of itself before it knows the others
 * @rank: its number
 * @ranks: how many there are
 * @launcher: the launcher's name, for the user
 * @hosts: where rank 0 may be reached, in the order to try
 * @n_hosts: how many
 * @port: likewise
 * @token: what a rank of this job must say; 0 where there was no way to agree
 * @listen_fd: of rank 0, if it listens already; else -1
 */
struct cp_seat {
	int rank, ranks;
	const char *launcher;
	char hosts[CP_HUB_ADDRS][CP_HOST_LEN];
	int n_hosts;
	uint16_t port;
	uint64_t token;
	int listen_fd;
};

/**
 * struct cp_meeting - the coming together
 * @seat: of this rank
 * @waiter: what ends a sleep
 * @state: where the reason goes if it fails
 * @arguments: what all ranks must have alike, line by line
 * @fds: the star's sockets, as in struct cp_oob; -1 before
 */
struct cp_meeting {
	const struct cp_seat *seat;
	const struct cp_waiter *waiter;
	struct cp_state *state;
	const char *arguments;
	int fds[CP_RANKS_MAX];
};

int cp_meet(struct cp_meeting *m);
int cp_meet_listen(const char *host, uint16_t *port);

/* meet_hub.c, meet_spoke.c */
int cp_meet_hub(struct cp_meeting *m);
int cp_meet_spoke(struct cp_meeting *m);
int cp_meet_ended(struct cp_meeting *m);

#define CP_ARGUMENTS_MAX	8192

/* A rank's first word: this, behind a frame, and its arguments behind that. */
struct cp_hello {
	uint64_t token;
	int32_t rank, ranks;
	int32_t pid;
	char host[CP_NAME_LEN];
};

#endif
