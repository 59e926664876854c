/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_FSM_H
#define RF_PFC_FSM_H

#include "../pure.h"

/* What can pause a priority. The tracepoint rf_pause has the same numbers. */
enum rf_pause_source {
	RF_PAUSE_FRAME,		/* the neighbour */
	RF_PAUSE_STORM,		/* a storm of our own */
	RF_PAUSE_SOURCES,
};

/**
 * struct rf_pause_fsm - the pause of one priority
 * @until: when each source lets it go; over if that isn't later than now
 * @from: time before which all is in @total
 * @since: begin of the last pause
 * @total: nanoseconds that it was paused, up to @from
 * @pauses: how many pauses there were
 * @last: when the last XOFF came
 *
 * All times are those of one clock, in nanoseconds, and don't go back.
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
 * rf_pause_fsm_end - when a priority resumes if nothing else comes
 * @fsm: the priority
 *
 * Return: the time; it is paused before and not from then on.
 */
static inline u64 rf_pause_fsm_end(const struct rf_pause_fsm *fsm)
{
	const u64 *until = fsm->until;

	return until[RF_PAUSE_FRAME] > until[RF_PAUSE_STORM] ?
	       until[RF_PAUSE_FRAME] : until[RF_PAUSE_STORM];
}

#endif
