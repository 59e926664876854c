/* SPDX-License-Identifier: GPL-2.0 */
/* How ranks find each other, and the format of their messages; only for files of this folder */
#ifndef COLL_WIRE_H
#define COLL_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "ranks.h"

struct coll_options;

/* wire.c: format of messages outside the data path: frames with a header and data */
#define COLL_WIRE_MAGIC	0x31706f63u	/* a host with the other byte order reads another value */

enum coll_frame_kind {
	COLL_FRAME_HELLO,		/* hello of a client */
	COLL_FRAME_SEEN,		/* rank 0 has accepted the hello */
	COLL_FRAME_READY,		/* all ranks have connected */
	COLL_FRAME_GATHER,	/* gather: one rank's part; from rank 0: all parts */
	COLL_FRAME_BROKEN,	/* gather: the part of a rank whose queue pair failed */
	COLL_FRAME_ABANDON,	/* from rank 0: end the attempt, and call coll_agree() */
	COLL_FRAME_WORDS,		/* struct coll_words */
	COLL_FRAME_STATE,		/* struct coll_state of a rank that ends */
};

struct coll_frame {
	uint32_t magic;
	uint32_t kind;
	uint64_t len;
};

static inline struct coll_frame coll_frame(enum coll_frame_kind kind, uint64_t len)
{
	return (struct coll_frame){ COLL_WIRE_MAGIC, kind, len };
}

int coll_wire_send(int fd, const void *buf, size_t len,
		   const struct coll_waiter *w, uint64_t until_ns);
int coll_wire_recv(int fd, void *buf, size_t len, const struct coll_waiter *w,
		   uint64_t until_ns);
int coll_wire_skip(int fd, uint64_t len, const struct coll_waiter *w,
		   uint64_t until_ns);

/* collect.c: collect the states of all ranks in rank 0 */
void coll_status_page_collect(struct coll_oob *oob);

/* rendezvous.c: the rendezvous of ranks that another launcher started, over TCP */
#define COLL_HOST_LEN	256
#define COLL_SERVER_ADDRS	16

/**
 * struct coll_own_rank - the rank of this process, and how it reaches rank 0
 * @rank: number of the rank
 * @ranks: number of ranks
 * @launcher: name of the launcher, for error messages
 * @member: what the messages call a rank, for example "rank"
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
	const char *member;
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

/* own_rank.c: find out how this process was started, and which rank it is */
enum coll_launcher {
	COLL_NO_LAUNCHER,		/* this process starts the ranks */
	COLL_BY_OPTIONS, COLL_BY_PMIX,
};

enum coll_launcher coll_own_rank_launcher(const struct coll_options *opt);
int coll_own_rank_find(struct coll_own_rank *own, enum coll_launcher by,
		       const struct coll_options *opt, uint32_t ranks);

/* pmix.c: the rank that PMIx assigned to this process */
int coll_pmix_own_rank(struct coll_own_rank *own, uint64_t deadline_ns);

#endif
