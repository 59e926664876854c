// SPDX-License-Identifier: GPL-2.0
/*
 * The watchdog of a port: looks at its priorities every polling
 * interval, and takes one that a storm holds out of it until the storm is over.
 * What it decides is in watchdog_fsm.c, what comes of it in the queues, which
 * look at the masks that are set here.
 *
 * It doesn't matter who has paused a priority, the neighbour or a storm of our own.
 */
#include <net/net_debug.h>

#include "../compat/hrtimer.h"
#include "../port.h"
#include "../trace.h"
#include "watchdog.h"

/* The queues may do otherwise now. */
static void set_masks(struct rf_port *port, u32 action)
{
	struct rf_watchdog *watchdog = &port->guard;
	u8 in_storm = 0;
	u32 i;

	lockdep_assert_held(&watchdog->lock);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (watchdog->fsm[i].in_storm)
			in_storm |= BIT(i);
	WRITE_ONCE(watchdog->drop, action == RDMAFAULT_WATCHDOG_ACTION_DROP ?
			      in_storm : 0);
	WRITE_ONCE(watchdog->forward, action == RDMAFAULT_WATCHDOG_ACTION_FORWARD ?
				 in_storm : 0);
	if (!watchdog->closed)
		rf_port_kick(port);
}

/* Returns whether anything was found out. */
static bool watchdog_poll(struct rf_port *port, u32 prio,
		    const struct rf_watchdog_conf *conf)
{
	struct rf_watchdog_fsm *fsm = &port->guard.fsm[prio];
	struct rf_watchdog_look look;
	enum rf_watchdog_event event;
	struct rf_pause_info pause;

	rf_pause_read(port, prio, &pause);
	look = (struct rf_watchdog_look){
		.now = ktime_get_ns(),
		.since = pause.since,
		.end = pause.until,
		.waiting = READ_ONCE(port->queue.stats[prio].backlog),
	};
	DEBUG_NET_WARN_ON_ONCE(look.since > look.now);
	event = rf_watchdog_fsm_look(fsm, conf, &look);
	if (event == RF_WATCHDOG_NOTHING)
		return false;
	trace_rf_watchdog(port->dev->ifindex, port->dev->name, prio, event,
			  conf->action,
			  event == RF_WATCHDOG_DETECTED ? fsm->detect_time :
							  fsm->restore_time);
	return true;
}

static void watchdog_rearm(struct rf_watchdog *watchdog,
		       const struct rf_watchdog_conf *conf)
{
	if (watchdog->closed || !conf->prios)
		return;
	watchdog->poll = conf->poll;
	hrtimer_start(&watchdog->timer, ns_to_ktime(ktime_get_ns() + conf->poll),
		      HRTIMER_MODE_ABS);
}

static enum hrtimer_restart watchdog_timer(struct hrtimer *timer)
{
	struct rf_port *port = container_of(timer, struct rf_port, guard.timer);
	struct rf_watchdog *watchdog = &port->guard;
	const struct rf_watchdog_conf *conf;
	bool changed = false;
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&watchdog->lock, flags);
	conf = &rf_port_conf(port)->watchdog;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (conf->prios & BIT(i))
			changed |= watchdog_poll(port, i, conf);
	if (changed)
		set_masks(port, conf->action);
	watchdog_rearm(watchdog, conf);
	spin_unlock_irqrestore(&watchdog->lock, flags);
	return HRTIMER_NORESTART;
}

/**
 * rf_watchdog_apply - the port may have been told otherwise
 * @port: the port; storms of priorities without a watchdog are forgotten
 *
 * Context: process, rf_ports_lock held.
 */
void rf_watchdog_apply(struct rf_port *port)
{
	struct rf_watchdog *watchdog = &port->guard;
	const struct rf_watchdog_conf *conf;
	u32 i;

	spin_lock_irq(&watchdog->lock);
	conf = &rf_port_conf(port)->watchdog;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (!(conf->prios & BIT(i)))
			rf_watchdog_fsm_reset(&watchdog->fsm[i]);
	set_masks(port, conf->action);
	if (!hrtimer_is_queued(&watchdog->timer) || watchdog->poll != conf->poll)
		watchdog_rearm(watchdog, conf);
	spin_unlock_irq(&watchdog->lock);
}

/**
 * rf_watchdog_read - what the guard knows of a priority
 * @port: the port
 * @prio: the priority
 * @info: filled in
 *
 * Context: any.
 */
void rf_watchdog_read(struct rf_port *port, u32 prio,
		      struct rf_watchdog_info *info)
{
	const struct rf_watchdog_fsm *fsm = &port->guard.fsm[prio];
	unsigned long flags;

	spin_lock_irqsave(&port->guard.lock, flags);
	*info = (struct rf_watchdog_info){
		.in_storm = fsm->in_storm,
		.detected = fsm->detected,
		.restored = fsm->restored,
		.detect_time = fsm->detect_time,
		.restore_time = fsm->restore_time,
	};
	spin_unlock_irqrestore(&port->guard.lock, flags);
}

/**
 * rf_watchdog_reset_stats - count storms from now on
 * @port: the port; a storm that it has detected and that isn't over counts
 *
 * Context: any.
 */
void rf_watchdog_reset_stats(struct rf_port *port)
{
	struct rf_watchdog_fsm *fsm = port->guard.fsm;
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&port->guard.lock, flags);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		fsm[i].detected = fsm[i].in_storm;
		fsm[i].restored = 0;
		fsm[i].detect_time = fsm[i].in_storm ? fsm[i].detect_time : 0;
		fsm[i].restore_time = 0;
	}
	spin_unlock_irqrestore(&port->guard.lock, flags);
}

/**
 * rf_watchdog_init - a guard that nothing has been told yet
 * @port: a new port
 *
 * Context: any.
 */
void rf_watchdog_init(struct rf_port *port)
{
	struct rf_watchdog *watchdog = &port->guard;

	spin_lock_init(&watchdog->lock);
	hrtimer_setup(&watchdog->timer, watchdog_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS);
}

/**
 * rf_watchdog_end - look no more
 * @port: a port that nobody can find any more
 *
 * Context: process.
 */
void rf_watchdog_end(struct rf_port *port)
{
	spin_lock_irq(&port->guard.lock);
	port->guard.closed = true;
	spin_unlock_irq(&port->guard.lock);
	hrtimer_cancel(&port->guard.timer);
	DEBUG_NET_WARN_ON_ONCE(hrtimer_active(&port->guard.timer));
}
