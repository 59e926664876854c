// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the offsets between the clocks of several hosts.
 *
 * CLOCK_MONOTONIC starts at the boot of a host, so ranks with the same boot ID share
 * a clock, and nothing is measured. Otherwise all ranks exchange timestamps in
 * COLL_ROUNDS rounds. A timestamp is read before it is sent and arrives later, so each
 * round gives a lower and an upper bound of the offset. The offset is the clock of
 * rank 0 minus the clock of this rank:
 *
 *     offset  >=  send time at rank 0 - arrival time at this rank
 *     offset  <=  arrival time at rank 0 - send time at this rank
 *
 * The rounds with the smallest delays give the tightest bounds. The offset is set to
 * the middle of both bounds; half of their distance is the maximum error.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

#define COLL_ROUNDS	16

/**
 * coll_boot_id() - get the boot ID, which identifies the running kernel
 * @boot: gets the ID
 */
void coll_boot_id(char boot[COLL_BOOT_LEN])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	memset(boot, 0, COLL_BOOT_LEN);
	if (!f || fscanf(f, "%39s", boot) != 1)
		boot[0] = '?';
	if (f)
		fclose(f);
}

static bool one_clock(const struct coll_oob *oob, char all[][COLL_BOOT_LEN])
{
	for (int r = 1; r < oob->ranks; r++)
		if (memcmp(all[0], all[r], COLL_BOOT_LEN))
			return false;
	return true;
}

/*
 * The time when a rank sent this struct, and the times when it received the structs of the
 * previous round
 */
struct stamp {
	uint64_t sent_ns, had_ns;
};

struct bounds {
	int64_t low, high;
};

static void tighten(struct bounds *b, int64_t low, int64_t high)
{
	if (low > b->low)
		b->low = low;
	if (high < b->high)
		b->high = high;
}

static int exchange_stamps(struct coll_oob *oob, struct bounds *b)
{
	struct stamp all[COLL_RANKS_MAX], mine = { 0, 0 };
	int ret = 0;

	for (int i = 0; !ret && i < COLL_ROUNDS; i++) {
		uint64_t sent_before = mine.sent_ns;

		mine.sent_ns = rf_now_ns();
		ret = coll_allgather(oob, &mine, sizeof(mine), all);
		mine.had_ns = rf_now_ns();
		tighten(b, (int64_t)(all[0].sent_ns - mine.had_ns),
			i ? (int64_t)(all[0].had_ns - sent_before) : INT64_MAX);
	}
	return ret;
}

/**
 * coll_skew_measure() - measure the offset to the clock of rank 0
 * @oob: the other ranks; all must call this function
 * @skew: gets the offset
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_skew_measure(struct coll_oob *oob, struct coll_skew *skew)
{
	struct bounds b = { INT64_MIN, INT64_MAX };
	char mine[COLL_BOOT_LEN] = "", clocks[COLL_RANKS_MAX][COLL_BOOT_LEN];
	int ret;

	coll_boot_id(mine);
	ret = coll_allgather(oob, mine, sizeof(mine), clocks);
	*skew = (struct coll_skew){ 0, 0 };
	if (ret || one_clock(oob, clocks))
		return ret;
	ret = exchange_stamps(oob, &b);
	if (ret || !memcmp(clocks[0], clocks[oob->rank], COLL_BOOT_LEN))
		return ret;
	skew->offset_ns = b.low + (b.high - b.low) / 2;
	skew->error_ns = (uint64_t)(b.high - b.low) / 2;
	oob->state->clock_ns = skew->offset_ns;
	return 0;
}
