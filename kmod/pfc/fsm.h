/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_FSM_H
#define RF_PFC_FSM_H

#include <linux/types.h>

/* What can pause a priority. The tracepoint rf_pause has the same numbers. */
enum rf_pause_source {
	RF_PAUSE_FRAME,		/* frames of the neighbour */
	RF_PAUSE_STORM,		/* a storm of this port */
	RF_PAUSE_SOURCES,
};

/**
 * struct rf_pause_fsm - the pause of one priority
 * @until: end of the pause of each source; in the past if there is none
 * @from: time up to which the pauses are added to @total
 * @since: start of the last pause
 * @total: nanoseconds in which the priority was paused, up to @from
 * @pauses: number of pauses
 * @last: time of the last XOFF
 *
 * All times are in nanoseconds of the same clock, and never go back.
 */
struct rf_pause_fsm {
	u64 until[RF_PAUSE_SOURCES];
	u64 from;
	u64 since;
	u64 total;
	u64 pauses;
	u64 last;
};

u64 rf_pause_ns(u32 quanta, u64 rate);
bool rf_pause_fsm_xoff(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		       u64 now, u64 ns);
bool rf_pause_fsm_xon(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		      u64 now);
void rf_pause_fsm_reset_stats(struct rf_pause_fsm *fsm, u64 now);
u64 rf_pause_fsm_total(const struct rf_pause_fsm *fsm, u64 now);

/**
 * rf_pause_fsm_end - the end of the pause without another XOFF or XON
 * @fsm: the priority
 *
 * Return: the time; the priority is paused before it, and not from then on.
 */
static inline u64 rf_pause_fsm_end(const struct rf_pause_fsm *fsm)
{
	const u64 *until = fsm->until;

	return until[RF_PAUSE_FRAME] > until[RF_PAUSE_STORM] ?
	       until[RF_PAUSE_FRAME] : until[RF_PAUSE_STORM];
}

#endif
