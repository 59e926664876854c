/* SPDX-License-Identifier: GPL-2.0 */
/* Running sizes: warm-up, measured iterations, verification. */
#ifndef CP_BENCH_H
#define CP_BENCH_H

#include "config.h"
#include "step.h"
#include "verify.h"

#define CP_NOT_VERIFIED	(-1)
#define CP_PLACES	2

/* Out-of-place or in-place result of one size, over all ranks. */
struct cp_measure {
	bool done;
	double time_us;		/* of one iteration, mean of the ranks */
	double alg_bw, bus_bw;	/* 10^9 bytes a second */
	int64_t wrong;		/* elements, or CP_NOT_VERIFIED */
};

struct cp_row {
	uint64_t bytes, count;
	struct cp_measure place[CP_PLACES];	/* out-of-place, in-place */
};

/* What every rank tells the others of itself at the start. */
struct cp_member {
	int pid;
	char host[CP_NAME_LEN], device[CP_NAME_LEN], netdev[CP_NAME_LEN];
	char addr[16];
};

/* A rank and all that it works with. */
struct cp_rank {
	const struct cp_config *cfg;
	struct cp_state *state;
	struct cp_waiter waiter;
	struct cp_oob oob;
	struct cp_transport tp;
	struct cp_announcer announcer;
	struct cp_pattern pattern;
	uint32_t steps;		/* measured so far */
	uint64_t seed;		/* of the input in place */
	bool complained;	/* of a wrong value */
};

int cp_bench(struct cp_rank *me, uint64_t bytes, struct cp_row *row);

#endif
