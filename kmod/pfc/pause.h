/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_PAUSE_H
#define RF_PFC_PAUSE_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>

#include "fsm.h"

struct rf_port;
struct sk_buff;

/**
 * struct rf_pause - what holds the priorities of a port
 * @lock: of all that is below; taken in hard interrupts too
 * @timer: runs when the next pause ends
 * @fsm: by priority
 * @xoffs: XOFFs that frames have brought
 * @xons: XONs that frames have brought
 * @ignored: XOFFs for priorities without PFC
 * @received: pause frames that came
 * @malformed: of them not understood, and ignored
 * @reserved: of them with bits that mean nothing
 * @paused: bit n if priority n was paused when that was last looked at
 * @next: no pause ends by itself before this time
 * @closed: the port is about to end
 */
struct rf_pause {
	spinlock_t lock;
	struct hrtimer timer;
	struct rf_pause_fsm fsm[RDMAFAULT_PRIOS];
	u64 xoffs[RDMAFAULT_PRIOS];
	u64 xons[RDMAFAULT_PRIOS];
	u64 ignored[RDMAFAULT_PRIOS];
	u64 received;
	u64 malformed;
	u64 reserved;
	u8 paused;
	u64 next;
	bool closed;
};

/**
 * struct rf_pause_info - the pause of one priority, as it is told
 * @left: nanoseconds until it resumes, 0 if it is not paused
 * @total: nanoseconds that it was paused
 * @pauses: how many pauses there were
 * @xoffs: XOFFs that frames have brought
 * @xons: XONs that frames have brought
 * @ignored: XOFFs that came while the priority had no PFC
 * @since: begin of the last pause, ktime_get_ns()
 * @until: its end
 * @last: when the last XOFF came
 */
struct rf_pause_info {
	u64 left;
	u64 total;
	u64 pauses;
	u64 xoffs;
	u64 xons;
	u64 ignored;
	u64 since;
	u64 until;
	u64 last;
};

/* Process context */
void rf_pause_init(struct rf_port *port);
void rf_pause_end(struct rf_port *port);

/* Any context */
u64 rf_pause_xoff(struct rf_port *port, u32 prio, u64 ns);
u64 rf_pause_xon(struct rf_port *port, u32 prio);
void rf_pause_forget(struct rf_port *port, u32 prios);
void rf_pause_reset_stats(struct rf_port *port);
void rf_pause_read(struct rf_port *port, u32 prio, struct rf_pause_info *info);

/* Softirq or BH off */
bool rf_pause_frame(struct rf_port *port, const struct sk_buff *skb);
u8 rf_paused_prios(struct rf_port *port, u64 now, u64 *next);

#endif
