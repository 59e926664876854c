/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_STORM_H
#define RF_PFC_STORM_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>

#include "storm_fsm.h"

struct rf_port;
struct sk_buff;

/**
 * struct rf_storm - the storm that a priority is or was in last
 * @spec: what was asked; no priorities if there never was one
 * @owner: netlink port id of the socket that it ends with, 0 if persistent
 * @fsm: its turns, its end and its coverage
 * @held: XOFF is held, unless it has run out
 * @refresh: when the next XOFF of the gate is due
 */
struct rf_storm {
	struct rf_storm_spec spec;
	u32 owner;
	struct rf_storm_fsm fsm;
	bool held;
	u64 refresh;
};

/**
 * struct rf_storms - the storms of a port
 * @lock: of all that is below; taken in hard interrupts too
 * @timer: runs when something is due
 * @storm: by priority
 * @framed: bit n if the storm of priority n is one by frames
 * @closed: the port is about to end
 */
struct rf_storms {
	spinlock_t lock;
	struct hrtimer timer;
	struct rf_storm storm[RDMAFAULT_PRIOS];
	u8 framed;
	bool closed;
};

void rf_storm_init(struct rf_port *port);

/* Softirq or BH off */
void rf_storm_sent(struct rf_port *port, const struct sk_buff *skb, u32 mark);

/* Any context */
void rf_storm_start(struct rf_port *port, const struct rf_storm_spec *spec,
		    u32 owner);
void rf_storm_stop(struct rf_port *port, u32 prios);
void rf_storm_forget(struct rf_port *port);
void rf_storm_end_lease(struct rf_port *port, u32 owner);
void rf_storm_read(struct rf_port *port, u32 prio, struct rf_storm_info *info);

/* Process context */
void rf_storm_end(struct rf_port *port);

#endif
