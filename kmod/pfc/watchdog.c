// SPDX-License-Identifier: GPL-2.0
/*
 * The PFC watchdog of a port. It polls its priorities, and detects and restores
 * storms as watchdog_fsm.c says. The queues read the masks that it sets, and drop
 * packets or ignore pauses.
 *
 * The cause of a pause does not matter: a frame of the neighbour, or a storm of this
 * port.
 */
#include <linux/netdevice.h>
#include <net/net_debug.h>

#include "../trace.h"
#include "pfc.h"

static void watchdog_set_masks(struct rf_pfc *pfc)
{
	u32 action = pfc->conf.watchdog.action;
	u8 in_storm = 0, drop = 0, forward = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (pfc->watchdog.fsm[i].in_storm)
			in_storm |= BIT(i);
	if (action == RDMAFAULT_WATCHDOG_ACTION_DROP)
		drop = in_storm;
	else if (action == RDMAFAULT_WATCHDOG_ACTION_FORWARD)
		forward = in_storm;
	if (pfc->drop == drop && pfc->forward == forward)
		return;
	WRITE_ONCE(pfc->drop, drop);
	WRITE_ONCE(pfc->forward, forward);
	rf_pfc_schedule(pfc);
}

/* Returns true if a storm was detected or restored. */
static bool watchdog_poll(struct rf_pfc *pfc, u32 prio, u64 now)
{
	const struct rf_watchdog_conf *conf = &pfc->conf.watchdog;
	struct rf_watchdog_fsm *fsm = &pfc->watchdog.fsm[prio];
	struct rf_watchdog_sample sample = {
		.now = now,
		.since = pfc->rx.fsm[prio].since,
		.end = rf_pause_fsm_end(&pfc->rx.fsm[prio]),
		.waiting = pfc->ops->has_backlog(pfc->port, prio),
	};
	enum rf_watchdog_event event;

	DEBUG_NET_WARN_ON_ONCE(sample.since > now);
	event = rf_watchdog_fsm_poll(fsm, conf, &sample);
	if (event == RF_WATCHDOG_NOTHING)
		return false;
	trace_rf_watchdog(pfc->dev->ifindex, pfc->dev->name, prio, event,
			  conf->action,
			  event == RF_WATCHDOG_DETECTED ? fsm->detect_time :
							  fsm->restore_time);
	return true;
}

/**
 * rf_watchdog_run - poll the priorities if it is time
 * @pfc: the PFC of a port
 * @now: the time
 *
 * Context: any, the lock held.
 * Return: when to poll next, U64_MAX for never.
 */
u64 rf_watchdog_run(struct rf_pfc *pfc, u64 now)
{
	const struct rf_watchdog_conf *conf = &pfc->conf.watchdog;
	bool changed = false;
	u32 i;

	if (now < pfc->watchdog.next)
		return pfc->watchdog.next;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (conf->prios & BIT(i))
			changed |= watchdog_poll(pfc, i, now);
	if (changed)
		watchdog_set_masks(pfc);
	pfc->watchdog.next = now + conf->poll;
	return pfc->watchdog.next;
}

/**
 * rf_watchdog_reconfigure - use a new configuration
 * @pfc: the PFC of a port, with its new configuration. A priority that has no
 *	watchdog any more leaves its storm
 * @old_poll: previous polling interval
 * @now: the time
 *
 * Context: any, the lock held.
 */
void rf_watchdog_reconfigure(struct rf_pfc *pfc, u64 old_poll, u64 now)
{
	const struct rf_watchdog_conf *conf = &pfc->conf.watchdog;
	struct rf_watchdog *watchdog = &pfc->watchdog;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (!(conf->prios & BIT(i)))
			rf_watchdog_fsm_reset(&watchdog->fsm[i]);
	watchdog_set_masks(pfc);
	if (!conf->prios)
		watchdog->next = U64_MAX;
	else if (watchdog->next == U64_MAX || conf->poll != old_poll)
		watchdog->next = now + conf->poll;
}

/**
 * rf_watchdog_read - read the state and the counters of a priority
 * @pfc: the PFC of a port
 * @prio: the priority
 * @stats: the members about the watchdog are set
 *
 * Context: any, the lock held.
 */
void rf_watchdog_read(const struct rf_pfc *pfc, u32 prio,
		      struct rf_prio_stats *stats)
{
	const struct rf_watchdog_fsm *fsm = &pfc->watchdog.fsm[prio];

	stats->watchdog = fsm->in_storm;
	stats->detected = fsm->detected;
	stats->restored = fsm->restored;
	stats->detect_time = fsm->detect_time;
	stats->restore_time = fsm->restore_time;
}

/**
 * rf_watchdog_reset_stats - set the counters to 0
 * @pfc: the PFC of a port. A storm that is detected and not restored is counted
 *	again
 *
 * Context: any, the lock held.
 */
void rf_watchdog_reset_stats(struct rf_pfc *pfc)
{
	struct rf_watchdog_fsm *fsm = pfc->watchdog.fsm;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		fsm[i].detected = fsm[i].in_storm;
		fsm[i].restored = 0;
		fsm[i].detect_time = fsm[i].in_storm ? fsm[i].detect_time : 0;
		fsm[i].restore_time = 0;
	}
}
