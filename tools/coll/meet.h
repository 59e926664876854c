/* SPDX-License-Identifier: GPL-2.0 */
/* The rendezvous of ranks that another launcher started, over TCP */
#ifndef CP_MEET_H
#define CP_MEET_H

#include "oob.h"

#define CP_HOST_LEN	256
#define CP_HUB_ADDRS	16

/**
 * struct cp_seat - the rank of this process, and how it reaches rank 0
 * @rank: number of the rank
 * @ranks: number of ranks
 * @launcher: name of the launcher, for error messages
 * @hosts: addresses of rank 0, in the order in which they are tried
 * @n_hosts: number of @hosts
 * @port: port of rank 0
 * @token: number that only ranks of this job know; a client sends it in its hello. 0:
 *	none
 * @listen_fd: in rank 0, the listening socket if it is already open; otherwise -1
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
 * struct cp_meeting - a rendezvous
 * @seat: the rank of this process, and how it reaches rank 0
 * @waiter: conditions that end every wait of the rank
 * @state: gets the reason of a failure
 * @arguments: arguments that must be equal in all ranks, one per line
 * @fds: the socket to each rank, as in struct cp_oob; -1: not connected yet
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

/* The first message of a client is a struct cp_frame, this struct, and its arguments. */
struct cp_hello {
	uint64_t token;
	int32_t rank, ranks;
	int32_t pid;
	char host[CP_NAME_LEN];
};

#endif
