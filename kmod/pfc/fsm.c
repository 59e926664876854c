// SPDX-License-Identifier: GPL-2.0
/*
 * The pause of one priority. XOFF has a duration; a later XOFF replaces it, and XON
 * ends the pause. There are two sources: frames of the neighbour, and a storm of this
 * port. The priority is paused as long as one of them pauses it.
 *
 * The end of a pause is known in advance. The time in which the priority was paused is
 * computed from the times alone, so it is right however late a timer is.
 */
#include <linux/math64.h>

#include "fsm.h"

#define NS_PER_S	1000000000ULL
#define QUANTUM_BITS	512

/**
 * rf_pause_ns - duration of a pause
 * @quanta: units of 512 bit times (IEEE 802.3, 31B.2 and 31D.2)
 * @rate: rate of the link, bits per second, not 0
 *
 * Return: nanoseconds, rounded up.
 */
u64 rf_pause_ns(u32 quanta, u64 rate)
{
	return div64_u64(quanta * QUANTUM_BITS * NS_PER_S + rate - 1, rate);
}

/* The nanoseconds of the pause from fsm->from up to now. */
static u64 pause_uncounted(const struct rf_pause_fsm *fsm, u64 now)
{
	u64 end = rf_pause_fsm_end(fsm);

	if (end > now)
		end = now;
	return end > fsm->from ? end - fsm->from : 0;
}

/**
 * rf_pause_fsm_total - total duration of the pauses of a priority
 * @fsm: the priority
 * @now: the time
 *
 * Return: nanoseconds, up to @now.
 */
u64 rf_pause_fsm_total(const struct rf_pause_fsm *fsm, u64 now)
{
	return fsm->total + pause_uncounted(fsm, now);
}

/* Returns true if the priority is paused at @now, before a change. */
static bool pause_advance(struct rf_pause_fsm *fsm, u64 now)
{
	fsm->total += pause_uncounted(fsm, now);
	fsm->from = now;
	return rf_pause_fsm_end(fsm) > now;
}

/**
 * rf_pause_fsm_xoff - pause a priority
 * @fsm: the priority
 * @source: source of the XOFF
 * @now: the time
 * @ns: duration, not 0; replaces the present pause of @source
 *
 * Return: true if a pause begins.
 */
bool rf_pause_fsm_xoff(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		       u64 now, u64 ns)
{
	bool paused = pause_advance(fsm, now);

	fsm->until[source] = now + ns;
	fsm->last = now;
	if (paused)
		return false;
	fsm->since = now;
	fsm->pauses++;
	return true;
}

/**
 * rf_pause_fsm_xon - end the pause of a source
 * @fsm: the priority
 * @source: source of the XON
 * @now: the time
 *
 * Return: true if a pause ends.
 */
bool rf_pause_fsm_xon(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		      u64 now)
{
	bool paused = pause_advance(fsm, now);

	if (fsm->until[source] > now)
		fsm->until[source] = now;
	return paused && rf_pause_fsm_end(fsm) <= now;
}

/**
 * rf_pause_fsm_reset_stats - set the counters to 0
 * @fsm: the priority; it stays paused if it is
 * @now: the time
 */
void rf_pause_fsm_reset_stats(struct rf_pause_fsm *fsm, u64 now)
{
	pause_advance(fsm, now);
	fsm->total = 0;
	fsm->pauses = 0;
}
