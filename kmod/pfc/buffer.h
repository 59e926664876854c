/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_BUFFER_H
#define RF_PFC_BUFFER_H

#include <linux/types.h>

struct rf_account;
struct rf_class;
struct rf_port;
struct sk_buff;

/**
 * struct rf_buffer_use - how full a buffer is
 * @used: bytes
 * @peak: most that there were
 */
struct rf_buffer_use {
	u64 used;
	u64 peak;
};

/* Process context; rf_ports_lock held for the last */
int rf_buffer_init(struct rf_port *port);
void rf_buffer_end(struct rf_port *port);
void rf_buffer_reapply_config(struct rf_port *port);

/* Softirq or BH off */
bool rf_buffer_charge(const struct rf_port *out, const struct sk_buff *skb,
		      const struct rf_class *class, struct rf_account **account);

/* Softirq or process */
void rf_buffer_release(struct rf_account *account, u32 bytes);

/* Any but hard interrupts */
struct rf_buffer_use rf_buffer_read(struct rf_port *port);
struct rf_buffer_use rf_buffer_read_prio(struct rf_port *port, u32 prio);
void rf_buffer_reset_stats(struct rf_port *port);

#endif
