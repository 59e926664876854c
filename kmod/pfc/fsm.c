// SPDX-License-Identifier: GPL-2.0
/*
 * The pause of one priority. An XOFF says how long it holds, a later one says
 * so anew, XON ends it. Two may ask: the neighbour by frames, and a storm of our
 * own; the priority sends when neither holds it.
 *
 * The time of an end is known beforehand, so no timer is needed to be right:
 * what was paused is computed from the times alone, however late one looks.
 */
#include "fsm.h"

#ifdef __KERNEL__
#include <linux/math64.h>
#else
#define div64_u64(a, b)	((a) / (b))
#endif

#define NS_PER_S	1000000000ULL
#define QUANTUM_BITS	512

/**
 * rf_pause_ns - how long a pause lasts
 * @quanta: of 512 bit times (IEEE 802.3, 31B.2 and 31D.2)
 * @rate: bits per second, not 0
 *
 * Return: nanoseconds, rounded up.
 */
u64 rf_pause_ns(u32 quanta, u64 rate)
{
	return div64_u64(quanta * QUANTUM_BITS * NS_PER_S + rate - 1, rate);
}

/* Was it paused in the time that isn't counted yet, up to now? */
static u64 uncounted(const struct rf_pause_fsm *fsm, u64 now)
{
	u64 end = rf_pause_fsm_end(fsm);

	if (end > now)
		end = now;
	return end > fsm->from ? end - fsm->from : 0;
}

/**
 * rf_pause_fsm_total - how long a priority was paused
 * @fsm: the priority
 * @now: the time
 *
 * Return: nanoseconds, up to @now.
 */
u64 rf_pause_fsm_total(const struct rf_pause_fsm *fsm, u64 now)
{
	return fsm->total + uncounted(fsm, now);
}

/* Returns whether it was paused. */
static bool advance(struct rf_pause_fsm *fsm, u64 now)
{
	fsm->total += uncounted(fsm, now);
	fsm->from = now;
	return rf_pause_fsm_end(fsm) > now;
}

/**
 * rf_pause_fsm_xoff - XOFF has come
 * @fsm: the priority
 * @source: who has sent it
 * @now: the time
 * @ns: how long it holds, in place of what @source has said before; not 0
 *
 * Return: true if a pause begins.
 */
bool rf_pause_fsm_xoff(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		       u64 now, u64 ns)
{
	bool paused = advance(fsm, now);

	fsm->until[source] = now + ns;
	fsm->last = now;
	if (paused)
		return false;
	fsm->since = now;
	fsm->pauses++;
	return true;
}

/**
 * rf_pause_fsm_xon - XON has come
 * @fsm: the priority
 * @source: who has sent it
 * @now: the time
 *
 * Return: true if a pause ends.
 */
bool rf_pause_fsm_xon(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		      u64 now)
{
	bool paused = advance(fsm, now);

	if (fsm->until[source] > now)
		fsm->until[source] = now;
	return paused && rf_pause_fsm_end(fsm) <= now;
}

/**
 * rf_pause_fsm_reset_stats - count pauses and their time from 0 on
 * @fsm: the priority, which stays as it is
 * @now: the time
 */
void rf_pause_fsm_reset_stats(struct rf_pause_fsm *fsm, u64 now)
{
	advance(fsm, now);
	fsm->total = 0;
	fsm->pauses = 0;
}
