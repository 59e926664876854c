// SPDX-License-Identifier: GPL-2.0
/*
 * Out of band: exchange of addresses, and barriers.
 *
 * The engine knows two calls, cp_allgather() and cp_barrier(), over a table
 * of operations. The bootstrap here is a star of local stream sockets with
 * rank 0 in the middle, made by the launcher before it forks: rank r > 0 has
 * one socket to rank 0, rank 0 has one to each. A gather goes in over the
 * spokes and out again as one block. A launcher that has its own exchange
 * (PMIx, MPI) takes the place of these operations and of nothing else.
 *
 * A barrier is a gather of the step number: ranks that have lost count of one
 * another are found at once, instead of waiting for what never comes.
 *
 * A socket that hangs up is a rank that is gone. The transport watches the
 * same descriptors while it sleeps, so nobody waits for the dead.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "oob.h"

#define HUB		0
#define SPOKE_GRACE_NS	CP_NSEC_PER_SEC	/* the hub knows better who is late */

static int peer_gone(struct cp_oob *oob, int peer)
{
	char where[128];

	return cp_fail(oob->state, CP_LOST_PEER, "rank %d is gone (%s)", peer,
		       cp_where(oob->state, where, sizeof(where)));
}

static int peer_late(struct cp_oob *oob, int peer)
{
	char where[128];

	return cp_fail(oob->state, CP_FAILED,
		       "waited %g s for rank %d in vain (%s)",
		       (double)oob->waiter->deadline_ns / CP_NSEC_PER_SEC, peer,
		       cp_where(oob->state, where, sizeof(where)));
}

/* Sleep until the socket to @peer is ready for @events. */
static int await(struct cp_oob *oob, int peer, short events, uint64_t until)
{
	struct pollfd fd = { .fd = oob->fds[peer], .events = events };
	int ret = cp_sleep(oob->waiter, &fd, 1, until);

	if (ret == -ETIMEDOUT)
		return peer_late(oob, peer);
	if (ret)
		return cp_fail(oob->state, CP_ENDED, "told to end");
	return 0;
}

static uint64_t patience(const struct cp_oob *oob)
{
	uint64_t until = cp_now() + oob->waiter->deadline_ns;

	return oob->rank == HUB ? until : until + SPOKE_GRACE_NS;
}

static int move_all(struct cp_oob *oob, int peer, void *buf, size_t len,
		    bool out)
{
	uint64_t until = patience(oob);
	int fd = oob->fds[peer];
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		if (out)
			n = send(fd, (char *)buf + done, len - done,
				 MSG_DONTWAIT | MSG_NOSIGNAL);
		else
			n = recv(fd, (char *)buf + done, len - done,
				 MSG_DONTWAIT);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n == 0 || errno != EAGAIN)
			return peer_gone(oob, peer);
		else if (await(oob, peer, out ? POLLOUT : POLLIN, until))
			return -EIO;
	}
	return 0;
}

static int hub_allgather(struct cp_oob *oob, const void *mine, size_t len,
			 char *all)
{
	int ret = 0;

	memcpy(all + HUB * len, mine, len);
	for (int r = 1; !ret && r < oob->ranks; r++)
		ret = move_all(oob, r, all + (size_t)r * len, len, false);
	for (int r = 1; !ret && r < oob->ranks; r++)
		ret = move_all(oob, r, all, (size_t)oob->ranks * len, true);
	return ret;
}

static int star_allgather(struct cp_oob *oob, const void *mine, size_t len,
			  void *all)
{
	int ret;

	if (oob->rank == HUB)
		return hub_allgather(oob, mine, len, all);
	ret = move_all(oob, HUB, (void *)mine, len, true);
	if (!ret)
		ret = move_all(oob, HUB, all, (size_t)oob->ranks * len, false);
	return ret;
}

static int star_watch(const struct cp_oob *oob, struct pollfd *fds)
{
	int n = 0;

	for (int r = 0; r < oob->ranks; r++)
		if (oob->fds[r] >= 0)
			fds[n++] = (struct pollfd){ .fd = oob->fds[r],
						    .events = POLLRDHUP };
	return n;
}

static int star_lost(const struct cp_oob *oob, int i)
{
	return oob->rank == HUB ? i + 1 : HUB;
}

static void star_close(struct cp_oob *oob)
{
	for (int r = 0; r < oob->ranks; r++)
		if (oob->fds[r] >= 0)
			close(oob->fds[r]);
}

static const struct cp_oob_ops star_ops = {
	.allgather = star_allgather,
	.watch = star_watch,
	.lost = star_lost,
	.close = star_close,
};

/**
 * cp_star_create() - the sockets of all spokes, made before the ranks are
 * @fds: for rank r > 0 the hub's end and the rank's own; entry 0 is unused
 * Return: 0 or -errno.
 */
int cp_star_create(int ranks, int fds[][2])
{
	for (int r = 1; r < ranks; r++)
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds[r]))
			return -errno;
	return 0;
}

/** cp_star_init() - in a rank: keep its own ends, close all others */
void cp_star_init(struct cp_oob *oob, int fds[][2])
{
	oob->ops = &star_ops;
	memset(oob->fds, -1, sizeof(oob->fds));
	for (int r = 1; r < oob->ranks; r++) {
		if (oob->rank == HUB)
			oob->fds[r] = fds[r][0];
		else
			close(fds[r][0]);
		if (oob->rank == r)
			oob->fds[HUB] = fds[r][1];
		else
			close(fds[r][1]);
	}
}

/**
 * cp_allgather() - exchange @len bytes with every rank
 * Return: 0, or -EIO after cp_fail().
 */
int cp_allgather(struct cp_oob *oob, const void *mine, size_t len, void *all)
{
	return oob->ops->allgather(oob, mine, len, all);
}

/**
 * cp_barrier() - wait until every rank is here
 * @waited_ns: grows by the time that took; may be NULL
 * Return: 0, or -EIO after cp_fail().
 */
int cp_barrier(struct cp_oob *oob, uint64_t *waited_ns)
{
	uint32_t mine = oob->state->step, all[CP_RANKS_MAX];
	uint64_t start = cp_now();
	int ret;

	cp_at(oob->state, "barrier", 0, 0);
	ret = cp_allgather(oob, &mine, sizeof(mine), all);
	if (waited_ns)
		*waited_ns += cp_now() - start;
	for (int r = 0; !ret && r < oob->ranks; r++)
		if (all[r] != mine)
			ret = cp_fail(oob->state, CP_FAILED,
				      "rank %d is at step %u, this one at %u",
				      r, all[r], mine);
	return ret;
}
