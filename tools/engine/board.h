/* SPDX-License-Identifier: GPL-2.0 */
/* The board: what each rank shows the launcher, in memory that both see. */
#ifndef CP_BOARD_H
#define CP_BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "exit.h"

/*
 * Holds every reason whole: the longest has two lines of arguments, of
 * CP_ARGUMENTS_MAX together each; a path has PATH_MAX at most, all others less.
 */
#define CP_ERROR_LEN	20480
#define CP_NAME_LEN	64
#define CP_WHO_LEN	160	/* a rank, its device, its host */
#define CP_ADDR_LEN	46	/* INET6_ADDRSTRLEN: an address of either kind */
#define CP_QPS_MAX	2142	/* to and from 63 other ranks: 16, and by READ 1 */

/*
 * How a rank ended. Timeline files have these numbers; cp_exit_status() makes an
 * exit status of them. Of several ranks that failed, the one with the lowest
 * number and then the earliest time is the cause.
 */
enum cp_status {
	CP_OK = 0,
	CP_WRONG = 1,		/* completed, but values were wrong, or too slow */
	CP_USAGE = 2,		/* did not start */
	CP_FAILED = 3,
	CP_LOST_PEER = 4,	/* failed because another rank failed */
	CP_ENDED = 5,		/* terminated by a signal */
};

/* One measured step of one rank; times are CLOCK_MONOTONIC in ns. */
struct cp_record {
	uint32_t step;
	uint32_t which;		/* of several things that were run */
	bool in_place;
	uint64_t bytes;
	uint64_t start_ns;	/* the collective is entered */
	uint64_t end_ns;	/* received all, and all sent is acknowledged */
	uint64_t sync_ns;	/* the barrier is left */
	uint64_t wait_recv_ns;	/* of end - start: blocked for a message */
	uint64_t wait_send_ns;	/* of end - start: blocked for own sends */
	uint64_t wait_sync_ns;	/* blocked in the barrier */
	uint64_t wrong;		/* elements */
};

/* One connected queue pair, for the timeline. */
struct cp_qp_info {
	char dir[4];		/* "out": it carries data there; "in" */
	int peer;
	uint32_t qpn, peer_qpn;
	uint32_t psn;		/* the first that this side sends */
	char addr[CP_ADDR_LEN], peer_addr[CP_ADDR_LEN];
};

/**
 * struct cp_state - one rank's part of the board, written by that rank alone
 * @pid: its process
 * @host: its machine; empty if all ranks are on this one
 * @device: RDMA device
 * @netdev: network device below it
 * @mtu: path MTU in bytes
 * @step: measured step, from 1 on; 0 in warm-ups and outside
 * @doing: what it is at in words, a constant string
 * @phase: which part of @doing
 * @phases: of how many
 * @element: the first of the chunk at work, if there are phases
 * @finished: it came to its end and @status holds
 * @status: how it ended
 * @failed_ns: when, if it failed
 * @error: why, one line
 * @wrong: elements, over all that was verified
 * @clock_ns: to be added to its times to get those of rank 0
 * @records: its measured steps
 * @n_records: how many
 * @max_records: room; 0 when no timeline is wanted
 * @n_qps: how many queue pairs it has
 * @qps: these
 */
struct cp_state {
	pid_t pid;
	char host[CP_NAME_LEN];
	char device[CP_NAME_LEN];
	char netdev[CP_NAME_LEN];
	uint32_t mtu;
	uint32_t step;
	const char *doing;
	uint32_t phase, phases;
	uint64_t element;
	bool finished;
	enum cp_status status;
	uint64_t failed_ns;
	char error[CP_ERROR_LEN];
	uint64_t wrong;
	int64_t clock_ns;
	struct cp_record *records;
	uint64_t n_records, max_records;
	int n_qps;
	struct cp_qp_info qps[CP_QPS_MAX];
};

struct cp_state *cp_board_create(int ranks, uint64_t records_each);

enum rf_exit cp_exit_status(enum cp_status status);
int cp_fail(struct cp_state *st, enum cp_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void cp_at(struct cp_state *st, const char *doing, uint32_t phase,
	   uint32_t phases);
const char *cp_who(const struct cp_state *st, int rank, char *buf, size_t len);
const char *cp_where(const struct cp_state *st, char *buf, size_t len);
void cp_board_record(struct cp_state *st, const struct cp_record *rec);

#endif
