/* SPDX-License-Identifier: GPL-2.0 */
/* One rank: its state, its measurements, and the stragglers among all ranks */
#ifndef CP_BENCH_H
#define CP_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "coll.h"
#include "config.h"
#include "plan.h"
#include "ranks.h"

/* stragglers.c: statistics of the ranks that enter or leave last */

/**
 * struct cp_visit - the times of one rank in one step, in the clock of rank 0
 * @in_ns: the rank enters the collective
 * @out_ns: the rank leaves the collective: it has received all data, and all data that it
 *	sent is acknowledged
 * @waited_ns: time between @in_ns and @out_ns in which the rank waited
 */
struct cp_visit {
	uint64_t in_ns, out_ns, waited_ns;
};

/* The steps in which a rank was the last one to enter (or to leave) the collective */
struct cp_last {
	uint64_t times;		/* number of these steps */
	double behind_ns;	/* total delay after the first rank, in these steps */
};

/**
 * struct cp_stragglers - statistics of stragglers
 * @steps: number of steps
 * @in: for each rank: how often it entered the collective last
 * @out: for each rank: how often it left the collective last
 * @waited_ns: for each rank: total waiting time in the collective
 */
struct cp_stragglers {
	uint64_t steps;
	struct cp_last in[COLL_RANKS_MAX], out[COLL_RANKS_MAX];
	double waited_ns[COLL_RANKS_MAX];
};

void cp_stragglers_add(struct cp_stragglers *stragglers, const struct cp_visit *visits,
		       int ranks);

/*
 * For the steps in which this rank was the last one: return its mean delay after the first
 * rank, in us. Return 0 if there are no such steps.
 */
static inline double cp_last_behind_us(const struct cp_last *last)
{
	return last->times ? last->behind_ns / (double)last->times / 1e3 : 0;
}

/* iters.c: the single iterations of a measurement, of all ranks */

/**
 * struct cp_iters - the iterations of the current measurement
 * @skew: offset between the clocks of this rank and of rank 0
 * @n: number of recorded iterations
 * @max: size of @mine
 * @mine: records of this rank
 * @all: buffer for a few records of all ranks
 * @stragglers: statistics of the stragglers, over all measurements
 */
struct cp_iters {
	struct coll_skew skew;
	uint32_t n, max;
	struct cp_visit *mine, *all;
	struct cp_stragglers stragglers;
};

int cp_iters_open(struct cp_iters *it, struct coll_oob *oob, uint32_t max);
void cp_iters_close(struct cp_iters *it);
void cp_iters_note(struct cp_iters *it, const struct coll_record *rec);
int cp_iters_gather(struct cp_iters *it, struct coll_oob *oob, double *times_us);

/* spread.c: spread of iteration times */

/**
 * struct cp_spread - statistics of a list of times, in the unit of the list
 * @min: shortest
 * @max: longest
 * @avg: mean
 * @p50: median
 * @p95: 95th percentile
 * @p99: 99th percentile
 * @stdev: standard deviation of the list (not an estimate for a population)
 * @cv_pct: standard deviation in percent of the mean
 */
struct cp_spread {
	double min, max, avg, p50, p95, p99, stdev, cv_pct;
};

int cp_spread_of(const double *times, size_t n, struct cp_spread *spread);

/* The state of a rank */
struct cp_rank {
	const struct cp_config *cfg;
	struct coll_state *state;
	struct coll_comm comm;
	struct coll_plan plan;	/* plan of the current measurement */
	struct coll_announcer announcer;
	struct coll_pattern pattern;	/* inputs of the current case */
	struct cp_iters iters;
	uint64_t begun_ns;	/* start time of the job */
	uint32_t which;		/* index of the case */
	uint32_t steps;		/* number of measured steps so far */
	uint64_t seed;		/* seed of the current input */
	bool complained;	/* a wrong value was reported */
};

/* values.c: inputs before a run, and verification of the result after it */
int cp_values_open(struct cp_rank *me, const struct cp_case *what);
void cp_values_close(struct cp_rank *me);
void cp_values_prepare(struct cp_rank *me, const struct coll_shape *shape);
uint64_t cp_values_check(struct cp_rank *me, const struct coll_shape *shape);

/* measurement.c: one measurement in one rank */

/**
 * struct cp_measurement - a measurement
 * @what: the case: type, operation and root
 * @shape: shape of the plan
 * @bytes: size of the vector in bytes, as in the column "size" of the table
 */
struct cp_measurement {
	struct cp_case what;
	struct coll_shape shape;
	uint64_t bytes;
};

/* Results of one rank */
struct cp_rank_result {
	double time_ns;		/* time of all iterations */
	uint64_t wrong;		/* number of wrong elements */
};

int cp_measurement_run(struct cp_rank *me, const struct cp_measurement *measured,
		       struct cp_rank_result *part);

/* bench.c: measure one size: warm-up, measured iterations, verification of the result */
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
	char host[COLL_NAME_LEN];
	struct coll_device rail[COLL_RAILS_MAX];
	char addr[COLL_RAILS_MAX][COLL_ADDR_LEN];
	uint64_t skew_ns;	/* maximum error of this rank's clock offset */
};

int cp_bench_open(struct cp_rank *me);
void cp_bench_close(struct cp_rank *me);
int cp_bench_case(struct cp_rank *me, uint32_t which);
int cp_bench(struct cp_rank *me, uint64_t bytes, struct cp_row *row);
void cp_row_free(struct cp_row *row);

/* rank.c: one rank, from start to end */
enum coll_status cp_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2]);

#endif
