// SPDX-License-Identifier: GPL-2.0
/*
 * Test that rank 0 collects the status of the other ranks and validates each status: its size
 * must agree with the counts in it, and strings must be terminated. A peer that sends frames
 * without end must not delay rank 0 beyond the deadline.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "status_page.c"
#include "wait.c"

static ssize_t scripted_recv(int fd, void *buf, size_t len, int flags);

#define recv scripted_recv
#include "wire.c"
#undef recv
#include "collect.c"
#include "../../tools/base/waiting.c"
#include "tap.h"

#define RANKS		2
#define RECORDS		4
#define DEADLINE_NS	(COLL_NSEC_PER_SEC / 10)

static struct coll_waiter waiter = {
	.stop_fd = -1, .launcher_fd = -1, .deadline_ns = DEADLINE_NS,
};

static struct coll_state *states;
static struct coll_oob server;
static int client;

/* What rank 1 sends */
static struct {
	struct coll_frame frame;
	uint8_t bytes[sizeof(struct coll_state) + RECORDS * sizeof(struct coll_record) +
		      sizeof(struct coll_wait)];
} part;

static struct coll_frame flood;	/* the peer sends this frame without end, if it is set */
static unsigned long reads;

/* Simulate a peer that always sends faster than rank 0 reads. */
static ssize_t scripted_recv(int fd, void *buf, size_t len, int flags)
{
	if (!flood.magic)
		return recv(fd, buf, len, flags);
	reads++;
	memset(buf, 0, len);
	if (len == sizeof(flood))
		memcpy(buf, &flood, len);
	return (ssize_t)len;
}

static void begin(void)
{
	int fds[2];

	states = coll_status_page_create(RANKS, RECORDS);
	if (!states || socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		abort();
	server = (struct coll_oob){ .ranks = RANKS, .state = states, .waiter = &waiter };
	server.fds[0] = -1;
	server.fds[1] = fds[0];
	client = fds[1];
}

static void end(void)
{
	close(server.fds[1]);
	close(client);
}

/* Make a status of a rank with @n_qps queue pairs and @n_records records. */
static void compose(int n_qps, uint64_t n_records)
{
	struct coll_state *st = (void *)part.bytes;
	size_t qps = (size_t)n_qps * sizeof(st->qps[0]);

	memset(&part, 0, sizeof(part));
	st->n_qps = n_qps;
	st->n_records = n_records;
	part.frame = coll_frame(COLL_FRAME_STATE,
				HEAD + qps + n_records * sizeof(struct coll_record));
}

static void deliver(size_t len)
{
	if (send(client, &part, sizeof(part.frame) + len, MSG_NOSIGNAL) !=
	    (ssize_t)(sizeof(part.frame) + len))
		abort();
	shutdown(client, SHUT_WR);
	coll_status_page_collect(&server);
}

static bool unknown_end(void)
{
	return !states[1].n_qps && !states[1].n_records &&
	       states[1].status == COLL_LOST_PEER &&
	       !strcmp(states[1].error, "it did not report how it ended");
}

static void a_part(void)
{
	const struct coll_wait wait = { .start_ns = 1000, .end_ns = 2000, .peer = 3 };
	const struct coll_record rec[2] = { { }, { .bytes = 4711 } };

	begin();
	compose(0, 2);
	memcpy(part.bytes + HEAD, rec, sizeof(rec));
	deliver(part.frame.len);
	ok(states[1].status == COLL_OK && states[1].n_records == 2 &&
	   states[1].records[1].bytes == 4711, "coll_status_page_collect() accepts a valid status of a rank");
	end();

	begin();
	compose(0, 2);
	((struct coll_state *)part.bytes)->n_waits = 1;
	((struct coll_state *)part.bytes)->clock_ns = -100;
	memcpy(part.bytes + HEAD + sizeof(rec), &wait, sizeof(wait));
	part.frame.len += sizeof(wait);
	deliver(part.frame.len);
	ok(states[1].n_waits == 1 && states[1].waits[0].peer == 3 &&
	   states[1].waits[0].start_ns == 900 && states[1].waits[0].end_ns == 1900,
	   "coll_status_page_collect() accepts the waits of a rank, and converts their times");
	end();
}

static void wrong_sizes(void)
{
	struct coll_state *st = (void *)part.bytes;

	begin();
	compose(0, RECORDS);
	part.frame.len += sizeof(struct coll_record);
	st->n_records++;
	deliver(HEAD);
	ok(unknown_end(), "coll_status_page_collect() refuses more records than there is room for");
	end();

	begin();
	compose(0, 0);
	st->n_waits = COLL_WAITS_MAX + 1;
	part.frame.len += (COLL_WAITS_MAX + 1) * sizeof(struct coll_wait);
	deliver(HEAD);
	ok(unknown_end(), "coll_status_page_collect() refuses more waits than there is room for");
	end();

	begin();
	compose(0, 0);
	st->n_qps = COLL_QPS_MAX + 1;
	part.frame.len += (COLL_QPS_MAX + 1) * sizeof(st->qps[0]);
	deliver(HEAD);
	ok(unknown_end(), "coll_status_page_collect() refuses more queue pairs than there is room for");
	end();

	begin();
	compose(0, 0);
	st->n_qps = -1;
	deliver(HEAD);
	ok(unknown_end(), "coll_status_page_collect() refuses a negative number of queue pairs");
	end();

	begin();
	compose(0, 1);
	part.frame.len--;
	deliver(HEAD);
	ok(unknown_end(), "coll_status_page_collect() refuses a length that differs from the counts");
	end();
}

static bool has_end(const char *text, size_t room)
{
	return strnlen(text, room) < room;
}

static bool texts_end(const struct coll_state *st)
{
	bool good = has_end(st->host, sizeof(st->host)) &&
		    has_end(st->rail[0].name, sizeof(st->rail[0].name)) &&
		    has_end(st->rail[1].netdev, sizeof(st->rail[1].netdev)) &&
		    has_end(st->error, sizeof(st->error));

	for (int i = 0; i < st->n_qps; i++)
		good &= has_end(st->qps[i].dir, sizeof(st->qps[i].dir)) &&
			has_end(st->qps[i].addr, sizeof(st->qps[i].addr)) &&
			has_end(st->qps[i].peer_addr,
				sizeof(st->qps[i].peer_addr)) &&
			st->qps[i].rail < COLL_RAILS_MAX;
	return good;
}

static void texts(void)
{
	struct coll_state *st = (void *)part.bytes;

	begin();
	compose(2, 0);
	memset(st->host, 'x', sizeof(st->host));
	memset(st->rail, 'x', sizeof(st->rail));
	memset(st->error, 'x', sizeof(st->error));
	memset(st->qps, 'x', 2 * sizeof(st->qps[0]));
	deliver(part.frame.len);
	ok(states[1].n_qps == 2 && texts_end(&states[1]),
	   "coll_status_page_collect() terminates unterminated strings");
	end();

	begin();
	part.frame.len--;
	deliver(HEAD);
	ok(unknown_end() && texts_end(&states[1]),
	   "coll_status_page_collect() leaves terminated strings after it refused a status");
	end();
}

static void flooded(const char *what, uint64_t len)
{
	begin();
	flood = coll_frame(COLL_FRAME_GATHER, len);
	reads = 0;
	coll_status_page_collect(&server);
	ok(unknown_end(), "coll_status_page_collect() ends at the deadline if a peer sends %s: %lu reads", what, reads);
	flood.magic = 0;
	end();
}

int main(void)
{
	alarm(20);
	a_part();
	wrong_sizes();
	texts();
	flooded("frames without end", 0);
	flooded("a frame without an end", UINT64_MAX);
	return done_testing();
}
