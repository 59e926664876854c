// SPDX-License-Identifier: GPL-2.0
/*
 * Stragglers.
 *
 * A collective waits for its last rank. The times of the ranks do not show which rank
 * that was, because ranks that enter early wait inside and seem slow. Therefore two ranks
 * are recorded for each step: the last one to enter and the last one to leave, each with
 * its delay after the first one. A rank that often enters last and waits little is a
 * straggler. A rank that often leaves last is behind a slow link.
 */
#include "bench.h"

static void note_last(struct cp_last *last, const uint64_t *at, int ranks)
{
	int first = 0, latest = 0;

	for (int r = 1; r < ranks; r++) {
		if (at[r] < at[first])
			first = r;
		if (at[r] > at[latest])
			latest = r;
	}
	last[latest].times++;
	last[latest].behind_ns += (double)(at[latest] - at[first]);
}

/**
 * cp_stragglers_add() - add a step to the statistics
 * @stragglers: the statistics of the stragglers
 * @visits: the times of each rank in this step
 * @ranks: number of ranks
 */
void cp_stragglers_add(struct cp_stragglers *stragglers, const struct cp_visit *visits,
		       int ranks)
{
	uint64_t in[COLL_RANKS_MAX], out[COLL_RANKS_MAX];

	for (int r = 0; r < ranks; r++) {
		in[r] = visits[r].in_ns;
		out[r] = visits[r].out_ns;
		stragglers->waited_ns[r] += (double)visits[r].waited_ns;
	}
	stragglers->steps++;
	note_last(stragglers->in, in, ranks);
	note_last(stragglers->out, out, ranks);
}
