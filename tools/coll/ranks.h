/* SPDX-License-Identifier: GPL-2.0 */
/* The ranks of a job: their states, their clocks, and messages outside the data path */
#ifndef COLL_RANKS_H
#define COLL_RANKS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "err.h"
#include "host.h"
#include "plan.h"

/* status_page.c: the status page: memory in which each rank reports its state to the launcher */

/*
 * Large enough for every error message. The longest message contains two texts of up to
 * COLL_ARGUMENTS_MAX bytes; a path in a message has up to PATH_MAX bytes.
 */
#define COLL_ERROR_LEN	20480
#define COLL_NAME_LEN	64
#define COLL_RANK_NAME_LEN	224	/* rank, devices and host */
#define COLL_ADDR_LEN	46	/* INET6_ADDRSTRLEN: IPv4 or IPv6 */
#define COLL_QPS_MAX	4318	/* 127 peers * 2 directions * (16 data QPs + 1 for READ) */
#define COLL_RAILS_MAX	2

/*
 * How a rank ended. Timeline files contain these numbers. coll_exit_status() converts them to
 * exit statuses. If several ranks failed (COLL_FAILED or higher), the rank with the lowest
 * status is the cause. If several ranks have this status, the first of them that failed is the
 * cause.
 */
enum coll_status {
	COLL_OK = 0,
	COLL_WRONG = 1,		/* completed, but with wrong values or too slow */
	COLL_USAGE = 2,		/* did not start */
	COLL_FAILED = 3,
	COLL_LOST_PEER = 4,	/* failed because another rank failed */
	COLL_ENDED = 5,		/* terminated by a signal */
};

/* One measured step of one rank; times are CLOCK_MONOTONIC in ns. */
struct coll_record {
	uint32_t step;
	uint32_t which;		/* index of the case */
	bool in_place;
	uint64_t bytes;
	uint64_t start_ns;	/* start of the collective */
	uint64_t end_ns;	/* all data received, all sent data acknowledged */
	uint64_t sync_ns;	/* end of the barrier */
	uint64_t wait_recv_ns;	/* time from start to end spent waiting for messages */
	uint64_t wait_send_ns;	/* time from start to end spent waiting for credits and ACKs */
	uint64_t wait_sync_ns;	/* wait in the barrier */
	uint64_t wrong;		/* number of wrong elements */
	uint32_t waits_omitted;	/* number of waits from start to end without a struct coll_wait */
};

/*
 * A wait from the start to the end of a step; times are CLOCK_MONOTONIC in ns. Recorded are the
 * waits of at least COLL_WAIT_LEAST_NS, and the longest wait of each step. If a step has more than
 * COLL_WAITS_STEP waits, or a rank more than COLL_WAITS_MAX, the shortest are omitted.
 */
struct coll_wait {
	uint64_t start_ns, end_ns;
	uint32_t record;	/* index of the step in the records of the rank */
	uint16_t peer;
	bool for_data;		/* for a message from @peer; otherwise for a credit or an ACK */
};

#define COLL_WAIT_LEAST_NS	100000	/* 100 us */
#define COLL_WAITS_STEP		16
#define COLL_WAITS_MAX		4096

/* An RDMA device of a rank, and its netdev */
struct coll_device {
	char name[COLL_NAME_LEN], netdev[COLL_NAME_LEN];
};

/* One connected queue pair, for the timeline. */
struct coll_qp_info {
	uint32_t rail;		/* counted from 0 */
	char dir[4];		/* "out": sends data to @peer; "in": receives data */
	int peer;
	uint32_t qpn, peer_qpn;
	uint32_t psn;		/* first PSN of this side */
	char addr[COLL_ADDR_LEN], peer_addr[COLL_ADDR_LEN];
};

/**
 * struct coll_failover - a rail that failed, and the repeated collective, see failover.c
 * @rail: the rail, counted from 1; 0: no rail failed
 * @rank: the rank whose queue pair failed; the first of them
 * @step: the step, see struct coll_state
 * @end_ns: time at which this rank had repeated the collective; 0: it did not complete it
 * @time_ns: the longest failover time of a rank
 * @repeated_bytes: bytes that all ranks sent in the failed attempt
 */
struct coll_failover {
	uint32_t rail, rank, step;
	uint64_t end_ns, time_ns, repeated_bytes;
};

/**
 * struct coll_state - state of one rank; only this rank writes it
 * @pid: process
 * @host: machine; empty if all ranks are on one machine
 * @rails: number of @rail
 * @rail: the RDMA device of each rail
 * @mtu: path MTU in bytes
 * @step: measured step, counted from 1; 0 in warm-ups and between steps
 * @doing: current activity, a constant string
 * @phase: current phase of @doing
 * @phases: number of phases, or 0
 * @element: first element of the current chunk, if there are phases
 * @finished: the rank ended by itself, and @status is valid
 * @status: how the rank ended
 * @failed_ns: time of the failure
 * @error: reason of the failure, one line
 * @wrong: number of wrong elements in all verified steps
 * @failover: the rail that failed, if one did
 * @clock_ns: clock of rank 0 minus clock of this rank
 * @records: measured steps
 * @n_records: number of @records
 * @max_records: size of @records; 0 without a timeline
 * @waits: waits in the measured steps, in the order of time; room for COLL_WAITS_MAX
 * @n_waits: number of @waits
 * @step_waits: number of @waits before the current step
 * @omitted: number of waits of the current step that are not in @waits
 * @wait_least_ns: duration from which on waits of complete steps are kept
 * @n_qps: number of @qps
 * @qps: connected queue pairs
 */
struct coll_state {
	pid_t pid;
	char host[COLL_NAME_LEN];
	uint32_t rails;
	struct coll_device rail[COLL_RAILS_MAX];
	uint32_t mtu;
	uint32_t step;
	const char *doing;
	uint32_t phase, phases;
	uint64_t element;
	bool finished;
	enum coll_status status;
	uint64_t failed_ns;
	char error[COLL_ERROR_LEN];
	uint64_t wrong;
	struct coll_failover failover;
	int64_t clock_ns;
	struct coll_record *records;
	uint64_t n_records, max_records;
	struct coll_wait *waits;
	uint32_t n_waits, step_waits, omitted;
	uint64_t wait_least_ns;
	int n_qps;
	struct coll_qp_info qps[COLL_QPS_MAX];
};

struct coll_state *coll_status_page_create(int ranks, uint64_t records_each);

enum rf_exit coll_exit_status(enum coll_status status);
int coll_fail(struct coll_state *st, enum coll_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void coll_at(struct coll_state *st, const char *doing, uint32_t phase,
	     uint32_t phases);
const char *coll_devices_text(const struct coll_state *st, char *buf, size_t len);
const char *coll_rank_name(const struct coll_state *st, int rank, char *buf, size_t len);
const char *coll_where(const struct coll_state *st, char *buf, size_t len);
void coll_status_page_wait(struct coll_state *st, struct coll_wait wait);
void coll_status_page_record(struct coll_state *st, const struct coll_record *rec);

/* Times are nanoseconds of CLOCK_MONOTONIC. */
#define COLL_NSEC_PER_USEC	1000ull
#define COLL_NSEC_PER_MSEC	1000000ull
#define COLL_NSEC_PER_SEC		1000000000ull

/* timeline.c: the timeline of a job: the steps of each rank as JSON lines */
struct json_object;

int coll_output_open(const char *path, FILE **file);
int coll_output_close(const char *path, FILE *file);
void coll_timeline_qps(FILE *file, const struct coll_state *states, uint32_t ranks);
void coll_timeline_steps(FILE *file, const struct coll_state *states, uint32_t ranks,
			 void (*add)(struct json_object *o, const struct coll_record *rec,
				     const void *arg), const void *arg);
struct json_object *coll_timeline_end(const struct coll_state *st, uint32_t rank);

/* wait.c: wait for events, at most until a deadline */

/**
 * struct coll_waiter - conditions that end every wait of a rank
 * @stop_fd: readable when the rank must end
 * @launcher_fd: readable when the launcher has ended; -1: no launcher
 * @deadline_ns: maximum duration of a wait
 */
struct coll_waiter {
	int stop_fd, launcher_fd;
	uint64_t deadline_ns;
};

/* Descriptors: one per rank, 2 of the waiter, and those of ranks that have not joined yet */
#define COLL_WAIT_FDS	(COLL_RANKS_MAX + 32)

void coll_wait_alone(int launcher_fd);

int coll_waiter_init(struct coll_waiter *w, uint64_t deadline_ns);
void coll_waiter_limit(uint32_t seconds);
uint64_t coll_wake_time(uint64_t until_ns);
int coll_sleep(const struct coll_waiter *w, struct pollfd *fds, int n,
	       uint64_t until_ns);

/* oob.c: out of band, messages between ranks outside the data path */

/**
 * struct coll_words - the reason of a failure
 * @status: how the rank ended
 * @name: the rank in error messages, for example "rank 2 (rxe3)"
 * @error: the reason. Bytes after its NUL are not sent, see coll_words_len()
 */
struct coll_words {
	uint32_t status;
	char name[COLL_RANK_NAME_LEN];
	char error[COLL_ERROR_LEN];
};

/**
 * struct coll_oob - the connections of a rank outside the data path
 * @rank: number of this rank
 * @ranks: number of ranks
 * @state: state of this rank in the status page
 * @waiter: conditions that end every wait of the rank
 * @fds: the socket to each rank, or -1. Rank 0 has a socket to every other rank; the
 *	other ranks only have a socket to rank 0
 * @early: for each rank: true if its part of the next gather has already arrived
 * @abandoned: a queue pair of a rank failed, so all ranks end their attempt and call coll_agree()
 * @first: reason of the rank that failed first; its status is COLL_OK if no rank failed
 */
struct coll_oob {
	int rank, ranks;
	struct coll_state *state;
	const struct coll_waiter *waiter;
	int fds[COLL_RANKS_MAX];
	bool early[COLL_RANKS_MAX], abandoned;
	struct coll_words first;
};

/* Return the size of a reason in a message, in bytes. */
static inline size_t coll_words_len(const struct coll_words *words)
{
	return offsetof(struct coll_words, error) + strlen(words->error) + 1;
}

/* Check that a received reason has a valid size. */
static inline bool coll_words_fit(size_t len)
{
	return len > offsetof(struct coll_words, error) &&
	       len <= sizeof(struct coll_words);
}

int coll_star_create(int ranks, int fds[][2]);
void coll_star_init(struct coll_oob *oob, int fds[][2]);
void coll_star_close(struct coll_oob *oob);

int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all);
int coll_agree(struct coll_oob *oob, uint32_t broken, uint32_t *all);
int coll_barrier(struct coll_oob *oob, uint64_t *waited_ns);

/*
 * For a caller that also waits for other descriptors: get the sockets to the other ranks
 * for poll(), and check them afterwards.
 */
int coll_star_watch(const struct coll_oob *oob, struct pollfd *fds);
int coll_star_look(struct coll_oob *oob, const struct pollfd *fds, int n);

/* skew.c: measure the offsets between the clocks of several hosts */
#define COLL_BOOT_LEN	40

/**
 * struct coll_skew - offset between the clock of a rank and that of rank 0
 * @offset_ns: time of rank 0 minus time of this rank
 * @error_ns: maximum error; 0 on the host of rank 0
 */
struct coll_skew {
	int64_t offset_ns;
	uint64_t error_ns;
};

void coll_boot_id(char boot[COLL_BOOT_LEN]);
int coll_skew_measure(struct coll_oob *oob, struct coll_skew *skew);

#endif
