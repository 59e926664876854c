// SPDX-License-Identifier: GPL-2.0
/*
 * The rendezvous of ranks that another launcher started.
 *
 * Each rank knows its number, the number of ranks, and the address of rank 0 (own_rank.c).
 * Rank 0 is the server and listens for connections. The other ranks are clients: they connect
 * and send their identity, their arguments, and a number that only ranks of this job know.
 * Rank 0 replies twice to each client: at once, and after the last client has connected. After
 * the rendezvous, oob.c uses the sockets.
 *
 * The rendezvous must complete within the deadline. Otherwise rank 0 sends the list
 * of missing ranks to its clients, which wait a little longer than rank 0.
 *
 * The sockets use keepalives and TCP_USER_TIMEOUT. If another machine disappears
 * (cable, power), they report an error within the deadline.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "err.h"
#include "ranks.h"
#include "wire.h"

static int ended_by_signal(struct coll_rendezvous_state *m)
{
	return coll_fail(m->state, COLL_ENDED, "terminated by a signal before all had connected");
}

/* ---- client ---- */

/*
 * Rank 0 can start later than this rank. Rank 0 can also have several addresses, of which
 * some can lead to another machine. So this rank tries each address for a short time, and
 * repeats this until rank 0 accepts the hello or the deadline expires.
 */

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
static int await_socket(struct client *s, short events, uint64_t until)
{
	struct pollfd fd = { .fd = s->fd, .events = events };

	return coll_sleep(s->m->waiter, &fd, 1, until);
}

static int send_bytes(struct client *s, const void *buf, size_t len, uint64_t until)
{
	return coll_wire_send(s->fd, buf, len, s->m->waiter, until);
}

static int receive_bytes(struct client *s, void *buf, size_t len, uint64_t until)
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
	ret = await_socket(s, POLLOUT, until);
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
	ret = send_bytes(s, &frame, sizeof(frame), until);
	if (!ret)
		ret = send_bytes(s, &hello, sizeof(hello), until);
	if (!ret)
		ret = send_bytes(s, s->m->arguments, len, until);
	return ret;
}

/* Receive from rank 0 why the job has failed, and make this rank fail with that reason. */
static int hear_words(struct client *s, const struct coll_frame *frame,
		      uint64_t until)
{
	struct coll_words words;

	if (!coll_words_fit(frame->len) || receive_bytes(s, &words, frame->len, until))
		return -EPROTO;
	((char *)&words)[frame->len - 1] = '\0';
	coll_fail(s->m->state, COLL_LOST_PEER, "%s", words.error);
	return -EIO;
}

static int await_frame(struct client *s, enum coll_frame_kind kind, uint64_t until)
{
	struct coll_frame frame;
	int ret = receive_bytes(s, &frame, sizeof(frame), until);

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
	uint64_t until = rf_now_ns() + TRY_NS;
	int ret;

	if (until > s->until)
		until = s->until;
	ret = connect_to(s, ai, until);
	if (!ret)
		ret = say_hello(s, until);
	if (!ret)
		ret = await_frame(s, COLL_FRAME_SEEN, until);
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

	for (int i = 0; i < s->m->own->n_hosts && rf_now_ns() < s->until; i++) {
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
			 "no %s 0 at %s:%u (%s) within %g s: %s",
			 own->member, own->hosts[0], own->port, own->launcher,
			 (double)s->m->waiter->deadline_ns / COLL_NSEC_PER_SEC,
			 s->why);
}

static int find_hub(struct client *s)
{
	int ret;

	while ((ret = try_all(s))) {
		rf_waiting("waiting for %s 0 at %s:%u", s->m->own->member,
			   s->m->own->hosts[0], s->m->own->port);
		if (ret == -EIO)
			return ret;
		if (ret != -EINTR && rf_now_ns() >= s->until)
			return not_found(s);
		if (ret == -EINTR ||
		    coll_sleep(s->m->waiter, NULL, 0, rf_now_ns() + PAUSE_NS) == -EINTR)
			return ended_by_signal(s->m);
	}
	return 0;
}

static int wait_for_others(struct client *s)
{
	uint64_t until = rf_now_ns() + s->m->waiter->deadline_ns + GRACE_NS;
	int ret = await_frame(s, COLL_FRAME_READY, until);

	if (ret == -EINTR)
		return ended_by_signal(s->m);
	if (ret == -ETIMEDOUT)
		return coll_fail(s->m->state, COLL_FAILED,
				 "%s 0 did not report that all have connected",
				 s->m->own->member);
	if (ret && ret != -EIO)
		return coll_fail(s->m->state, COLL_LOST_PEER,
				 "%s 0 disconnected before all had connected",
				 s->m->own->member);
	return ret;
}

static int run_client(struct coll_rendezvous_state *m)
{
	struct client s = {
		.m = m,
		.until = rf_now_ns() + m->waiter->deadline_ns,
		.fd = -1,
		.why = "no answer",
	};
	int ret = find_hub(&s);

	m->fds[0] = s.fd;
	return ret ? ret : wait_for_others(&s);
}

/* ---- server ---- */

/*
 * A connection is pending until a complete hello has arrived. Port scanners, health
 * checks and ranks of other jobs send other data or nothing. They are disconnected and do
 * not block the ranks. The job fails at once if the hello of a rank contradicts the
 * hellos of other ranks: the same rank is already connected, or the number of ranks or
 * the arguments differ. All connected ranks then get the reason.
 */

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

static int fail_rendezvous(struct server *h, const char *why)
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
	snprintf(why, sizeof(why), "%s %d on %s has %s, %s 0 has %s", h->m->own->member,
		 g->said.hello.rank, g->said.hello.host, theirs, h->m->own->member, ours);
	return fail_rendezvous(h, why);
}

static int check_hello(struct server *h, const struct coll_hello *hi)
{
	const struct coll_hello *there = &h->seated[hi->rank];
	const char *member = h->m->own->member;
	char why[COLL_ERROR_LEN];

	if (hi->ranks != h->m->own->ranks)
		snprintf(why, sizeof(why),
			 "%s %d on %s expects %d %ss, %s 0 expects %d", member, hi->rank,
			 hi->host, hi->ranks, member, member, h->m->own->ranks);
	else if (there->pid)
		snprintf(why, sizeof(why),
			 "%s %d exists twice: process %d on %s and process %d on %s",
			 member, hi->rank, there->pid, there->host, hi->pid, hi->host);
	else
		return 0;
	return fail_rendezvous(h, why);
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

static size_t bytes_due(const struct pending *g)
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
	ssize_t n = recv(g->fd, (char *)&g->said + g->got, bytes_due(g) - g->got,
			 MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n > 0)
		g->got += (size_t)n;
	if (n <= 0 || is_intruder(h, g)) {
		send_away(g);
		return 0;
	}
	if (g->got < sizeof(g->said.frame) || g->got < bytes_due(g))
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
	*g = (struct pending){ .fd = fd, .until = rf_now_ns() + PENDING_NS };
	h->n_pending++;
}

static void forget_gone(struct server *h)
{
	uint64_t now = rf_now_ns();
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

	snprintf(why, sizeof(why), "%s %d on %s disconnected before all had connected",
		 h->m->own->member, rank, h->seated[rank].host);
	return fail_rendezvous(h, why);
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

static int ranks_too_late(struct server *h)
{
	double s = (double)h->m->waiter->deadline_ns / COLL_NSEC_PER_SEC;
	char list[300];

	list_missing(h, list, sizeof(list));
	return coll_fail(h->m->state, COLL_FAILED,
			 "%d of %d %ss did not connect to %s:%u within %g s: %s%s %s",
			 h->missing, h->m->own->ranks, h->m->own->member, h->m->own->hosts[0],
			 h->m->own->port, s, h->m->own->member, h->missing > 1 ? "s" : "", list);
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

static int serve_ready(struct server *h, const struct pollfd *fds)
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
	rf_waiting("%s:%u: %d of %d %ss have joined", h->m->own->hosts[0], h->m->own->port,
		   h->m->own->ranks - h->missing, h->m->own->ranks, h->m->own->member);
	ret = coll_sleep(h->m->waiter, fds, n, next);
	if (ret == -EINTR)
		return ended_by_signal(h->m);
	if (ret == -ETIMEDOUT && rf_now_ns() >= until)
		return ranks_too_late(h);
	if (!ret)
		ret = serve_ready(h, fds);
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
	uint64_t until = rf_now_ns() + REST_NS;

	while (h->missing && rf_now_ns() < until &&
	       h->m->state->status == COLL_FAILED)
		one_round(h, until);
}

/* Send the result of the rendezvous (@ret) to all connections, including pending ones. */
static void send_result(struct server *h, int ret)
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
			 "%s 0 cannot listen on %s:%u (%s): %s; is there another %s 0?",
			 own->member, own->hosts[0], own->port, own->launcher,
			 strerror(-h->listen_fd), own->member);
}

static int run_server(struct coll_rendezvous_state *m)
{
	struct server *h = calloc(1, sizeof(*h));
	uint64_t until = rf_now_ns() + m->waiter->deadline_ns;
	int ret;

	if (!h)
		return coll_fail(m->state, COLL_FAILED, "no memory");
	h->m = m;
	h->missing = m->own->ranks - 1;
	ret = open_listener(h);
	while (!ret && h->missing)
		ret = one_round(h, until);
	if (ret && h->listen_fd >= 0 && rf_now_ns() < until)
		hear_the_rest(h);
	send_result(h, ret);
	if (h->listen_fd >= 0)
		close(h->listen_fd);
	free(h);
	return ret;
}

/* ---- both ---- */

#define PROBES	3

static void set_socket_option(int fd, int level, int option, uint64_t value)
{
	int v = value < 1 ? 1 : (int)value;

	setsockopt(fd, level, option, &v, sizeof(v));
}

static void guard(int fd, uint64_t deadline_ns)
{
	uint64_t s = deadline_ns / COLL_NSEC_PER_SEC;

	set_socket_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_socket_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_socket_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, s / (PROBES + 1));
	set_socket_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, s / (PROBES + 1));
	set_socket_option(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	set_socket_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, deadline_ns / COLL_NSEC_PER_MSEC);
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
	ret = m->own->rank ? run_client(m) : run_server(m);
	for (int r = 0; !ret && r < m->own->ranks; r++)
		if (m->fds[r] >= 0)
			guard(m->fds[r], m->waiter->deadline_ns);
	return ret;
}
