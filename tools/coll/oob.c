// SPDX-License-Identifier: GPL-2.0
/*
 * Out of band: exchange of addresses, barriers, and detection of ranks that ended.
 *
 * Rank 0 is the server, and the other ranks are its clients. The server has one stream
 * socket to each client; together, these sockets are called the star. If the launcher
 * forks the ranks, the sockets are local socket pairs. If another launcher starts
 * the ranks, they are TCP sockets (rendezvous.c). The code here works with both. In a
 * gather, each client sends its part to the server, and the server sends the parts of
 * all ranks to all clients.
 *
 * A barrier is a gather of step numbers. If two ranks are in different steps, the
 * barrier reports this at once. Otherwise they would wait for messages that never
 * arrive.
 *
 * If a rank ends, its socket is closed. The transport polls the same descriptors
 * while it waits, so no rank waits for a rank that has ended. A rank that fails
 * sends its reason before it closes its socket. The server forwards the first
 * reason that it receives, so every rank can report the first failure.
 *
 * coll_agree() is a gather for failover.c. If a queue pair of a rank fails, the rank sends its
 * part, and the server tells all clients to end their attempt. A client that has already sent its
 * part ignores this.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "err.h"
#include "ranks.h"
#include "wire.h"

#define SERVER		0
#define SHORT		512	/* bytes of a short message; enough for a barrier of 128 ranks */
#define HEAR_NS		(200 * COLL_NSEC_PER_MSEC)	/* time to read the reason */
#define UNREAD_MAX	16384	/* reads of 512 bytes; in total more than a socket can buffer */
/* A client waits this much longer than the server, so that the server can report first. */
#define CLIENT_GRACE_NS	COLL_NSEC_PER_SEC

static int peer_late(struct coll_oob *oob, int peer)
{
	char where[128];

	return coll_fail(oob->state, COLL_FAILED,
			 "rank %d did not answer within %g s (%s)", peer,
			 (double)oob->waiter->deadline_ns / COLL_NSEC_PER_SEC,
			 coll_where(oob->state, where, sizeof(where)));
}

/* Read the reason of the failure from the socket of a rank that has ended, if the rank sent one. */
static bool read_reason(struct coll_oob *oob, int peer)
{
	struct coll_words *words = &oob->first;
	uint64_t until = rf_now_ns() + HEAR_NS;
	const struct coll_waiter *w = oob->waiter;
	int fd = oob->fds[peer];
	struct coll_frame frame;

	while (!coll_wire_recv(fd, &frame, sizeof(frame), w, until)) {
		if (frame.magic != COLL_WIRE_MAGIC)
			return false;
		if (frame.kind == COLL_FRAME_WORDS)
			return coll_words_fit(frame.len) &&
			       !coll_wire_recv(fd, words, frame.len, w, until);
		if (coll_wire_skip(fd, frame.len, w, until))
			return false;
	}
	return false;
}

static int fail_with_peer(struct coll_oob *oob)
{
	struct coll_words *words = &oob->first;

	words->name[sizeof(words->name) - 1] = '\0';
	words->error[sizeof(words->error) - 1] = '\0';
	return coll_fail(oob->state, COLL_LOST_PEER, "%s failed first: %s",
			 words->name, words->error);
}

static int peer_gone(struct coll_oob *oob, int peer)
{
	struct coll_words *words = &oob->first;
	char where[128];

	if (!read_reason(oob, peer)) {
		coll_where(oob->state, where, sizeof(where));
		words->status = COLL_FAILED;
		snprintf(words->name, sizeof(words->name), "rank %d", peer);
		snprintf(words->error, sizeof(words->error),
			 "its connection closed without a reason (rank %d: %s)",
			 oob->rank, where);
	}
	return fail_with_peer(oob);
}

static uint64_t part_deadline(const struct coll_oob *oob)
{
	uint64_t until = rf_now_ns() + oob->waiter->deadline_ns;

	return oob->rank == SERVER ? until : until + CLIENT_GRACE_NS;
}

/* If a transfer failed, make this rank fail. @ret: result of the transfer, 0 or -errno */
static int outcome(struct coll_oob *oob, int peer, int ret)
{
	if (ret == -ETIMEDOUT)
		return peer_late(oob, peer);
	if (ret == -EINTR)
		return coll_fail(oob->state, COLL_ENDED, "terminated by a signal");
	return ret ? peer_gone(oob, peer) : 0;
}

static int send_all(struct coll_oob *oob, int peer, const void *buf, size_t len)
{
	return outcome(oob, peer, coll_wire_send(oob->fds[peer], buf, len,
						 oob->waiter, part_deadline(oob)));
}

static int recv_all(struct coll_oob *oob, int peer, void *buf, size_t len)
{
	return outcome(oob, peer, coll_wire_recv(oob->fds[peer], buf, len,
						 oob->waiter, part_deadline(oob)));
}

/*
 * Send a message. A short message is sent together with its header, so that the peer wakes
 * only once.
 */
static int send_part(struct coll_oob *oob, int peer, enum coll_frame_kind kind, const void *buf,
		     size_t len)
{
	struct {
		struct coll_frame frame;
		char buf[SHORT];
	} msg = { .frame = coll_frame(kind, len) };
	size_t first = len <= SHORT ? len : 0;
	int ret;

	memcpy(msg.buf, buf, first);
	ret = send_all(oob, peer, &msg, sizeof(msg.frame) + first);
	return ret || first == len ? ret : send_all(oob, peer, buf, len);
}

static int receive_part(struct coll_oob *oob, int peer, void *buf, size_t len)
{
	struct coll_frame frame;
	int ret;

	do {
		ret = recv_all(oob, peer, &frame, sizeof(frame));
	} while (!ret && frame.kind == COLL_FRAME_ABANDON);
	oob->early[peer] = false;
	if (ret)
		return ret;
	if (frame.kind == COLL_FRAME_WORDS && coll_words_fit(frame.len)) {
		ret = recv_all(oob, peer, &oob->first, frame.len);
		return ret ? ret : fail_with_peer(oob);
	}
	if (frame.magic != COLL_WIRE_MAGIC || frame.len != len ||
	    (frame.kind != COLL_FRAME_GATHER && frame.kind != COLL_FRAME_BROKEN))
		return coll_fail(oob->state, COLL_FAILED,
				 "rank %d sent %llu bytes instead of %zu; different version?",
				 peer, (unsigned long long)frame.len, len);
	return recv_all(oob, peer, buf, len);
}

/**
 * coll_star_watch() - get descriptors that become ready when a rank fails or ends
 * @oob: sockets to the other ranks
 * @fds: gets the descriptors, at most COLL_RANKS_MAX
 *
 * Return: the number of descriptors.
 */
int coll_star_watch(const struct coll_oob *oob, struct pollfd *fds)
{
	int n = 0;

	for (int r = 0; r < oob->ranks; r++) {
		if (oob->fds[r] < 0)
			continue;
		fds[n++] = (struct pollfd){
			.fd = oob->fds[r],
			.events = POLLRDHUP | (oob->early[r] ? 0 : POLLIN),
		};
	}
	return n;
}

/* The attempt of all ranks ends. The server tells its clients, once per coll_agree(). */
static int abandon(struct coll_oob *oob)
{
	const struct coll_frame frame = coll_frame(COLL_FRAME_ABANDON, 0);
	int ret = 0;

	for (int r = 1; !ret && !oob->abandoned && oob->rank == SERVER && r < oob->ranks; r++)
		ret = send_all(oob, r, &frame, sizeof(frame));
	oob->abandoned = true;
	return ret;
}

/*
 * Process unexpected data from @peer. The data is the peer's part of the next gather, the
 * request to end the attempt, or the reason of a failure.
 */
static int take_unexpected(struct coll_oob *oob, int peer)
{
	struct coll_frame frame;

	if (recv(oob->fds[peer], &frame, sizeof(frame),
		 MSG_PEEK | MSG_DONTWAIT) != (ssize_t)sizeof(frame))
		return 0;
	if (frame.kind == COLL_FRAME_WORDS)
		return peer_gone(oob, peer);
	if (frame.kind == COLL_FRAME_ABANDON) {
		oob->abandoned = true;
		return recv_all(oob, peer, &frame, sizeof(frame));
	}
	oob->early[peer] = true;
	return frame.kind == COLL_FRAME_BROKEN ? abandon(oob) : 0;
}

/**
 * coll_star_look() - check the descriptors of coll_star_watch() after a wait
 * @oob: sockets to the other ranks
 * @fds: the descriptors
 * @n: number of @fds
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_star_look(struct coll_oob *oob, const struct pollfd *fds, int n)
{
	int ret = 0;

	for (int i = 0; !ret && i < n; i++) {
		int peer = oob->rank == SERVER ? i + 1 : SERVER;

		if (fds[i].revents & ~POLLIN)
			ret = peer_gone(oob, peer);
		else if (fds[i].revents)
			ret = take_unexpected(oob, peer);
	}
	return ret;
}

/*
 * Show how many ranks have sent their part of the first gather: the ranks before @peer, and
 * those in @oob->early.
 */
static void show_arrived(const struct coll_oob *oob, int peer)
{
	int arrived = peer;

	for (int r = peer; r < oob->ranks; r++)
		arrived += oob->early[r];
	rf_waiting("%d of %d ranks are connected", arrived, oob->ranks);
}

/*
 * Wait for the part of @peer. The server receives the parts in order of rank, so it
 * must also check whether another rank fails during this wait.
 */
static int await_part(struct coll_oob *oob, int peer)
{
	uint64_t until = part_deadline(oob);
	struct pollfd fds[COLL_RANKS_MAX];
	int n, ret = take_unexpected(oob, peer);

	while (!ret && !oob->early[peer]) {
		if (rf_waiting_shown)
			show_arrived(oob, peer);
		n = coll_star_watch(oob, fds);
		ret = coll_sleep(oob->waiter, fds, n, coll_wake_time(until));
		if (ret == -ETIMEDOUT && rf_now_ns() < until) {
			ret = 0;
			continue;
		}
		ret = outcome(oob, peer, ret);
		if (!ret)
			ret = coll_star_look(oob, fds, n);
	}
	return ret;
}

static int hub_allgather(struct coll_oob *oob, const void *mine, size_t len,
			 char *all)
{
	int ret = 0;

	memcpy(all + SERVER * len, mine, len);
	for (int r = 1; !ret && r < oob->ranks; r++) {
		ret = await_part(oob, r);
		if (!ret)
			ret = receive_part(oob, r, all + (size_t)r * len, len);
	}
	for (int r = 1; !ret && r < oob->ranks; r++)
		ret = send_part(oob, r, COLL_FRAME_GATHER, all, (size_t)oob->ranks * len);
	return ret;
}

static int gather_parts(struct coll_oob *oob, enum coll_frame_kind kind, const void *mine,
			size_t len, void *all)
{
	int ret;

	if (oob->rank == SERVER)
		return hub_allgather(oob, mine, len, all);
	ret = send_part(oob, SERVER, kind, mine, len);
	return ret ? ret : receive_part(oob, SERVER, all, (size_t)oob->ranks * len);
}

/**
 * coll_allgather() - exchange bytes with every rank
 * @oob: sockets to the other ranks
 * @mine: data of this rank
 * @len: size of @mine, the same for all ranks
 * @all: gets the data of all ranks
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all)
{
	return gather_parts(oob, COLL_FRAME_GATHER, mine, len, all);
}

/**
 * coll_agree() - exchange which rails have failed; all ranks end their attempt if one has
 * @oob: sockets to the other ranks
 * @broken: bit r: rail r failed in this rank
 * @all: gets the bits of all ranks
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_agree(struct coll_oob *oob, uint32_t broken, uint32_t *all)
{
	int ret = broken ? abandon(oob) : 0;

	if (!ret)
		ret = gather_parts(oob, broken ? COLL_FRAME_BROKEN : COLL_FRAME_GATHER, &broken,
				   sizeof(broken), all);
	oob->abandoned = false;
	return ret;
}

/**
 * coll_star_create() - create the socket pairs, before the ranks are forked
 * @ranks: number of ranks
 * @fds: for rank r > 0 the server's end and the client's end; entry 0 is unused
 *
 * Return: 0 or -errno.
 */
int coll_star_create(int ranks, int fds[][2])
{
	for (int r = 1; r < ranks; r++)
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds[r]))
			return -errno;
	return 0;
}

/**
 * coll_star_init() - in a rank: keep this rank's ends of the sockets, close the others
 * @oob: the caller sets rank, ranks, state and waiter; the function sets the sockets
 * @fds: both ends of each socket pair; -1: this end is not open in this process
 */
void coll_star_init(struct coll_oob *oob, int fds[][2])
{
	memset(oob->fds, -1, sizeof(oob->fds));
	for (int r = 1; r < oob->ranks; r++) {
		if (oob->rank == SERVER)
			oob->fds[r] = fds[r][0];
		else
			close(fds[r][0]);
		if (oob->rank == r)
			oob->fds[SERVER] = fds[r][1];
		else
			close(fds[r][1]);
	}
}

/*
 * Return the reason to send to the other ranks: the reason of the rank that failed first,
 * if it is known; otherwise the reason of this rank.
 */
static const struct coll_words *last_words(struct coll_oob *oob)
{
	struct coll_words *words = &oob->first;
	const struct coll_state *st = oob->state;

	if (words->status == COLL_OK) {
		words->status = st->status;
		coll_rank_name(st, oob->rank, words->name, sizeof(words->name));
		memcpy(words->error, st->error, sizeof(words->error));
	}
	return words;
}

static void send_words(int fd, const struct coll_words *words)
{
	struct {
		struct coll_frame frame;
		struct coll_words words;
	} msg = { coll_frame(COLL_FRAME_WORDS, coll_words_len(words)), *words };

	/*
	 * Ignore errors. A peer that does not get the reason has already ended, or will
	 * notice that the socket is closed.
	 */
	send(fd, &msg, sizeof(msg.frame) + msg.frame.len,
	     MSG_DONTWAIT | MSG_NOSIGNAL);
}

/*
 * Closing a TCP socket that has unread bytes resets the connection, and the peer can miss
 * the data that was sent last. So read these bytes first. The limit is for a peer that
 * does not stop sending.
 */
static void hang_up(int fd)
{
	int left = UNREAD_MAX;
	char buf[512];

	shutdown(fd, SHUT_WR);
	while (left-- && recv(fd, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
	close(fd);
}

/**
 * coll_star_close() - close the sockets; after a failure, send the reason first
 * @oob: the sockets
 *
 * If the job has a timeline and the ranks have no common status page, the ranks send
 * their state to rank 0 before the sockets are closed.
 */
void coll_star_close(struct coll_oob *oob)
{
	bool failed = oob->state->status >= COLL_FAILED;

	for (int r = 0; failed && r < oob->ranks; r++)
		if (oob->fds[r] >= 0)
			send_words(oob->fds[r], last_words(oob));
	if (oob->state->host[0] && oob->state->max_records)
		coll_status_page_collect(oob);
	for (int r = 0; r < oob->ranks; r++)
		if (oob->fds[r] >= 0)
			hang_up(oob->fds[r]);
}

/**
 * coll_barrier() - wait until every rank has entered the barrier
 * @oob: sockets to the other ranks
 * @waited_ns: the function adds its waiting time to this variable; can be NULL
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_barrier(struct coll_oob *oob, uint64_t *waited_ns)
{
	uint32_t mine = oob->state->step, all[COLL_RANKS_MAX];
	uint64_t start = rf_now_ns();
	int ret;

	coll_at(oob->state, "barrier", 0, 0);
	ret = coll_allgather(oob, &mine, sizeof(mine), all);
	if (waited_ns)
		*waited_ns += rf_now_ns() - start;
	for (int r = 0; !ret && r < oob->ranks; r++)
		if (all[r] != mine)
			ret = coll_fail(oob->state, COLL_FAILED,
					"rank %d is in step %u, this rank in step %u",
					r, all[r], mine);
	return ret;
}
