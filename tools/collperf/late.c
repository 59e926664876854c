// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks that come last.
 *
 * A collective is as fast as the last of its ranks, and the times of the ranks
 * don't tell which that was: those that came early wait inside, and look slow.
 * So for each step the last rank to enter and the last to leave are recorded, and
 * how long after the first. A rank that often comes last and waits little is the
 * one that the others wait for; one that leaves last is at the far end of a
 * slow link.
 */
#include "late.h"

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
 * cp_late_add() - take one step into account
 * @late: the account
 * @visits: of each rank
 * @ranks: how many
 */
void cp_late_add(struct cp_late *late, const struct cp_visit *visits,
		 int ranks)
{
	uint64_t in[CP_RANKS_MAX], out[CP_RANKS_MAX];

	for (int r = 0; r < ranks; r++) {
		in[r] = visits[r].in_ns;
		out[r] = visits[r].out_ns;
		late->waited_ns[r] += (double)visits[r].waited_ns;
	}
	late->steps++;
	note_last(late->in, in, ranks);
	note_last(late->out, out, ranks);
}
