// SPDX-License-Identifier: GPL-2.0
/*
 * Test rank 0 in a barrier: the messages of the ranks can arrive in any order. Rank 0 detects
 * a failed rank at once, also while it waits for another rank that waits for the failed rank. If
 * the rail of a rank has failed, rank 0 tells the other ranks before it waits for them.
 */
#include <stdlib.h>

#include "status_page.c"
#include "wait.c"

static int scripted_sleep(const struct coll_waiter *w, struct pollfd *fds, int n,
			  uint64_t until_ns);
static ssize_t flooding_recv(int fd, void *buf, size_t len, int flags);

#define coll_sleep scripted_sleep
#include "wire.c"
#define recv flooding_recv
#include "oob.c"
#include "../../tools/base/waiting.c"
#undef recv
#undef coll_sleep
#include "golden.h"
#include "tap.h"

#define RANKS		3
#define DEADLINE_NS	(2 * COLL_NSEC_PER_SEC)
#define STEP		7

static struct coll_state state;
static struct coll_waiter waiter;
static struct coll_oob server;
static int clients[RANKS];
static int comes_asleep;	/* this rank's message arrives while rank 0 sleeps */

void coll_status_page_collect(struct coll_oob *oob)
{
	(void)oob;
}

static bool is_flooding;

static ssize_t flooding_recv(int fd, void *buf, size_t len, int flags)
{
	if (!is_flooding)
		return recv(fd, buf, len, flags);
	memset(buf, 0, len);
	return (ssize_t)len;
}

static void say(int rank, enum coll_frame_kind kind, uint32_t step)
{
	struct {
		struct coll_frame frame;
		uint32_t step;
	} __attribute__((packed)) msg = { coll_frame(kind, 4), step };

	if (send(clients[rank], &msg, sizeof(msg), 0) != sizeof(msg))
		abort();
}

static void part(int rank, uint32_t step)
{
	say(rank, COLL_FRAME_GATHER, step);
}

static int scripted_sleep(const struct coll_waiter *w, struct pollfd *fds, int n,
			  uint64_t until_ns)
{
	int rank = comes_asleep;

	comes_asleep = 0;
	if (rank)
		part(rank, STEP);
	return coll_sleep(w, fds, n, until_ns);
}

static void begin(void)
{
	int fds[RANKS][2];

	if (coll_star_create(RANKS, fds))
		abort();
	state = (struct coll_state){ .pid = getpid(), .step = STEP };
	server = (struct coll_oob){ .ranks = RANKS, .state = &state, .waiter = &waiter };
	waiter = (struct coll_waiter){
		.stop_fd = -1, .launcher_fd = -1, .deadline_ns = DEADLINE_NS,
	};
	memset(server.fds, -1, sizeof(server.fds));
	for (int r = 1; r < RANKS; r++) {
		server.fds[r] = fds[r][0];
		clients[r] = fds[r][1];
	}
}

static void end(void)
{
	for (int r = 1; r < RANKS; r++) {
		close(server.fds[r]);
		if (clients[r] >= 0)
			close(clients[r]);
	}
}

static void dies(int rank)
{
	close(clients[rank]);
	clients[rank] = -1;
}

static bool heard(int rank)
{
	struct {
		struct coll_frame frame;
		uint32_t all[RANKS];
	} __attribute__((packed)) msg;

	return recv(clients[rank], &msg, sizeof(msg), MSG_DONTWAIT) == sizeof(msg) &&
	       msg.all[0] == STEP && msg.all[1] == STEP && msg.all[2] == STEP;
}

static void all_come(void)
{
	begin();
	part(2, STEP);
	part(1, STEP);
	ok(!coll_barrier(&server, NULL), "a barrier ends if all messages have arrived before rank 0 enters");
	ok(heard(1) && heard(2), "both ranks get a reply if their messages arrived before rank 0 entered");
	end();

	begin();
	part(2, STEP);
	comes_asleep = 1;
	ok(!coll_barrier(&server, NULL), "a barrier ends if rank 2 enters before and rank 1 after rank 0");
	ok(heard(1) && heard(2), "both ranks get a reply if rank 1 enters after rank 0");
	end();

	begin();
	part(1, STEP);
	part(2, STEP - 1);
	ok(coll_barrier(&server, NULL), "a barrier fails if a rank is in another step");
	golden(state.error, "rank 2 is one step behind");
	end();
}

/* Return: true if rank 0 told this rank to end its attempt, and nothing before */
static bool is_told(int rank)
{
	struct coll_frame frame;

	return recv(clients[rank], &frame, sizeof(frame), MSG_DONTWAIT) == sizeof(frame) &&
	       frame.kind == COLL_FRAME_ABANDON;
}

static void agreements(void)
{
	uint32_t all[RANKS];

	begin();
	part(1, 0);
	part(2, 0);
	ok(!coll_agree(&server, 0, all) && !all[1] && !all[2] && !is_told(1),
	   "an agreement without a failed rail tells no rank to end its attempt");
	end();

	begin();
	say(2, COLL_FRAME_BROKEN, 1);
	part(1, 0);
	ok(!coll_agree(&server, 0, all) && all[2] == 1 && !all[1],
	   "an agreement returns the rail that failed in rank 2");
	ok(is_told(1) && is_told(2), "rank 0 tells both ranks to end their attempt");
	ok(!server.abandoned, "after the agreement, the next attempt can begin");
	end();

	begin();
	part(1, 0);
	part(2, 0);
	ok(!coll_agree(&server, 2, all) && all[0] == 2 && is_told(1) && is_told(2),
	   "rank 0 tells both ranks to end their attempt if its own rail failed");
	end();

	begin();
	say(2, COLL_FRAME_BROKEN, 1);
	ok(!take_unexpected(&server, 2) && server.abandoned && is_told(1),
	   "rank 0 ends its own attempt if a rail failed in rank 2");
	end();
}

static void failures(void)
{
	struct coll_oob rank2 = { .rank = 2, .ranks = RANKS };
	struct coll_state state2 = { .pid = getpid(), .step = STEP };
	uint64_t start = rf_now_ns();

	begin();
	dies(2);
	ok(coll_barrier(&server, NULL) && state.status == COLL_LOST_PEER,
	   "a barrier fails if rank 2 has died while rank 0 waits for rank 1");
	golden(state.error, "rank 2 is gone");
	end();

	begin();
	part(2, STEP);
	dies(2);
	ok(coll_barrier(&server, NULL) && state.status == COLL_LOST_PEER,
	   "a barrier fails if rank 2 has died after its message arrived");
	golden(state.error, "rank 2 is gone after its part came");
	end();

	begin();
	coll_fail(&state2, COLL_FAILED, "its cable is gone");
	rank2.state = &state2;
	send_words(clients[2], last_words(&rank2));
	ok(coll_barrier(&server, NULL) && state.status == COLL_LOST_PEER, "a barrier fails with the error that rank 2 sent");
	golden(state.error, "rank 2 sends the error \"its cable is gone\"");
	end();

	begin();
	state2 = (struct coll_state){ .pid = getpid(), .step = STEP };
	rank2 = (struct coll_oob){ .rank = 2, .ranks = RANKS, .state = &state2 };
	coll_fail(&state2, COLL_FAILED, "%*s; chunk at element 49152",
		  COLL_ERROR_LEN - 1000, "slow");
	send_words(clients[2], last_words(&rank2));
	ok(coll_barrier(&server, NULL) &&
	   strlen(state.error) > COLL_ERROR_LEN - 1000 &&
	   strstr(state.error, "; chunk at element 49152"),
	   "a long error of a rank arrives complete: %zu bytes", strlen(state.error));
	end();
	ok(rf_now_ns() - start < DEADLINE_NS, "failures are found without waiting for rank 1");
}

static void nobody(void)
{
	begin();
	waiter.deadline_ns = COLL_NSEC_PER_SEC / 100;
	ok(coll_barrier(&server, NULL) && state.status == COLL_FAILED, "a barrier fails at the deadline if no rank enters");
	golden(state.error, "no rank enters");
	end();
}

/*
 * Before hang_up() closes the connection to a peer, it reads the unread data of this peer.
 * Otherwise the peer would not receive the error.
 */
static void hangs_up(void)
{
	begin();
	is_flooding = true;
	hang_up(server.fds[1]);
	is_flooding = false;
	ok(true, "hang_up() closes the connection to a peer that never stops sending");
	server.fds[1] = dup(clients[1]);
	end();
}

int main(void)
{
	alarm(20);
	all_come();
	agreements();
	failures();
	nobody();
	golden_compare("star.txt");
	hangs_up();
	return done_testing();
}
