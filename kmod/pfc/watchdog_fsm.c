// SPDX-License-Identifier: GPL-2.0
/*
 * The PFC watchdog of one priority. It polls the priority, detects storms and finds
 * their end. The semantics are those of SONiC (pfc_detect_*.lua and pfc_restore.lua of
 * sonic-swss).
 *
 * A priority is stalled while it is paused and packets are queued. The stall starts
 * with the pause, or at the last poll at which no packet was queued if that is later.
 * A storm is detected at a poll if two conditions are true: the stall has lasted for
 * the detection time, and the previous poll found a stall in the same pause. So a
 * storm is detected within one polling interval after the detection time.
 *
 * A storm is restored at the first poll at which the last pause has been over for
 * the restoration time.
 */
#include "watchdog_fsm.h"

static bool watchdog_paused(const struct rf_watchdog_look *look)
{
	return look->end > look->now;
}

static enum rf_watchdog_event watchdog_detect(struct rf_watchdog_fsm *fsm,
					      const struct rf_watchdog_conf *conf,
					      const struct rf_watchdog_look *look)
{
	bool was_stalled = fsm->stalled && fsm->since == look->since;
	u64 from;

	if (!look->waiting)
		fsm->idle = look->now;
	fsm->since = look->since;
	fsm->stalled = look->waiting && watchdog_paused(look);
	from = look->since > fsm->idle ? look->since : fsm->idle;
	if (!fsm->stalled || !was_stalled || look->now - from < conf->detect)
		return RF_WATCHDOG_NOTHING;
	fsm->in_storm = true;
	fsm->detected++;
	fsm->detect_time = look->now - from;
	return RF_WATCHDOG_DETECTED;
}

static enum rf_watchdog_event watchdog_restore(struct rf_watchdog_fsm *fsm,
					       const struct rf_watchdog_conf *conf,
					       const struct rf_watchdog_look *look)
{
	if (watchdog_paused(look) || look->now - look->end < conf->restore)
		return RF_WATCHDOG_NOTHING;
	rf_watchdog_fsm_reset(fsm);
	fsm->restored++;
	fsm->restore_time = look->now - look->end;
	return RF_WATCHDOG_RESTORED;
}

/**
 * rf_watchdog_fsm_look - poll a priority
 * @fsm: watchdog of the priority
 * @conf: settings of the watchdog
 * @look: state of the priority
 *
 * Return: whether a storm was detected or restored.
 */
enum rf_watchdog_event rf_watchdog_fsm_look(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_look *look)
{
	return fsm->in_storm ? watchdog_restore(fsm, conf, look) :
			      watchdog_detect(fsm, conf, look);
}

/**
 * rf_watchdog_fsm_reset - forget the present storm and the previous poll
 * @fsm: watchdog of a priority; it keeps its counters
 */
void rf_watchdog_fsm_reset(struct rf_watchdog_fsm *fsm)
{
	fsm->in_storm = false;
	fsm->stalled = false;
}
