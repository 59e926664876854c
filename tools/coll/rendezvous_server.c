// SPDX-License-Identifier: GPL-2.0
/*
 * The server of the rendezvous, in rank 0.
 *
 * A connection is pending until a complete hello has arrived. Port scanners, health
 * checks and ranks of other jobs send other data or nothing. They are disconnected and do
 * not block the ranks. The job fails at once if the hello of a rank contradicts the
 * hellos of other ranks: the same rank is already connected, or the number of ranks or
 * the arguments differ. All connected ranks then get the reason.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "rendezvous.h"
#include "waiting.h"
#include "wire.h"

#define PENDING_MAX	16	/* pending connections */
#define PENDING_NS	(3 * COLL_NSEC_PER_SEC)	/* time for the hello */
#define REST_NS		COLL_NSEC_PER_SEC	/* after a failure, ranks can connect for 1 s */
#define BACKLOG		128

struct pending {
	int fd;
	uint64_t until;
	size_t got;
	bool heard;		/* the complete hello was received */
	struct {
		struct coll_frame frame;
		struct coll_hello hello;
		char arguments[COLL_ARGUMENTS_MAX];
	} said;
};

struct server {
	struct coll_rendezvous_state *m;
	int listen_fd;
	struct pending pending[PENDING_MAX];
	int n_pending;
	struct coll_hello seated[COLL_RANKS_MAX];
	int missing;
};

static int refuse(struct server *h, const char *why)
{
	return coll_fail(h->m->state, COLL_FAILED, "%s", why);
}

/* Find the first line in which the texts @a and @b differ. Both texts end with a newline. */
static void differing_line(const char *a, const char *b, char *line_a,
			   char *line_b, size_t len)
{
	size_t la = strcspn(a, "\n"), lb = strcspn(b, "\n");

	while (*a && *b && la == lb && !memcmp(a, b, la)) {
		a += la + 1;
		b += lb + 1;
		la = strcspn(a, "\n");
		lb = strcspn(b, "\n");
	}
	snprintf(line_a, len, "%.*s", (int)la, a);
	snprintf(line_b, len, "%.*s", (int)lb, b);
}

static int check_arguments(struct server *h, const struct pending *g)
{
	char theirs[COLL_ARGUMENTS_MAX], ours[COLL_ARGUMENTS_MAX];
	char why[COLL_ERROR_LEN];

	if (!strcmp(g->said.arguments, h->m->arguments))
		return 0;
	differing_line(g->said.arguments, h->m->arguments, theirs, ours,
		       sizeof(theirs));
	snprintf(why, sizeof(why), "rank %d on %s has %s, rank 0 has %s",
		 g->said.hello.rank, g->said.hello.host, theirs, ours);
	return refuse(h, why);
}

static int check_hello(struct server *h, const struct coll_hello *hi)
{
	const struct coll_hello *there = &h->seated[hi->rank];
	char why[COLL_ERROR_LEN];

	if (hi->ranks != h->m->own->ranks)
		snprintf(why, sizeof(why),
			 "rank %d on %s expects %d ranks, rank 0 expects %d",
			 hi->rank, hi->host, hi->ranks, h->m->own->ranks);
	else if (there->pid)
		snprintf(why, sizeof(why),
			 "rank %d exists twice: process %d on %s and process %d on %s",
			 hi->rank, there->pid, there->host, hi->pid, hi->host);
	else
		return 0;
	return refuse(h, why);
}

static int take_seat(struct server *h, struct pending *g)
{
	struct coll_frame seen = coll_frame(COLL_FRAME_SEEN, 0);
	struct coll_hello *hi = &g->said.hello;
	int ret = check_hello(h, hi);

	if (!ret)
		ret = check_arguments(h, g);
	if (ret)
		return ret;
	h->seated[hi->rank] = *hi;
	h->m->fds[hi->rank] = g->fd;
	h->missing--;
	g->fd = -1;
	send(h->m->fds[hi->rank], &seen, sizeof(seen),
	     MSG_DONTWAIT | MSG_NOSIGNAL);
	return 0;
}

/* Return true if the bytes received so far cannot be the start of a hello of this job. */
static bool is_intruder(const struct server *h, const struct pending *g)
{
	const struct coll_frame *frame = &g->said.frame;
	const struct coll_hello *hi = &g->said.hello;
	size_t least = sizeof(*hi) + 1, most = sizeof(g->said) - sizeof(*frame);

	if (g->got < sizeof(*frame))
		return memcmp(frame, &(uint32_t){ COLL_WIRE_MAGIC },
			      g->got < 4 ? g->got : 4);
	if (frame->magic != COLL_WIRE_MAGIC || frame->kind != COLL_FRAME_HELLO ||
	    frame->len < least || frame->len > most)
		return true;
	if (g->got < sizeof(*frame) + sizeof(*hi))
		return false;
	return hi->token != h->m->own->token || hi->ranks > COLL_RANKS_MAX ||
	       hi->rank < 1 || hi->rank >= hi->ranks || hi->pid < 1;
}

static size_t due(const struct pending *g)
{
	if (g->got < sizeof(g->said.frame))
		return sizeof(g->said.frame);
	return sizeof(g->said.frame) + g->said.frame.len;
}

static void send_away(struct pending *g)
{
	close(g->fd);
	g->fd = -1;
}

/* Receive another part of the hello from a pending connection. */
static int listen_to(struct server *h, struct pending *g)
{
	ssize_t n = recv(g->fd, (char *)&g->said + g->got, due(g) - g->got,
			 MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n > 0)
		g->got += (size_t)n;
	if (n <= 0 || is_intruder(h, g)) {
		send_away(g);
		return 0;
	}
	if (g->got < sizeof(g->said.frame) || g->got < due(g))
		return 0;
	((char *)&g->said)[g->got - 1] = '\0';
	g->said.hello.host[COLL_NAME_LEN - 1] = '\0';
	g->heard = true;
	return take_seat(h, g);
}

static void welcome(struct server *h)
{
	int fd = accept4(h->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct pending *g = &h->pending[h->n_pending];

	if (fd < 0)
		return;
	*g = (struct pending){ .fd = fd, .until = coll_now() + PENDING_NS };
	h->n_pending++;
}

static void forget_gone(struct server *h)
{
	uint64_t now = coll_now();
	int n = 0;

	for (int i = 0; i < h->n_pending; i++) {
		struct pending *g = &h->pending[i];

		if (g->fd >= 0 && now >= g->until && !g->heard)
			send_away(g);
		if (g->fd < 0)
			continue;
		if (n != i)
			h->pending[n] = *g;
		n++;
	}
	h->n_pending = n;
}

/* Fail because a connected rank has disconnected before all ranks connected. */
static int rank_left(struct server *h, int rank)
{
	char why[COLL_ERROR_LEN];

	snprintf(why, sizeof(why), "rank %d on %s disconnected before all ranks had connected",
		 rank, h->seated[rank].host);
	return refuse(h, why);
}

static void list_missing(const struct server *h, char *buf, size_t len)
{
	size_t n = 0;

	buf[0] = '\0';
	for (int r = 1; r < h->m->own->ranks && n < len; r++)
		if (!h->seated[r].pid)
			n += (size_t)snprintf(buf + n, len - n, "%s%d",
					      n ? ", " : "", r);
}

static int too_late(struct server *h)
{
	double s = (double)h->m->waiter->deadline_ns / COLL_NSEC_PER_SEC;
	char list[300];

	list_missing(h, list, sizeof(list));
	return coll_fail(h->m->state, COLL_FAILED,
			 "%d of %d ranks did not connect to %s:%u within %g s: rank%s %s",
			 h->missing, h->m->own->ranks, h->m->own->hosts[0],
			 h->m->own->port, s, h->missing > 1 ? "s" : "", list);
}

/*
 * Fill in the descriptors for poll(): the listening socket, the pending connections, the
 * connected ranks.
 */
static int watched(const struct server *h, struct pollfd *fds)
{
	int n = 0;

	fds[n++] = (struct pollfd){
		.fd = h->n_pending < PENDING_MAX ? h->listen_fd : -1,
		.events = POLLIN,
	};
	for (int i = 0; i < h->n_pending; i++)
		fds[n++] = (struct pollfd){
			.fd = h->pending[i].heard ? -1 : h->pending[i].fd,
			.events = POLLIN,
		};
	for (int r = 0; r < h->m->own->ranks; r++)
		fds[n++] = (struct pollfd){ .fd = h->m->fds[r],
					    .events = POLLRDHUP };
	return n;
}

static int attend(struct server *h, const struct pollfd *fds)
{
	const struct pollfd *of_seats = fds + 1 + h->n_pending;
	int pending = h->n_pending, ret = 0;

	for (int r = 0; !ret && r < h->m->own->ranks; r++)
		if (of_seats[r].fd >= 0 && of_seats[r].revents)
			ret = rank_left(h, r);
	for (int i = 0; !ret && i < pending; i++)
		if (fds[1 + i].revents)
			ret = listen_to(h, &h->pending[i]);
	if (!ret && fds[0].revents)
		welcome(h);
	return ret;
}

static int one_round(struct server *h, uint64_t until)
{
	struct pollfd fds[1 + PENDING_MAX + COLL_RANKS_MAX];
	uint64_t next = coll_wake_time(until);
	int n = watched(h, fds), ret;

	for (int i = 0; i < h->n_pending; i++)
		if (h->pending[i].until < next && !h->pending[i].heard)
			next = h->pending[i].until;
	rf_waiting("%s:%u: %d of %d ranks have joined", h->m->own->hosts[0],
		   h->m->own->port, h->m->own->ranks - h->missing,
		   h->m->own->ranks);
	ret = coll_sleep(h->m->waiter, fds, n, next);
	if (ret == -EINTR)
		return coll_rendezvous_ended(h->m);
	if (ret == -ETIMEDOUT && coll_now() >= until)
		return too_late(h);
	if (!ret)
		ret = attend(h, fds);
	else
		ret = 0;
	if (!ret)
		forget_gone(h);
	return ret;
}

/*
 * The job has failed, but some ranks can still try to connect. Accept their
 * connections for a short time, so that these ranks get the reason.
 */
static void hear_the_rest(struct server *h)
{
	uint64_t until = coll_now() + REST_NS;

	while (h->missing && coll_now() < until &&
	       h->m->state->status == COLL_FAILED)
		one_round(h, until);
}

/* Send the result of the rendezvous (@ret) to all connections, including pending ones. */
static void tell(struct server *h, int ret)
{
	struct {
		struct coll_frame frame;
		struct coll_words words;
	} msg = { .words.status = COLL_USAGE };
	struct coll_frame ready = coll_frame(COLL_FRAME_READY, 0);
	const void *buf = ret ? (const void *)&msg : &ready;
	size_t len = sizeof(ready);

	memcpy(msg.words.error, h->m->state->error, sizeof(msg.words.error));
	msg.frame = coll_frame(COLL_FRAME_WORDS, coll_words_len(&msg.words));
	if (ret)
		len += msg.frame.len;
	for (int r = 1; r < h->m->own->ranks; r++)
		if (h->m->fds[r] >= 0)
			send(h->m->fds[r], buf, len, MSG_NOSIGNAL);
	for (int i = 0; i < h->n_pending; i++) {
		if (h->pending[i].fd < 0)
			continue;
		if (ret)
			send(h->pending[i].fd, buf, len, MSG_NOSIGNAL);
		close(h->pending[i].fd);
	}
}

static int bound_to(const struct addrinfo *ai)
{
	int fd, one = 1;

	fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, ai->ai_addr, ai->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	one = -errno;
	close(fd);
	return one;
}

/**
 * coll_rendezvous_listen() - listen for the other ranks
 * @host: the address to listen on. If it is NULL or a name: all addresses of this machine
 * @port: the port. If it is 0, the kernel chooses a free port, which is stored here
 *
 * Return: a socket, or -errno.
 */
int coll_rendezvous_listen(const char *host, uint16_t *port)
{
	struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
	}, *ai;
	struct sockaddr_storage addr;
	socklen_t len = sizeof(addr);
	char service[8];
	int fd;

	snprintf(service, sizeof(service), "%u", *port);
	if (!host || getaddrinfo(host, service, &hints, &ai)) {
		hints.ai_family = AF_INET;
		if (getaddrinfo(NULL, service, &hints, &ai))
			return -EADDRNOTAVAIL;
	}
	fd = bound_to(ai);
	freeaddrinfo(ai);
	if (fd >= 0 && !getsockname(fd, (struct sockaddr *)&addr, &len))
		*port = ntohs(addr.ss_family == AF_INET6 ?
			      ((struct sockaddr_in6 *)&addr)->sin6_port :
			      ((struct sockaddr_in *)&addr)->sin_port);
	return fd;
}

static int open_listener(struct server *h)
{
	const struct coll_own_rank *own = h->m->own;
	uint16_t port = own->port;

	h->listen_fd = own->listen_fd >= 0 ? own->listen_fd :
		       coll_rendezvous_listen(own->hosts[0], &port);
	if (h->listen_fd >= 0)
		return 0;
	return coll_fail(h->m->state, COLL_FAILED,
			 "rank 0 cannot listen on %s:%u (%s): %s; is there another rank 0?",
			 own->hosts[0], own->port, own->launcher,
			 strerror(-h->listen_fd));
}

/**
 * coll_rendezvous_server() - rank 0: wait for all other ranks
 * @m: state of the rendezvous
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_rendezvous_server(struct coll_rendezvous_state *m)
{
	struct server *h = calloc(1, sizeof(*h));
	uint64_t until = coll_now() + m->waiter->deadline_ns;
	int ret;

	if (!h)
		return coll_fail(m->state, COLL_FAILED, "no memory");
	h->m = m;
	h->missing = m->own->ranks - 1;
	ret = open_listener(h);
	while (!ret && h->missing)
		ret = one_round(h, until);
	if (ret && h->listen_fd >= 0 && coll_now() < until)
		hear_the_rest(h);
	tell(h, ret);
	if (h->listen_fd >= 0)
		close(h->listen_fd);
	free(h);
	return ret;
}
