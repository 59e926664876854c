// SPDX-License-Identifier: GPL-2.0
/*
 * Verify the data that the ranks exchanged in a step.
 *
 * The checksums of the transport detect changes on the wire. They cannot detect a
 * payload that was changed before its checksum was computed, by a switch with bad
 * memory or by a rule with "valid-icrc". Therefore every rank sends two digests to the
 * others, outside the data path: the digest of its contribution, and the digest of the
 * sum that it received (grid.c). In mode dp, each digest of a received sum must equal
 * the sum of the digests of all contributions.
 *
 * If a digest differs from this sum, the ranks search together for the wrong element. They
 * compare the digests of 32 parts of the gradient, then of 32 parts of the first wrong
 * part, until one element is left. Then they compare the value of this element. The search
 * runs only after an error.
 *
 * In modes tp and pp there is no common sum. The ranks compare hashes of the messages
 * between each sender and receiver.
 *
 * All ranks compare the same reports, so after an error all ranks end in the same step.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "net.h"
#include "train.h"

#define PARTS	32

/* Digests that one rank computed for the parts of a range */
struct parts {
	uint64_t given[PARTS], got[PARTS];
};

struct range {
	uint64_t at, n;
};

/* The contribution of a rank to an element, and the sum that this rank received */
struct element {
	float given, got;
};

static const float *checked_vector(const struct tr_rank *me, enum coll_mem_id mem)
{
	return (const float *)(const void *)me->comm.tp.mem[mem].addr;
}

static struct range part_of(struct range r, int i)
{
	uint64_t from = r.n * (uint64_t)i / PARTS;

	return (struct range){ r.at + from,
			       r.n * (uint64_t)(i + 1) / PARTS - from };
}

/* Return the first part whose sum is wrong on any rank, or -1. */
static int first_bad_part(const struct parts *all, int ranks)
{
	for (int i = 0; i < PARTS; i++) {
		uint64_t want = 0;

		for (int r = 0; r < ranks; r++)
			want += all[r].given[i];
		for (int r = 0; r < ranks; r++)
			if (all[r].got[i] != want)
				return i;
	}
	return -1;
}

/* Search for one wrong element: reduce the range to it. Return: 0, or -EIO after coll_fail() */
static int find_wrong(struct tr_rank *me, struct range *range)
{
	struct parts mine, all[COLL_RANKS_MAX];
	int i, ret = 0;

	while (!ret && range->n > 1) {
		for (i = 0; i < PARTS; i++) {
			struct range p = part_of(*range, i);

			mine.given[i] = tr_grid_digest(checked_vector(me, COLL_SEND) +
						       p.at, p.n, p.at);
			mine.got[i] = tr_grid_digest(checked_vector(me, COLL_RECV) +
						     p.at, p.n, p.at);
		}
		ret = coll_allgather(&me->comm.oob, &mine, sizeof(mine), all);
		if (ret)
			return ret;
		i = first_bad_part(all, me->ranks);
		if (i < 0)
			return coll_fail(me->state, COLL_FAILED,
					 "step %u: the gradient was wrong, but is correct now: memory changed without a write",
					 me->now.step);
		*range = part_of(*range, i);
	}
	return ret;
}

/* Format a list of ranks: "rank 2" or "ranks 1, 2 and 3". */
static void list_ranks(const bool *listed, int ranks, char *buf, size_t len)
{
	int left = 0, n;

	for (int r = 0; r < ranks; r++)
		left += listed[r];
	n = snprintf(buf, len, left > 1 ? "ranks " : "rank ");
	for (int r = 0; r < ranks && n < (int)len; r++) {
		const char *then = left == 1 ? "" : left == 2 ? " and " : ", ";

		if (!listed[r])
			continue;
		n += snprintf(buf + n, len - (size_t)n, "%d%s", r, then);
		left--;
	}
}

static void name_element(struct tr_rank *me, uint64_t at,
			 const struct element *all)
{
	bool wrong[COLL_RANKS_MAX] = { false };
	float want = 0, got = 0;
	char ranks[256];

	for (int r = 0; r < me->ranks; r++)
		want += all[r].given;
	for (int r = me->ranks - 1; r >= 0; r--) {
		wrong[r] = memcmp(&all[r].got, &want, sizeof(want)) != 0;
		got = wrong[r] ? all[r].got : got;
	}
	list_ranks(wrong, me->ranks, ranks, sizeof(ranks));
	rf_err("%s, step %u: element %llu of %llu of the gradient is %.9g instead of %.9g: the data was corrupted on the way, but the packet checksum was valid",
	       ranks, me->now.step, (unsigned long long)at,
	       (unsigned long long)tr_vector_length(me->cfg), (double)got,
	       (double)want);
}

static int find_element(struct tr_rank *me)
{
	struct range range = { 0, tr_vector_length(me->cfg) };
	struct element mine, all[COLL_RANKS_MAX];
	int ret = find_wrong(me, &range);

	if (ret)
		return ret;
	mine.given = checked_vector(me, COLL_SEND)[range.at];
	mine.got = checked_vector(me, COLL_RECV)[range.at];
	ret = coll_allgather(&me->comm.oob, &mine, sizeof(mine), all);
	if (!ret && !me->rank)
		name_element(me, range.at, all);
	return ret;
}

/* In modes tp and pp: print the pairs of ranks between which a message was changed */
static int find_link(struct tr_rank *me)
{
	struct tr_account *all = calloc((size_t)me->ranks, sizeof(*all));
	int ret;

	if (!all)
		return coll_fail(me->state, COLL_FAILED, "no memory");
	ret = coll_allgather(&me->comm.oob, &me->account, sizeof(*all), all);
	for (int r = 0; !ret && !me->rank && r < me->ranks; r++)
		for (int p = 0; p < me->ranks; p++)
			if (all[r].received[p] != all[p].sent[r])
				rf_err("rank %d, step %u: the data received from rank %d differs from the data sent: the data was corrupted on the way, but the packet checksum was valid",
				       r, me->now.step, p);
	free(all);
	return ret;
}

static int note_wrong(struct tr_rank *me, int ret)
{
	me->state->wrong++;
	return ret ? ret : -EBADMSG;
}

static bool sums_differ(const struct tr_rank *me, const struct tr_report *all)
{
	bool each = me->cfg->mode->alike, differ = false;
	uint64_t given = 0, got = 0;

	for (int r = 0; r < me->ranks; r++) {
		given += all[r].given;
		got += all[r].got;
	}
	for (int r = 0; each && r < me->ranks; r++)
		differ |= all[r].got != given;
	return each ? differ : got != given;
}

static int count_equal(const struct tr_rank *me, const struct tr_report *all,
		       int rank)
{
	int n = 0;

	for (int r = 0; r < me->ranks; r++)
		n += all[r].weights == all[rank].weights;
	return n;
}

/* If the weights differ, report the smallest group of ranks with equal weights. */
static bool weights_differ(const struct tr_rank *me,
			   const struct tr_report *all)
{
	bool differing[COLL_RANKS_MAX] = { false };
	int least = me->ranks;
	char ranks[256];

	for (int r = 0; r < me->ranks; r++)
		if (count_equal(me, all, r) < least)
			least = count_equal(me, all, r);
	if (least == me->ranks)
		return false;
	for (int r = 0; r < me->ranks; r++)
		differing[r] = count_equal(me, all, r) == least;
	list_ranks(differing, me->ranks, ranks, sizeof(ranks));
	if (!me->rank)
		rf_err("step %u: the weights of %s differ from those of the other ranks",
		       me->now.step, ranks);
	return true;
}

static int check_step(struct tr_rank *me, const struct tr_report *all)
{
	for (int r = 0; r < me->ranks; r++)
		if (all[r].step != me->now.step)
			return coll_fail(me->state, COLL_FAILED,
					 "rank %d is in step %u, this rank in step %u",
					 r, all[r].step, me->now.step);
	return 0;
}

/**
 * tr_verify() - compare the reports of all ranks about a step
 * @me: the rank
 * @all: the reports, by rank
 *
 * Return: 0, -EBADMSG after an error message if data or weights were wrong, or -EIO after
 * coll_fail().
 */
int tr_verify(struct tr_rank *me, const struct tr_report *all)
{
	int ret = check_step(me, all);

	if (ret)
		return ret;
	if (sums_differ(me, all)) {
		if (me->cfg->mode->alike)
			return note_wrong(me, find_element(me));
		return note_wrong(me, find_link(me));
	}
	if (me->cfg->mode->alike && weights_differ(me, all))
		return note_wrong(me, 0);
	return 0;
}
