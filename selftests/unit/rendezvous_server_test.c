// SPDX-License-Identifier: GPL-2.0
/*
 * Test the rendezvous at rank 0, where the ranks of a job connect, while other programs
 * connect, too. Rank 0 must close a connection without a valid hello of this job, and must
 * still accept the ranks of the job.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "status_page.c"
#include "wait.c"
#include "wire.c"
#include "rendezvous.c"
#include "../../tools/base/waiting.c"
#include "tap.h"

#define RANKS		3
#define TOKEN		0x1234567890abcdefull
#define ARGUMENTS	"-N 3\n"

static struct sockaddr_un address = { .sun_family = AF_UNIX };

struct greeting {
	struct coll_frame frame;
	struct coll_hello hello;
	char arguments[sizeof(ARGUMENTS)];
} __attribute__((packed));

static struct greeting greeting(int rank)
{
	struct greeting g = {
		.frame = coll_frame(COLL_FRAME_HELLO, sizeof(g) - sizeof(g.frame)),
		.hello = { .token = TOKEN, .rank = rank, .ranks = RANKS,
			   .pid = 100 + rank },
		.arguments = ARGUMENTS,
	};

	return g;
}

static int listen_here(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	socklen_t len = sizeof(address);

	/* The kernel chooses an abstract address. */
	if (fd < 0 || bind(fd, (void *)&address, sizeof(sa_family_t)) ||
	    listen(fd, BACKLOG) || getsockname(fd, (void *)&address, &len))
		abort();
	return fd;
}

static int visit(const void *what, size_t len)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t room = sizeof(sa_family_t) + 6;

	if (fd < 0 || connect(fd, (void *)&address, room) ||
	    send(fd, what, len, MSG_NOSIGNAL) != (ssize_t)len)
		_exit(99);
	return fd;
}

/* Send @what to rank 0. Return: true if rank 0 closes the connection without a reply */
static bool is_sent_away(const void *what, size_t len)
{
	int fd = visit(what, len);
	char byte;
	bool away = recv(fd, &byte, 1, 0) <= 0;

	close(fd);
	return away;
}

static bool is_answered(int fd, enum coll_frame_kind kind)
{
	struct coll_frame frame;

	return recv(fd, &frame, sizeof(frame), MSG_WAITALL) == sizeof(frame) &&
	       frame.kind == kind;
}

/* Kinds of invalid hello messages that other programs send to rank 0 */
enum {
	HTTP, MAGIC, KIND, SHORT, LONG, WRAPS, OTHER_JOB, HUB, HIGH, LOW, MANY, NO_PID,
	BAD_PID, INTRUDERS
};

static const char *const intruder_name[INTRUDERS] = {
	"another protocol", "another byte order", "another kind of frame",
	"no arguments", "too many arguments", "a length that wraps",
	"another job's token", "rank 0", "a rank beyond the number of ranks",
	"a negative rank", "more ranks than the maximum", "process 0",
	"a negative process",
};

static bool intruder_goes(int which)
{
	struct greeting g = greeting(1);

	if (which == MAGIC)
		g.frame.magic = __builtin_bswap32(g.frame.magic);
	else if (which == KIND)
		g.frame.kind = COLL_FRAME_GATHER;
	else if (which == SHORT)
		g.frame.len = sizeof(g.hello);
	else if (which == LONG)
		g.frame.len = sizeof(g.hello) + COLL_ARGUMENTS_MAX + 1;
	else if (which == WRAPS)
		g.frame.len = UINT64_MAX - sizeof(g.frame) + 1;
	else if (which == OTHER_JOB)
		g.hello.token++;
	else if (which == HUB)
		g.hello.rank = 0;
	else if (which == HIGH)
		g.hello.rank = RANKS;
	else if (which == LOW)
		g.hello.rank = -1;
	else if (which == MANY)
		g.hello.ranks = COLL_RANKS_MAX + 1;
	else if (which == NO_PID)
		g.hello.pid = 0;
	else if (which == BAD_PID)
		g.hello.pid = -1;
	return which == HTTP ? is_sent_away("GET / HTTP/1.0\r\n\r\n", 18) :
			       is_sent_away(&g, sizeof(g));
}

/*
 * Connect with each kind of invalid hello, and then with valid hellos of two ranks. Return: a
 * mask. Bit i is set if rank 0 did not close the connection with invalid hello i. Bit INTRUDERS
 * is set if one of the two ranks did not get all replies
 */
static int visitors(void)
{
	struct greeting one = greeting(1), two = greeting(2);
	int stayed = 0, fds[2];

	for (int i = 0; i < INTRUDERS; i++)
		stayed |= !intruder_goes(i) << i;
	fds[0] = visit(&one, sizeof(one));
	if (!is_answered(fds[0], COLL_FRAME_SEEN))
		stayed |= 1 << INTRUDERS;
	fds[1] = visit(&two, sizeof(two));
	if (!is_answered(fds[1], COLL_FRAME_SEEN) ||
	    !is_answered(fds[0], COLL_FRAME_READY) ||
	    !is_answered(fds[1], COLL_FRAME_READY))
		stayed |= 1 << INTRUDERS;
	return stayed;
}

int main(void)
{
	struct coll_state state = { .pid = getpid() };
	const struct coll_waiter waiter = {
		.stop_fd = -1, .launcher_fd = -1,
		.deadline_ns = 20 * COLL_NSEC_PER_SEC,
	};
	const struct coll_own_rank own = {
		.ranks = RANKS, .token = TOKEN, .listen_fd = listen_here(),
		.hosts = { "here" }, .member = "rank",
	};
	struct coll_rendezvous_state m = {
		.own = &own, .waiter = &waiter, .state = &state,
		.arguments = ARGUMENTS,
	};
	int result[2], stayed = -1;
	pid_t pid;

	alarm(60);
	if (pipe(result))
		return 1;
	pid = fork();
	if (!pid) {
		close(own.listen_fd);
		stayed = visitors();
		_exit(write(result[1], &stayed, sizeof(stayed)) < 0);
	}
	close(result[1]);
	memset(m.fds, -1, sizeof(m.fds));
	ok(!run_server(&m), "the server succeeds when all ranks have connected%s", state.error);
	ok(m.fds[1] >= 0 && m.fds[2] >= 0, "the server returns a connection to each rank");
	ok(read(result[0], &stayed, sizeof(stayed)) == sizeof(stayed) &&
	   !(stayed >> INTRUDERS), "the server sends a reply to each rank");
	for (int i = 0; i < INTRUDERS; i++)
		ok(!(stayed >> i & 1), "the server closes a connection with %s", intruder_name[i]);
	waitpid(pid, NULL, 0);
	return done_testing();
}
