// SPDX-License-Identifier: GPL-2.0
/*
 * The client of the rendezvous, in all ranks except rank 0: connect to rank 0, send
 * a hello, and wait for the other ranks.
 *
 * Rank 0 can start later than this rank. Rank 0 can also have several addresses, of which
 * some can lead to another machine. So this rank tries each address for a short time, and
 * repeats this until rank 0 accepts the hello or the deadline expires.
 */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "rendezvous.h"
#include "waiting.h"
#include "wire.h"

#define TRY_NS		(3 * COLL_NSEC_PER_SEC)	/* time for one address */
#define PAUSE_NS	(100 * COLL_NSEC_PER_MSEC)	/* between two tries of all addresses */
/* A client waits this much longer than rank 0, so that rank 0 can first report a failure. */
#define GRACE_NS	(2 * COLL_NSEC_PER_SEC)

struct client {
	struct coll_rendezvous_state *m;
	uint64_t until;
	int fd;
	char why[96];		/* reason of the last failure */
};

/*
 * Sleep until the socket is ready for @events, at most until the time @until. Return: 0 or
 * -errno
 */
static int await(struct client *s, short events, uint64_t until)
{
	struct pollfd fd = { .fd = s->fd, .events = events };

	return coll_sleep(s->m->waiter, &fd, 1, until);
}

static int put(struct client *s, const void *buf, size_t len, uint64_t until)
{
	return coll_wire_send(s->fd, buf, len, s->m->waiter, until);
}

static int get(struct client *s, void *buf, size_t len, uint64_t until)
{
	return coll_wire_recv(s->fd, buf, len, s->m->waiter, until);
}

static int connect_to(struct client *s, const struct addrinfo *ai, uint64_t until)
{
	int err = 0, ret;
	socklen_t len = sizeof(err);

	s->fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0);
	if (s->fd < 0)
		return -errno;
	if (!connect(s->fd, ai->ai_addr, ai->ai_addrlen))
		return 0;
	if (errno != EINPROGRESS)
		return -errno;
	ret = await(s, POLLOUT, until);
	if (!ret && getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &err, &len))
		err = errno;
	return ret ? ret : -err;
}

static int say_hello(struct client *s, uint64_t until)
{
	const struct coll_own_rank *own = s->m->own;
	size_t len = strlen(s->m->arguments) + 1;
	struct coll_hello hello = {
		.token = own->token,
		.rank = own->rank,
		.ranks = own->ranks,
		.pid = (int32_t)s->m->state->pid,
	};
	struct coll_frame frame = coll_frame(COLL_FRAME_HELLO, sizeof(hello) + len);
	int ret;

	memcpy(hello.host, s->m->state->host, sizeof(hello.host));
	ret = put(s, &frame, sizeof(frame), until);
	if (!ret)
		ret = put(s, &hello, sizeof(hello), until);
	if (!ret)
		ret = put(s, s->m->arguments, len, until);
	return ret;
}

/* Receive from rank 0 why the job has failed, and make this rank fail with that reason. */
static int hear_words(struct client *s, const struct coll_frame *frame,
		      uint64_t until)
{
	struct coll_words words;

	if (!coll_words_fit(frame->len) || get(s, &words, frame->len, until))
		return -EPROTO;
	((char *)&words)[frame->len - 1] = '\0';
	coll_fail(s->m->state, COLL_LOST_PEER, "%s", words.error);
	return -EIO;
}

static int hear(struct client *s, enum coll_frame_kind kind, uint64_t until)
{
	struct coll_frame frame;
	int ret = get(s, &frame, sizeof(frame), until);

	if (ret)
		return ret;
	if (frame.magic == COLL_WIRE_MAGIC && frame.kind == COLL_FRAME_WORDS)
		return hear_words(s, &frame, until);
	if (frame.magic != COLL_WIRE_MAGIC || frame.kind != kind)
		return -EPROTO;
	return 0;
}

static int try_address(struct client *s, const struct addrinfo *ai)
{
	uint64_t until = coll_now() + TRY_NS;
	int ret;

	if (until > s->until)
		until = s->until;
	ret = connect_to(s, ai, until);
	if (!ret)
		ret = say_hello(s, until);
	if (!ret)
		ret = hear(s, COLL_FRAME_SEEN, until);
	if (ret && s->fd >= 0) {
		close(s->fd);
		s->fd = -1;
	}
	return ret;
}

/*
 * Store why an attempt to connect failed. After a timeout, keep the reason of an earlier
 * attempt, which says more.
 */
static void note_why(struct client *s, int err)
{
	if (err == -ECONNRESET || err == -EPROTO)
		snprintf(s->why, sizeof(s->why),
			 "something else answers there, or another job");
	else if (err != -ETIMEDOUT)
		snprintf(s->why, sizeof(s->why), "%s", strerror(-err));
}

/*
 * Try all addresses of the name @host. If an attempt returns -EINTR or -EIO, stop; after
 * another error, try the next address.
 */
static int try_host(struct client *s, const char *host)
{
	struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV,
	}, *list;
	char service[8];
	int ret;

	snprintf(service, sizeof(service), "%u", s->m->own->port);
	ret = getaddrinfo(host, service, &hints, &list);
	if (ret) {
		snprintf(s->why, sizeof(s->why), "%s", gai_strerror(ret));
		return -EADDRNOTAVAIL;
	}
	ret = -EADDRNOTAVAIL;
	for (struct addrinfo *ai = list; ai; ai = ai->ai_next) {
		ret = try_address(s, ai);
		if (!ret || ret == -EINTR || ret == -EIO)
			break;
		note_why(s, ret);
	}
	freeaddrinfo(list);
	return ret;
}

static int try_all(struct client *s)
{
	int ret = -EADDRNOTAVAIL;

	for (int i = 0; i < s->m->own->n_hosts && coll_now() < s->until; i++) {
		ret = try_host(s, s->m->own->hosts[i]);
		if (!ret || ret == -EINTR || ret == -EIO)
			return ret;
	}
	return ret;
}

static int not_found(struct client *s)
{
	const struct coll_own_rank *own = s->m->own;

	return coll_fail(s->m->state, COLL_FAILED,
			 "no rank 0 at %s:%u (%s) within %g s: %s",
			 own->hosts[0], own->port, own->launcher,
			 (double)s->m->waiter->deadline_ns / COLL_NSEC_PER_SEC,
			 s->why);
}

static int find_hub(struct client *s)
{
	int ret;

	while ((ret = try_all(s))) {
		rf_waiting("waiting for rank 0 at %s:%u", s->m->own->hosts[0],
			   s->m->own->port);
		if (ret == -EIO)
			return ret;
		if (ret != -EINTR && coll_now() >= s->until)
			return not_found(s);
		if (ret == -EINTR ||
		    coll_sleep(s->m->waiter, NULL, 0, coll_now() + PAUSE_NS) == -EINTR)
			return coll_rendezvous_ended(s->m);
	}
	return 0;
}

static int wait_for_others(struct client *s)
{
	uint64_t until = coll_now() + s->m->waiter->deadline_ns + GRACE_NS;
	int ret = hear(s, COLL_FRAME_READY, until);

	if (ret == -EINTR)
		return coll_rendezvous_ended(s->m);
	if (ret == -ETIMEDOUT)
		return coll_fail(s->m->state, COLL_FAILED,
				 "rank 0 did not report that all ranks have connected");
	if (ret && ret != -EIO)
		return coll_fail(s->m->state, COLL_LOST_PEER,
				 "rank 0 disconnected before all ranks had connected");
	return ret;
}

/**
 * coll_rendezvous_client() - all ranks except 0: connect to rank 0, wait for the others
 * @m: state of the rendezvous
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_rendezvous_client(struct coll_rendezvous_state *m)
{
	struct client s = {
		.m = m,
		.until = coll_now() + m->waiter->deadline_ns,
		.fd = -1,
		.why = "no answer",
	};
	int ret = find_hub(&s);

	m->fds[0] = s.fd;
	return ret ? ret : wait_for_others(&s);
}
