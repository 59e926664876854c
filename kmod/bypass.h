/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_BYPASS_H
#define RF_BYPASS_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include "stats.h"

struct rf_port;
struct rf_dir;

/**
 * struct rf_bypass - do leaving packets go past the qdisc?
 * @lock: of the qdisc's flag that says so; taken in hard interrupts too
 * @on: they did when we looked last, and the core counts them
 * @packets: of the qdisc's own counters when it began
 * @bytes: likewise
 *
 * All but @lock under the lock of the qdisc.
 */
struct rf_bypass {
	spinlock_t lock;
	bool on;
	u64 packets;
	u64 bytes;
};

/* The lock of the qdisc held */
void rf_bypass_begin(struct rf_port *port);
void rf_bypass_leave(struct rf_port *port);

/* Any context */
void rf_bypass_end(struct rf_port *port);

/* Process context */
void rf_bypass_init(struct rf_port *port);
void rf_bypass_stats(const struct rf_dir *dir, u64 sum[RF_STATS]);
void rf_bypass_reset_stats(struct rf_dir *dir);

#endif
