// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the states of all ranks in rank 0.
 *
 * If another launcher started the ranks, they have no common status page: each rank has a
 * separate status page with its own state only. At the end, also after a failure, each
 * rank sends its state to rank 0. Rank 0 stores the states in its own status page and
 * converts the times to its own clock. The timeline can then be written from one status
 * page.
 *
 * A rank that was killed sends nothing. Rank 0 then records that this rank did not
 * report how it ended. After a failure rank 0 waits only a short time.
 */
#include <stddef.h>
#include <string.h>

#include "ranks.h"
#include "wire.h"

#define SERVER		0
#define AFTER_FAILURE_NS	(2 * COLL_NSEC_PER_SEC)
#define FRAMES_BEFORE	16	/* maximum number of other frames before the state */
#define HEAD		offsetof(struct coll_state, qps)

static uint64_t state_deadline(const struct coll_oob *oob)
{
	return rf_now_ns() + (oob->state->status >= COLL_FAILED ?
			     AFTER_FAILURE_NS : oob->waiter->deadline_ns);
}

static void send_state(struct coll_oob *oob)
{
	const struct coll_state *st = oob->state;
	size_t qps = (size_t)st->n_qps * sizeof(st->qps[0]);
	size_t records = st->n_records * sizeof(st->records[0]);
	size_t waits = st->n_waits * sizeof(st->waits[0]);
	struct coll_frame frame = coll_frame(COLL_FRAME_STATE, HEAD + qps + records + waits);
	uint64_t until = state_deadline(oob);
	int fd = oob->fds[SERVER];

	if (!coll_wire_send(fd, &frame, sizeof(frame), oob->waiter, until) &&
	    !coll_wire_send(fd, st, HEAD + qps, oob->waiter, until) &&
	    !coll_wire_send(fd, st->records, records, oob->waiter, until))
		coll_wire_send(fd, st->waits, waits, oob->waiter, until);
}

/* Convert the times of a rank to the clock of rank 0. */
static void set_clock(struct coll_state *st)
{
	uint64_t by = (uint64_t)st->clock_ns;

	if (st->failed_ns)
		st->failed_ns += by;
	for (uint64_t i = 0; i < st->n_records; i++) {
		st->records[i].start_ns += by;
		st->records[i].end_ns += by;
		st->records[i].sync_ns += by;
	}
	for (uint32_t i = 0; i < st->n_waits; i++) {
		st->waits[i].start_ns += by;
		st->waits[i].end_ns += by;
	}
}

static void end_text(char *text, size_t room)
{
	text[room - 1] = '\0';
}

/*
 * Terminate all strings with NUL, and limit the index of rails, because they come from a faulty
 * rank or another program.
 */
static void end_texts(struct coll_state *st)
{
	end_text(st->host, sizeof(st->host));
	for (int i = 0; i < COLL_RAILS_MAX; i++) {
		end_text(st->rail[i].name, sizeof(st->rail[i].name));
		end_text(st->rail[i].netdev, sizeof(st->rail[i].netdev));
	}
	end_text(st->error, sizeof(st->error));
	for (int i = 0; i < st->n_qps; i++) {
		st->qps[i].rail %= COLL_RAILS_MAX;
		end_text(st->qps[i].dir, sizeof(st->qps[i].dir));
		end_text(st->qps[i].addr, sizeof(st->qps[i].addr));
		end_text(st->qps[i].peer_addr, sizeof(st->qps[i].peer_addr));
	}
}

/* Receive the state of a rank into @st. @st already has memory for the records and waits. */
static int receive_state(struct coll_oob *oob, int fd, uint64_t len, struct coll_state *st,
			 uint64_t until)
{
	struct coll_record *records = st->records;
	uint64_t room = st->max_records;
	struct coll_wait *waits = st->waits;
	size_t qps, rest, last;

	if (len < HEAD || coll_wire_recv(fd, st, HEAD, oob->waiter, until))
		return -1;
	st->records = records;
	st->max_records = room;
	st->waits = waits;
	st->doing = NULL;
	qps = (size_t)st->n_qps * sizeof(st->qps[0]);
	rest = st->n_records * sizeof(*records);
	last = st->n_waits * sizeof(*waits);
	if (st->rails > COLL_RAILS_MAX || st->n_qps < 0 || st->n_qps > COLL_QPS_MAX ||
	    st->n_records > room ||
	    st->n_waits > COLL_WAITS_MAX || len != HEAD + qps + rest + last ||
	    coll_wire_recv(fd, st->qps, qps, oob->waiter, until) ||
	    coll_wire_recv(fd, records, rest, oob->waiter, until) ||
	    coll_wire_recv(fd, waits, last, oob->waiter, until))
		return -1;
	end_texts(st);
	if (st->status == COLL_OK && st->wrong)
		st->status = COLL_WRONG;
	set_clock(st);
	return 0;
}

/*
 * Wait for the state of a rank. After a failure, other frames can arrive first: parts of
 * one or two gathers, and the reason of the failure. Discard them, but at most
 * FRAMES_BEFORE frames.
 */
static int await_state(struct coll_oob *oob, int fd, struct coll_state *st,
		       uint64_t until)
{
	struct coll_frame frame;
	int left = FRAMES_BEFORE;

	while (left-- &&
	       !coll_wire_recv(fd, &frame, sizeof(frame), oob->waiter, until) &&
	       frame.magic == COLL_WIRE_MAGIC) {
		if (frame.kind == COLL_FRAME_STATE)
			return receive_state(oob, fd, frame.len, st, until);
		if (coll_wire_skip(fd, frame.len, oob->waiter, until))
			break;
	}
	return -1;
}

static void set_unknown(struct coll_state *st)
{
	st->n_qps = 0;
	st->n_records = 0;
	st->n_waits = 0;
	end_texts(st);
	st->status = COLL_OK;
	coll_fail(st, COLL_LOST_PEER, "it did not report how it ended");
}

/**
 * coll_status_page_collect() - collect the states of all ranks in rank 0
 * @oob: sockets to the other ranks. @oob->state must be element @oob->rank of the array
 *	of states in the status page
 */
void coll_status_page_collect(struct coll_oob *oob)
{
	uint64_t until = state_deadline(oob);
	struct coll_state *states = oob->state - oob->rank;

	if (oob->rank != SERVER) {
		send_state(oob);
		return;
	}
	for (int r = 1; r < oob->ranks; r++)
		if (await_state(oob, oob->fds[r], &states[r], until))
			set_unknown(&states[r]);
}
