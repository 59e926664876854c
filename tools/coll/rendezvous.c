// SPDX-License-Identifier: GPL-2.0
/*
 * The rendezvous of ranks that another launcher started.
 *
 * Each rank knows its number, the number of ranks, and the address of rank 0 (own_rank.c).
 * Rank 0 is the server and listens for connections (rendezvous_server.c). The other ranks are
 * clients: they connect (rendezvous_client.c) and send their identity, their arguments, and a
 * number that only ranks of this job know. Rank 0 replies twice to each client: at once,
 * and after the last client has connected. After the rendezvous, oob.c uses the sockets.
 *
 * The rendezvous must complete within the deadline. Otherwise rank 0 sends the list
 * of missing ranks to its clients, which wait a little longer than rank 0.
 *
 * The sockets use keepalives and TCP_USER_TIMEOUT. If another machine disappears
 * (cable, power), they report an error within the deadline.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "rendezvous.h"

#define PROBES	3

static void set(int fd, int level, int option, uint64_t value)
{
	int v = value < 1 ? 1 : (int)value;

	setsockopt(fd, level, option, &v, sizeof(v));
}

static void guard(int fd, uint64_t deadline_ns)
{
	uint64_t s = deadline_ns / COLL_NSEC_PER_SEC;

	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, s / (PROBES + 1));
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, s / (PROBES + 1));
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, deadline_ns / COLL_NSEC_PER_MSEC);
}

/**
 * coll_rendezvous_ended() - fail because a signal ended the wait
 * @m: state of the rendezvous
 *
 * Return: -EIO.
 */
int coll_rendezvous_ended(struct coll_rendezvous_state *m)
{
	return coll_fail(m->state, COLL_ENDED, "terminated by a signal before all ranks had connected");
}

/**
 * coll_rendezvous() - wait until all ranks have connected, and check that their arguments are equal
 * @m: the rendezvous; gets the sockets
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_rendezvous(struct coll_rendezvous_state *m)
{
	int ret;

	memset(m->fds, -1, sizeof(m->fds));
	ret = m->own->rank ? coll_rendezvous_client(m) : coll_rendezvous_server(m);
	for (int r = 0; !ret && r < m->own->ranks; r++)
		if (m->fds[r] >= 0)
			guard(m->fds[r], m->waiter->deadline_ns);
	return ret;
}
