/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_PFC_H
#define RF_PFC_PFC_H

#include <linux/hrtimer.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>

#include "fsm.h"

struct net_device;
struct rf_pfc;

/* Why a port sends XOFF for a priority. It sends XON when no reason is left. */
enum rf_xoff_reason {
	RF_XOFF_BUFFER,		/* the ingress buffer fills */
	RF_XOFF_STORM,		/* a storm that sends frames */
	RF_XOFF_REASONS,
};

/*
 * skb->mark of a queued XOFF frame. Bit n: XOFF of priority n is sent as long as it
 * has a reason, and is removed from the frame without one. Bit 8 + n: a storm is one
 * of the reasons.
 */
#define RF_XOFF_MARK_HELD(prio)		BIT(prio)
#define RF_XOFF_MARK_STORM(prio)	BIT(8 + (prio))

/**
 * struct rf_pfc_ops - functions of the queues of the port
 * @schedule: schedule the qdisc after a change that can let packets leave. Context:
 *	any, with the lock of rf_pfc held, and with the lock of the qdisc or without
 * @has_backlog: check if packets of a priority are queued. Context: as @schedule
 */
struct rf_pfc_ops {
	void (*schedule)(void *port);
	bool (*has_backlog)(const void *port, u32 prio);
};

/**
 * struct rf_pfc_rx - received pause frames, and the pauses of a port's priorities
 * @fsm: pause by priority
 * @xoffs: received XOFFs by priority
 * @xons: received XONs by priority
 * @ignored: received XOFFs by priority while the priority had no PFC
 * @received: received frames
 * @malformed: of them, ignored because they are no valid pause frames
 * @reserved: of them, with reserved bits set
 */
struct rf_pfc_rx {
	struct rf_pause_fsm fsm[RDMAFAULT_PRIOS];
	u64 xoffs[RDMAFAULT_PRIOS];
	u64 xons[RDMAFAULT_PRIOS];
	u64 ignored[RDMAFAULT_PRIOS];
	u64 received;
	u64 malformed;
	u64 reserved;
};

/**
 * struct rf_pfc_tx - the pause frames that a port sends
 * @quanta: pause time by reason and priority, 0 if the reason does not exist
 * @due: by priority, when the next XOFF or XON is due
 * @last_sent: by priority, when the last one was sent
 * @xoffs: sent XOFFs by priority
 * @xons: sent XONs by priority
 * @sent: sent frames
 * @xon_pending: bit n: XON of priority n has not been sent yet
 */
struct rf_pfc_tx {
	u32 quanta[RF_XOFF_REASONS][RDMAFAULT_PRIOS];
	u64 due[RDMAFAULT_PRIOS];
	u64 last_sent[RDMAFAULT_PRIOS];
	u64 xoffs[RDMAFAULT_PRIOS];
	u64 xons[RDMAFAULT_PRIOS];
	u64 sent;
	u8 xon_pending;
};

/**
 * struct rf_storm - the present or last storm of a priority
 * @spec: its settings; no priorities before the first storm
 * @owner: netlink port id of the socket with which it ends, 0 if persistent
 * @fsm: its phases, its end and its coverage
 * @on: the storm has paused the gate, or has set a reason for XOFF
 * @refresh: when the next XOFF of the gate is due
 */
struct rf_storm {
	struct rf_storm_spec spec;
	u32 owner;
	struct rf_storm_fsm fsm;
	bool on;
	u64 refresh;
};

/**
 * struct rf_watchdog - the PFC watchdog of a port
 * @next: when it polls next, U64_MAX if no priority has a watchdog
 * @fsm: by priority
 */
struct rf_watchdog {
	u64 next;
	struct rf_watchdog_fsm fsm[RDMAFAULT_PRIOS];
};

/**
 * struct rf_account - the account that a packet in a buffer is charged to
 * @pfc: the port by which the packet arrived
 * @prio: priority of the packet at that port
 */
struct rf_account {
	struct rf_pfc *pfc;
	u32 prio;
};

/**
 * struct rf_pfc - priority-based flow control of a port
 * @lock: protects all members; taken inside the lock of any qdisc, and in hard
 *	interrupts
 * @next_resume: no pause ends by itself before this time
 * @paused: bit n: priority n was paused when its pause was last checked
 * @drop: bit n: the watchdog drops the packets of priority n
 * @forward: bit n: the watchdog ignores the pause of priority n
 * @framed: bit n: the last storm of priority n sends frames
 * @stormy: a storm runs
 * @earliest: the next run of the timer is not before this time while a storm runs
 * @closed: the port is being destroyed: nothing is sent, charged or scheduled
 * @frames: the control band, frames to send
 * @timer: runs PFC at the earliest next event
 * @dev: netdev of the port
 * @ops: functions of the port
 * @port: argument of @ops
 * @users: the port, and the packets charged to @buffer
 * @rcu: packets can find the port for a grace period
 * @conf: configuration
 * @rx: received pause frames, and pauses
 * @tx: sent pause frames
 * @buffer: ingress buffer
 * @account: by priority, of @buffer
 * @storm: by priority
 * @watchdog: PFC watchdog
 */
struct rf_pfc {
	spinlock_t lock;
	u64 next_resume;
	u8 paused;
	u8 drop;
	u8 forward;
	u8 framed;
	bool stormy;
	bool closed;
	u64 earliest;
	struct sk_buff_head frames;
	struct hrtimer timer;
	struct net_device *dev;
	const struct rf_pfc_ops *ops;
	void *port;
	u64 users;
	struct rcu_head rcu;
	struct rf_pfc_conf conf;
	struct rf_pfc_rx rx;
	struct rf_pfc_tx tx;
	struct rf_buffer buffer;
	struct rf_account account[RDMAFAULT_PRIOS];
	struct rf_storm storm[RDMAFAULT_PRIOS];
	struct rf_watchdog watchdog;
};

/**
 * struct rf_pfc_info - counters of a port
 * @received: received pause frames
 * @malformed: of them, ignored because they are no valid pause frames
 * @reserved: of them, with reserved bits set
 * @sent: sent pause frames
 * @buffer_used: bytes in the ingress buffer
 * @buffer_peak: most bytes in the ingress buffer
 */
struct rf_pfc_info {
	u64 received;
	u64 malformed;
	u64 reserved;
	u64 sent;
	u64 buffer_used;
	u64 buffer_peak;
};

/* pfc.c: process context */
struct rf_pfc *rf_pfc_create(struct net_device *dev,
			     const struct rf_pfc_ops *ops, void *port);
void rf_pfc_configure(struct rf_pfc *pfc, const struct rf_pfc_conf *conf);
void rf_pfc_close(struct rf_pfc *pfc);
void rf_pfc_reset_stats(struct rf_pfc *pfc);
struct rf_pfc_info rf_pfc_read(struct rf_pfc *pfc);
void rf_pfc_read_prio(struct rf_pfc *pfc, u32 prio, struct rf_prio_stats *stats);

/* pfc.c: any context */
void rf_pfc_put(struct rf_pfc *pfc);
void rf_pfc_start_storm(struct rf_pfc *pfc, const struct rf_storm_spec *spec,
			u32 owner);
void rf_pfc_stop_storm(struct rf_pfc *pfc, u32 prios);
void rf_pfc_forget_storms(struct rf_pfc *pfc);
void rf_pfc_end_lease(struct rf_pfc *pfc, u32 owner);

/* pfc.c: softirq or BH off */
bool rf_pfc_receive(struct rf_pfc *pfc, const struct sk_buff *skb);
u8 rf_pfc_expire(struct rf_pfc *pfc, u64 now, u64 *next);
bool rf_pfc_charge(struct rf_pfc *pfc, u32 prio, u32 bytes,
		   struct rf_account **account);
void rf_pfc_uncharge(struct rf_account *account, u32 bytes);

/* pause.c */
int rf_pfc_send_once(struct rf_pfc *pfc, u8 prios, u32 quanta);
struct sk_buff *rf_pfc_dequeue(struct rf_pfc *pfc);
void rf_pfc_purge(struct rf_pfc *pfc);

/* storm.c */
void rf_storm_sent(struct rf_pfc *pfc, const struct sk_buff *skb, u32 mark);
void rf_storm_read(struct rf_pfc *pfc, u32 prio, struct rf_storm_info *info);

/* pause.c, for the files of pfc/: the lock held */
void rf_pfc_schedule(struct rf_pfc *pfc);
void rf_pfc_pause(struct rf_pfc *pfc, u32 prio, enum rf_pause_source source,
		  u64 now, u64 ns);
void rf_pfc_resume(struct rf_pfc *pfc, u32 prio, enum rf_pause_source source,
		   u64 now);
void rf_pfc_end_pauses(struct rf_pfc *pfc, u64 now);
void rf_pfc_set_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		     u32 quanta, u64 now);
void rf_pfc_clear_xoff(struct rf_pfc *pfc, enum rf_xoff_reason reason, u32 prio,
		       u64 now);
u32 rf_pfc_quanta(const struct rf_pfc_tx *tx, u32 prio);
u64 rf_pfc_send_due(struct rf_pfc *pfc, u64 now);
u8 rf_pfc_stop_frames(struct rf_pfc *pfc);

/* storm.c, for the files of pfc/: the lock held */
void rf_storm_begin(struct rf_pfc *pfc, const struct rf_storm_spec *spec, u32 owner,
		    u64 now);
void rf_storm_end(struct rf_pfc *pfc, u32 prios, u64 now);
u64 rf_storm_run(struct rf_pfc *pfc, u64 now);
u64 rf_storm_earliest(struct rf_pfc *pfc, u64 now);

/* watchdog.c, for the files of pfc/: the lock held */
u64 rf_watchdog_run(struct rf_pfc *pfc, u64 now);
void rf_watchdog_reconfigure(struct rf_pfc *pfc, u64 old_poll, u64 now);
void rf_watchdog_read(const struct rf_pfc *pfc, u32 prio,
		      struct rf_prio_stats *stats);
void rf_watchdog_reset_stats(struct rf_pfc *pfc);

/* pause.c, for the files of pfc/: process context, the lock not held */
void rf_pfc_send_final_xon(struct rf_pfc *pfc, u8 prios);

/**
 * rf_pfc_any_paused - check if a priority can be paused
 * @pfc: the PFC of a port
 *
 * Context: any; it can change at any time.
 * Return: false if no priority is paused.
 */
static inline bool rf_pfc_any_paused(const struct rf_pfc *pfc)
{
	return READ_ONCE(pfc->paused);
}

/**
 * rf_pfc_has_frames - check if there are frames to send
 * @pfc: the PFC of a port
 *
 * Context: any; it can change at any time.
 * Return: true if it has.
 */
static inline bool rf_pfc_has_frames(const struct rf_pfc *pfc)
{
	return !skb_queue_empty_lockless(&pfc->frames);
}

/**
 * rf_pfc_drops - get the priorities whose packets the watchdog drops
 * @pfc: the PFC of a port
 *
 * Context: any; it can change at any time.
 * Return: bit n for priority n.
 */
static inline u32 rf_pfc_drops(const struct rf_pfc *pfc)
{
	return READ_ONCE(pfc->drop);
}

/**
 * rf_pfc_paused - find the paused priorities
 * @pfc: the PFC of a port
 * @now: the time
 * @next: set to a time before which none of them resumes by itself, U64_MAX if no
 *	priority is paused. The port is scheduled when a priority resumes
 *
 * The lock is not taken as long as no pause can have ended. If the result changes at
 * the same time, the port is scheduled.
 *
 * Context: softirq or BH off; the lock of the qdisc can be held.
 * Return: bit n for priority n, except priorities whose pause the watchdog ignores.
 */
static inline u8 rf_pfc_paused(struct rf_pfc *pfc, u64 now, u64 *next)
{
	u8 paused = READ_ONCE(pfc->paused);

	*next = U64_MAX;
	if (likely(!paused))
		return 0;
	*next = READ_ONCE(pfc->next_resume);
	if (now < *next)
		return paused & ~READ_ONCE(pfc->forward);
	return rf_pfc_expire(pfc, now, next);
}

#endif
