/* SPDX-License-Identifier: GPL-2.0 */
/* Measure one size: warm-up, measured iterations, verification of the result */
#ifndef CP_BENCH_H
#define CP_BENCH_H

#include "spread.h"
#include "state.h"

#define CP_NOT_VERIFIED	(-1)
#define CP_PLACES	2

/**
 * struct cp_measure - the out-of-place or the in-place result of one size, combined over
 * all ranks
 * @done: true if this result was measured
 * @time_us: time of one iteration; the option -a selects how the times of the ranks are
 *	combined
 * @alg_bw: algorithm bandwidth in 10^9 bytes per second
 * @bus_bw: bus bandwidth in 10^9 bytes per second
 * @wrong: number of wrong elements, or CP_NOT_VERIFIED
 * @spread: with -I 1, on rank 0: statistics of the iteration times, in us. The time of an
 *	iteration is the time of its slowest rank
 * @times_us: with -I 1, on rank 0: the times that cp_iters_gather() returns
 */
struct cp_measure {
	bool done;
	double time_us;
	double alg_bw, bus_bw;
	int64_t wrong;
	struct cp_spread spread;
	double *times_us;
};

struct cp_row {
	struct cp_case what;
	struct cp_size size;
	enum coll_algo algo;
	struct cp_measure place[CP_PLACES];	/* [0]: out-of-place, [1]: in-place */
};

/* Data about a rank, exchanged at the start */
struct coll_member {
	int pid;
	char host[COLL_NAME_LEN], device[COLL_NAME_LEN], netdev[COLL_NAME_LEN];
	char addr[COLL_ADDR_LEN];
	uint64_t skew_ns;	/* maximum error of this rank's clock offset */
};

int cp_bench_open(struct cp_rank *me);
void cp_bench_close(struct cp_rank *me);
int cp_bench_case(struct cp_rank *me, uint32_t which);
int cp_bench(struct cp_rank *me, uint64_t bytes, struct cp_row *row);
void cp_row_free(struct cp_row *row);

#endif
