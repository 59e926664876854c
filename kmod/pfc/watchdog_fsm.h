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
 * struct rf_watchdog_look - what there is to see of a priority
 * @now: the time, in nanoseconds of a clock as all times
 * @since: begin of the last pause
 * @end: when it ended or will end, if nothing else comes
 * @waiting: a packet waits
 */
struct rf_watchdog_look {
	u64 now;
	u64 since;
	u64 end;
	bool waiting;
};

/**
 * struct rf_watchdog_fsm - the guard of one priority
 * @since: begin of the pause at the look before
 * @idle: the last look at which nothing waited
 * @stalled: at the look before it was paused, and packets waited
 * @in_storm: a storm has been detected, and isn't over
 * @detected: storms so far
 * @restored: of them over
 * @detect_time: how long the last one had stalled the priority when it was
 *	detected
 * @restore_time: how long the last one had been over when that was seen
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

enum rf_watchdog_event rf_watchdog_fsm_look(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_look *look);
void rf_watchdog_fsm_reset(struct rf_watchdog_fsm *fsm);

#endif
