/* SPDX-License-Identifier: GPL-2.0 */
/* The rendezvous of ranks that another launcher started, over TCP */
#ifndef COLL_RENDEZVOUS_H
#define COLL_RENDEZVOUS_H

#include "oob.h"

#define COLL_HOST_LEN	256
#define COLL_SERVER_ADDRS	16

/**
 * struct coll_own_rank - the rank of this process, and how it reaches rank 0
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
struct coll_own_rank {
	int rank, ranks;
	const char *launcher;
	char hosts[COLL_SERVER_ADDRS][COLL_HOST_LEN];
	int n_hosts;
	uint16_t port;
	uint64_t token;
	int listen_fd;
};

/**
 * struct coll_rendezvous_state - a rendezvous
 * @own: the rank of this process, and how it reaches rank 0
 * @waiter: conditions that end every wait of the rank
 * @state: gets the reason of a failure
 * @arguments: arguments that must be equal in all ranks, one per line
 * @fds: the socket to each rank, as in struct coll_oob; -1: not connected yet
 */
struct coll_rendezvous_state {
	const struct coll_own_rank *own;
	const struct coll_waiter *waiter;
	struct coll_state *state;
	const char *arguments;
	int fds[COLL_RANKS_MAX];
};

int coll_rendezvous(struct coll_rendezvous_state *m);
int coll_rendezvous_listen(const char *host, uint16_t *port);

#define COLL_ARGUMENTS_MAX	8192

/* The first message of a client is a struct coll_frame, this struct, and its arguments. */
struct coll_hello {
	uint64_t token;
	int32_t rank, ranks;
	int32_t pid;
	char host[COLL_NAME_LEN];
};

#endif
