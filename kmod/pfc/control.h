/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_CONTROL_H
#define RF_PFC_CONTROL_H

#include <linux/skbuff.h>
#include <linux/spinlock.h>

struct rf_port;

/**
 * struct rf_control - frames of the port's own that no pause stops
 * @lock: of all that is below; taken in hard interrupts too
 * @list: the frames, the oldest first
 * @closed: takes none any more
 */
struct rf_control {
	spinlock_t lock;
	struct sk_buff_head list;
	bool closed;
};

void rf_control_init(struct rf_port *port);

/* Any context */
void rf_control_send(struct rf_port *port, struct sk_buff *skb);
void rf_control_revise(struct rf_port *port,
		       bool (*keep)(struct rf_port *port, struct sk_buff *skb,
				    u32 arg), u32 arg);
void rf_control_purge(struct rf_port *port);
void rf_control_close(struct rf_port *port);

/* Softirq or BH off */
struct sk_buff *rf_control_take(struct rf_port *port);

#endif
