/* SPDX-License-Identifier: GPL-2.0 */
/* The board: what each rank shows the launcher, in memory that both see. */
#ifndef CP_BOARD_H
#define CP_BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CP_ERROR_LEN	512
#define CP_NAME_LEN	64

/* How a rank's life went; also its exit status. */
enum cp_status {
	CP_OK = 0,
	CP_WRONG = 1,		/* finished, but values were wrong */
	CP_USAGE = 2,		/* never started */
	CP_FAILED = 3,		/* failed of itself */
	CP_LOST_PEER = 4,	/* failed because another rank was gone */
	CP_ENDED = 5,		/* told to end */
};

/* One measured step of one rank; times are CLOCK_MONOTONIC in ns. */
struct cp_record {
	uint32_t step;
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
	const char *dir;	/* "next" or "prev" */
	int peer;
	uint32_t qpn, peer_qpn;
	uint32_t psn;		/* the first that this side sends */
	char addr[16], peer_addr[16];
};

/**
 * struct cp_state - one rank's part of the board, written by that rank alone
 * @pid: its process
 * @device: RDMA device
 * @netdev: network device below it
 * @mtu: path MTU in bytes
 * @step: measured step, from 1 on; 0 in warm-ups and outside
 * @doing: what it is at in words, a constant string
 * @phase: of how many @phases of @doing
 * @finished: it came to its end and @status holds
 * @status: how it ended
 * @failed_ns: when, if it failed
 * @error: why, one line
 * @wrong: elements, over all that was verified
 * @qps: its queue pairs
 * @n_qps: how many
 * @records: its measured steps
 * @n_records: how many
 * @max_records: room; 0 when no timeline is wanted
 */
struct cp_state {
	pid_t pid;
	char device[CP_NAME_LEN];
	char netdev[CP_NAME_LEN];
	uint32_t mtu;
	uint32_t step;
	const char *doing;
	uint32_t phase, phases;
	bool finished;
	enum cp_status status;
	uint64_t failed_ns;
	char error[CP_ERROR_LEN];
	uint64_t wrong;
	struct cp_qp_info qps[2];
	int n_qps;
	struct cp_record *records;
	uint64_t n_records, max_records;
};

struct cp_state *cp_board_create(int ranks, uint64_t records_each);

int cp_fail(struct cp_state *st, enum cp_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void cp_at(struct cp_state *st, const char *doing, uint32_t phase,
	   uint32_t phases);
const char *cp_where(const struct cp_state *st, char *buf, size_t len);
void cp_board_record(struct cp_state *st, const struct cp_record *rec);

#endif
