/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_WATCHDOG_FSM_H
#define RF_PFC_WATCHDOG_FSM_H

#include "config.h"

enum rf_watchdog_event {
	RF_WATCHDOG_DETECTED,
	RF_WATCHDOG_RESTORED,
	RF_WATCHDOG_NOTHING,
};

/**
 * struct rf_watchdog_sample - state of a priority at a poll
 * @now: time of the poll. All times are in nanoseconds of the same clock
 * @since: start of the last pause
 * @end: end of the last pause, in the future if the priority is paused
 * @waiting: packets are queued
 */
struct rf_watchdog_sample {
	u64 now;
	u64 since;
	u64 end;
	bool waiting;
};

/**
 * struct rf_watchdog_fsm - the watchdog of one priority
 * @since: start of the last pause, at the previous poll
 * @idle: time of the last poll at which no packet was queued
 * @stalled: at the previous poll, the priority was paused and packets were queued
 * @in_storm: a storm was detected and has not been restored
 * @detected: detected storms
 * @restored: of them, restored
 * @detect_time: how long the last storm had stalled the priority when it was
 *	detected
 * @restore_time: how long after the end of the last storm it was restored
 */
struct rf_watchdog_fsm {
	u64 since;
	u64 idle;
	bool stalled;
	bool in_storm;
	u64 detected;
	u64 restored;
	u64 detect_time;
	u64 restore_time;
};

enum rf_watchdog_event rf_watchdog_fsm_poll(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_sample *sample);
void rf_watchdog_fsm_reset(struct rf_watchdog_fsm *fsm);

#endif
