// SPDX-License-Identifier: GPL-2.0
/*
 * Failover: continue on the other rail after an error of a queue pair.
 *
 * With --failover, the ranks agree after each execution of a plan, an attempt, whether all of
 * them have completed it. A rank whose queue pair fails ends its attempt and says which rail
 * failed. Rank 0 then tells all other ranks to end theirs (oob.c), so no rank waits for a message
 * that does not arrive.
 *
 *     attempt | agreement: rail 1 failed | new queue pairs on rail 2 | attempt | agreement: done
 *
 * If a rail failed, all ranks destroy all their queue pairs, also those on the other rail, because
 * messages of the failed attempt can still be in flight there. They connect new queue pairs on
 * the other rail, and repeat the attempt. The input has not changed, because a plan that is not
 * in place only reads it. If that rail fails as well, the job fails, with the reason for each
 * rail.
 *
 * The failover time is the time from the last completion before the error, in the rank that has the
 * error, until this rank has completed the attempt on the other rail. It contains the retries of
 * the queue pair. The repetition bytes are the bytes that all ranks sent in the failed attempt.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "ranks.h"
#include "transport.h"

/* What a rank reports about a failed attempt */
struct failure {
	uint32_t broken;
	char why[COLL_WHY_LEN];
};

/* What a rank reports about the attempt on the other rail */
struct repetition {
	uint64_t time_ns, bytes;
};

/**
 * coll_rail_failed() - a queue pair of a rail failed: end the attempt, or fail without --failover
 * @tp: transport of this rank
 * @rail: the rail
 * @why: the reason, one line
 *
 * Return: -EIO after coll_fail(), or -ECANCELED.
 */
int coll_rail_failed(struct coll_transport *tp, uint32_t rail, const char *why)
{
	if (!tp->options->failover)
		return coll_fail(tp->state, COLL_FAILED, "%s", why);
	tp->attempt.broken = 1u << rail;
	snprintf(tp->attempt.why, sizeof(tp->attempt.why), "%s", why);
	return -ECANCELED;
}

/** coll_attempt_begin() - an attempt to execute a plan begins */
void coll_attempt_begin(struct coll_transport *tp)
{
	tp->attempt = (struct coll_attempt){ .progress_ns = rf_now_ns() };
}

/* Store which rank has an error on which rail, and why. The first failure of the job counts. */
static void take_failure_of(struct coll_transport *tp, int rank, const struct failure *failure)
{
	struct coll_failover *failover = &tp->state->failover;
	int len = (int)strnlen(failure->why, sizeof(failure->why));

	for (uint32_t i = 0; i < tp->options->rails; i++) {
		if (!(failure->broken >> i & 1) || tp->failed[i][0])
			continue;
		snprintf(tp->failed[i], sizeof(tp->failed[i]), "rail %u: rank %d: %.*s", i + 1,
			 rank, len, failure->why);
		if (failover->rail)
			continue;
		failover->rail = i + 1;
		failover->rank = (uint32_t)rank;
		failover->step = tp->state->step;
	}
}

static int exchange_failures(struct coll_transport *tp)
{
	struct failure *all = calloc((size_t)tp->oob->ranks, sizeof(*all)), mine = { 0 };
	int ret;

	if (!all)
		return coll_fail(tp->state, COLL_FAILED, "no memory");
	mine.broken = tp->attempt.broken;
	memcpy(mine.why, tp->attempt.why, sizeof(mine.why));
	ret = coll_allgather(tp->oob, &mine, sizeof(mine), all);
	for (int r = 0; !ret && r < tp->oob->ranks; r++)
		take_failure_of(tp, r, &all[r]);
	free(all);
	return ret;
}

static void remove_failed_rails(struct coll_transport *tp)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < tp->n_live; i++)
		if (!tp->failed[tp->live[i]][0])
			tp->live[n++] = tp->live[i];
	tp->n_live = n;
}

/* Say on stderr what failed, so that this is known even if the job fails later. */
static void print_new_rail(const struct coll_transport *tp)
{
	const struct coll_failover *failover = &tp->state->failover;

	if (!tp->oob->rank)
		rf_note("%s; all ranks repeat the collective on rail %u",
			tp->failed[failover->rail - 1], tp->live[0] + 1);
}

static int change_rail(struct coll_transport *tp)
{
	tp->lost = tp->attempt;
	if (exchange_failures(tp))
		return -EIO;
	remove_failed_rails(tp);
	if (!tp->n_live || !tp->state->failover.rail)
		return coll_fail(tp->state, COLL_FAILED, "no rail is left; %s; %s",
				 tp->failed[0], tp->failed[1]);
	print_new_rail(tp);
	return coll_channels_reopen(tp) ? -EIO : 1;
}

/* The attempt on the other rail is complete: exchange how long it took, and store the result. */
static int end_failover(struct coll_transport *tp)
{
	struct coll_failover *failover = &tp->state->failover;
	struct repetition mine = { .bytes = tp->lost.sent_bytes }, all[COLL_RANKS_MAX];
	uint64_t now = rf_now_ns();
	int ret;

	if (tp->lost.broken)
		mine.time_ns = now - tp->lost.progress_ns;
	tp->lost = (struct coll_attempt){ 0 };
	ret = coll_allgather(tp->oob, &mine, sizeof(mine), all);
	for (int r = 0; !ret && r < tp->oob->ranks; r++) {
		failover->repeated_bytes += all[r].bytes;
		if (all[r].time_ns > failover->time_ns)
			failover->time_ns = all[r].time_ns;
	}
	failover->end_ns = now;
	return ret;
}

/**
 * coll_attempt_end() - agree with all ranks whether the attempt is complete
 * @tp: transport of this rank
 *
 * Call it after a complete attempt, and after one that ended with an error. If a rail failed in
 * any rank, the channels use the other rail afterwards.
 *
 * Return: 0: complete; 1: repeat it; -EIO after coll_fail().
 */
int coll_attempt_end(struct coll_transport *tp)
{
	uint32_t all[COLL_RANKS_MAX], broken = 0;

	if (tp->state->status >= COLL_FAILED)
		return -EIO;
	coll_at(tp->state, "agreement", 0, 0);
	if (coll_agree(tp->oob, tp->attempt.broken, all))
		return -EIO;
	for (int r = 0; r < tp->oob->ranks; r++)
		broken |= all[r];
	if (broken)
		return change_rail(tp);
	return tp->lost.progress_ns ? end_failover(tp) : 0;
}
