/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_WATCHDOG_H
#define RF_PFC_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>

#include "watchdog_fsm.h"

struct rf_port;

/**
 * struct rf_watchdog - the guard of a port's priorities
 * @lock: of all that is below; taken in hard interrupts too
 * @timer: runs when it is time for a look
 * @poll: interval that it was set by, in nanoseconds
 * @fsm: by priority
 * @drop: bit n if what waits in priority n and what comes is to be dropped
 * @forward: bit n if pauses of priority n are to be ignored
 * @closed: the port is about to end
 */
struct rf_watchdog {
	spinlock_t lock;
	struct hrtimer timer;
	u64 poll;
	struct rf_watchdog_fsm fsm[RDMAFAULT_PRIOS];
	u8 drop;
	u8 forward;
	bool closed;
};

/**
 * struct rf_watchdog_info - what the guard knows of a priority
 * @in_storm: 1 while it is taken to be in a storm
 * @detected: storms so far
 * @restored: of them over
 * @detect_time: nanoseconds that the last one had stalled the priority when it
 *	was detected
 * @restore_time: nanoseconds that it had been over when that was seen
 */
struct rf_watchdog_info {
	u32 in_storm;
	u64 detected;
	u64 restored;
	u64 detect_time;
	u64 restore_time;
};

void rf_watchdog_init(struct rf_port *port);

/* Any context */
void rf_watchdog_read(struct rf_port *port, u32 prio,
		      struct rf_watchdog_info *info);
void rf_watchdog_reset_stats(struct rf_port *port);

/* Process context */
void rf_watchdog_apply(struct rf_port *port);
void rf_watchdog_end(struct rf_port *port);

#endif
