/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_XOFF_H
#define RF_PFC_XOFF_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>

#include "../pure.h"

struct rf_port;

/* Why the neighbour is to be quiet; it may send when there is no reason left. */
enum rf_xoff_reason {
	RF_XOFF_BUFFER,		/* the buffer fills */
	RF_XOFF_STORM,		/* a storm that was asked for */
	RF_XOFF_REASONS,
};

/**
 * struct rf_xoff - what a port tells its neighbour
 * @lock: of all that is below; taken in hard interrupts too
 * @timer: runs when an XOFF is to be renewed
 * @quanta: of each reason, 0 if it is none
 * @due: when a priority is to be told of again, ktime_get_ns()
 * @last_sent: when it was told of last
 * @xon_pending: bit n if XON of priority n has not been sent yet
 * @xoff_tx: XOFFs sent, by priority
 * @xon_tx: XONs sent, by priority
 * @sent: frames
 * @closed: the port is about to end
 */
struct rf_xoff {
	spinlock_t lock;
	struct hrtimer timer;
	u32 quanta[RF_XOFF_REASONS][RDMAFAULT_PRIOS];
	u64 due[RDMAFAULT_PRIOS];
	u64 last_sent[RDMAFAULT_PRIOS];
	u64 xoff_tx[RDMAFAULT_PRIOS];
	u64 xon_tx[RDMAFAULT_PRIOS];
	u64 sent;
	u8 xon_pending;
	bool closed;
};

/*
 * What skb->mark says of a frame in the control band: bit n: priority n is held
 * as long as there is a reason; bit 8 + n: a storm is one.
 */
#define RF_XOFF_MARK_HELD(prio)		BIT(prio)
#define RF_XOFF_MARK_STORM(prio)	BIT(8 + (prio))

/* Process context */
void rf_xoff_init(struct rf_port *port);
void rf_xoff_reset_stats(struct rf_port *port);
void rf_xoff_end(struct rf_port *port);

/* Any context */
void rf_xoff_hold(struct rf_port *port, enum rf_xoff_reason reason, u32 prio,
		  u32 quanta);
void rf_xoff_release(struct rf_port *port, enum rf_xoff_reason reason, u32 prio);
void rf_xoff_resend(struct rf_port *port, u32 prio);
int rf_xoff_once(struct rf_port *port, u8 prios, u32 quanta);

#endif
