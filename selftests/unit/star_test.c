// SPDX-License-Identifier: GPL-2.0
/*
 * Rank 0 in a barrier: the parts come in any order, and whoever fails is found
 * at once, also while rank 0 waits for a rank that itself waits for the dead.
 */
#include <stdlib.h>

#include "../../tools/engine/board.c"
#include "../../tools/engine/wait.c"

static int scripted_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
			  uint64_t until_ns);
static ssize_t flooding_recv(int fd, void *buf, size_t len, int flags);

#define cp_sleep scripted_sleep
#include "../../tools/engine/wire.c"
#define recv flooding_recv
#include "../../tools/engine/oob.c"
#undef recv
#undef cp_sleep
#include "golden.h"
#include "tap.h"

#define RANKS		3
#define DEADLINE_NS	(2 * CP_NSEC_PER_SEC)
#define STEP		7

static struct cp_state state;
static struct cp_waiter waiter;
static struct cp_oob hub;
static int spokes[RANKS];
static int comes_asleep;	/* the rank whose part comes when the hub sleeps */

void cp_board_collect(struct cp_oob *oob)
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

static void part(int rank, uint32_t step)
{
	struct {
		struct cp_frame frame;
		uint32_t step;
	} __attribute__((packed)) msg = { cp_frame(CP_FRAME_GATHER, 4), step };

	if (send(spokes[rank], &msg, sizeof(msg), 0) != sizeof(msg))
		abort();
}

static int scripted_sleep(const struct cp_waiter *w, struct pollfd *fds, int n,
			  uint64_t until_ns)
{
	int rank = comes_asleep;

	comes_asleep = 0;
	if (rank)
		part(rank, STEP);
	return cp_sleep(w, fds, n, until_ns);
}

static void begin(void)
{
	int fds[RANKS][2];

	if (cp_star_create(RANKS, fds))
		abort();
	state = (struct cp_state){ .pid = getpid(), .step = STEP };
	hub = (struct cp_oob){ .ranks = RANKS, .state = &state, .waiter = &waiter };
	waiter = (struct cp_waiter){
		.stop_fd = -1, .launcher_fd = -1, .deadline_ns = DEADLINE_NS,
	};
	memset(hub.fds, -1, sizeof(hub.fds));
	for (int r = 1; r < RANKS; r++) {
		hub.fds[r] = fds[r][0];
		spokes[r] = fds[r][1];
	}
}

static void end(void)
{
	for (int r = 1; r < RANKS; r++) {
		close(hub.fds[r]);
		if (spokes[r] >= 0)
			close(spokes[r]);
	}
}

static void dies(int rank)
{
	close(spokes[rank]);
	spokes[rank] = -1;
}

static bool heard(int rank)
{
	struct {
		struct cp_frame frame;
		uint32_t all[RANKS];
	} __attribute__((packed)) msg;

	return recv(spokes[rank], &msg, sizeof(msg), MSG_DONTWAIT) == sizeof(msg) &&
	       msg.all[0] == STEP && msg.all[1] == STEP && msg.all[2] == STEP;
}

static void all_come(void)
{
	begin();
	part(2, STEP);
	part(1, STEP);
	ok(!cp_barrier(&hub, NULL), "all are here before rank 0 is");
	ok(heard(1) && heard(2), "and are told so");
	end();

	begin();
	part(2, STEP);
	comes_asleep = 1;
	ok(!cp_barrier(&hub, NULL), "rank 2 is early and rank 1 late");
	ok(heard(1) && heard(2), "and are told so");
	end();

	begin();
	part(1, STEP);
	part(2, STEP - 1);
	ok(cp_barrier(&hub, NULL), "a rank has lost count");
	golden(state.error, "rank 2 is one step behind");
	end();
}

static void failures(void)
{
	struct cp_oob rank2 = { .rank = 2, .ranks = RANKS };
	struct cp_state state2 = { .pid = getpid(), .step = STEP };
	uint64_t start = cp_now();

	begin();
	dies(2);
	ok(cp_barrier(&hub, NULL) && state.status == CP_LOST_PEER,
	   "rank 2 is gone while rank 1 is awaited");
	golden(state.error, "rank 2 is gone");
	end();

	begin();
	part(2, STEP);
	dies(2);
	ok(cp_barrier(&hub, NULL) && state.status == CP_LOST_PEER,
	   "its part came before");
	golden(state.error, "rank 2 is gone after its part came");
	end();

	begin();
	cp_fail(&state2, CP_FAILED, "its cable is gone");
	rank2.state = &state2;
	say(spokes[2], last_words(&rank2));
	ok(cp_barrier(&hub, NULL) && state.status == CP_LOST_PEER, "rank 2 says why");
	golden(state.error, "rank 2 says that its cable is gone");
	end();

	begin();
	state2 = (struct cp_state){ .pid = getpid(), .step = STEP };
	rank2 = (struct cp_oob){ .rank = 2, .ranks = RANKS, .state = &state2 };
	cp_fail(&state2, CP_FAILED, "%*s; chunk at element 49152",
		CP_ERROR_LEN - 1000, "slow");
	say(spokes[2], last_words(&rank2));
	ok(cp_barrier(&hub, NULL) &&
	   strlen(state.error) > CP_ERROR_LEN - 1000 &&
	   strstr(state.error, "; chunk at element 49152"),
	   "a long reason arrives whole: %zu bytes", strlen(state.error));
	end();
	ok(cp_now() - start < DEADLINE_NS, "none of that waited for rank 1");
}

static void nobody(void)
{
	begin();
	waiter.deadline_ns = CP_NSEC_PER_SEC / 100;
	ok(cp_barrier(&hub, NULL) && state.status == CP_FAILED, "no rank comes");
	golden(state.error, "no rank comes");
	end();
}

/* What a peer has sent is read before the end, so that it sees why. */
static void hangs_up(void)
{
	begin();
	is_flooding = true;
	hang_up(hub.fds[1]);
	is_flooding = false;
	ok(true, "a peer that never stops sending is hung up on");
	hub.fds[1] = dup(spokes[1]);
	end();
}

int main(void)
{
	alarm(20);
	all_come();
	failures();
	nobody();
	golden_compare("star.txt");
	hangs_up();
	return done_testing();
}
