// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks that others started come together.
 *
 * However the ranks are started (seat.c), each knows its number, how many there are
 * and where rank 0 may be reached. Rank 0 listens (meet_hub.c), the others
 * connect (meet_spoke.c) and send their identity, the arguments they were
 * started, and a number that only ranks of this job know. Rank 0 answers each
 * at once, and all of them when the last has come. From then on the sockets are
 * the star of oob.c.
 *
 * All of it has to be over within the deadline. Rank 0 then names the ranks
 * that have not come, and tells the others, which wait a little longer for that.
 *
 * The sockets notice a machine that is gone without a word (pulled cable, power)
 * within the deadline, by keepalives and by data that is not acknowledged.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "meet.h"

#define PROBES	3

static void set(int fd, int level, int option, uint64_t value)
{
	int v = value < 1 ? 1 : (int)value;

	setsockopt(fd, level, option, &v, sizeof(v));
}

static void guard(int fd, uint64_t deadline_ns)
{
	uint64_t s = deadline_ns / CP_NSEC_PER_SEC;

	set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set(fd, IPPROTO_TCP, TCP_KEEPIDLE, s / (PROBES + 1));
	set(fd, IPPROTO_TCP, TCP_KEEPINTVL, s / (PROBES + 1));
	set(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, deadline_ns / CP_NSEC_PER_MSEC);
}

/**
 * cp_meet_ended() - a sleep was ended by the user
 * @m: the meeting
 *
 * Return: -EIO.
 */
int cp_meet_ended(struct cp_meeting *m)
{
	return cp_fail(m->state, CP_ENDED, "terminated by a signal before all ranks had connected");
}

/**
 * cp_meet() - wait until all ranks are there, each started with the same
 * @m: the meeting; its sockets are set
 *
 * Return: 0, or -EIO after cp_fail().
 */
int cp_meet(struct cp_meeting *m)
{
	int ret;

	memset(m->fds, -1, sizeof(m->fds));
	ret = m->seat->rank ? cp_meet_spoke(m) : cp_meet_hub(m);
	for (int r = 0; !ret && r < m->seat->ranks; r++)
		if (m->fds[r] >= 0)
			guard(m->fds[r], m->waiter->deadline_ns);
	return ret;
}
