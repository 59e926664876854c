// SPDX-License-Identifier: GPL-2.0
/*
 * The guard of one priority: from looks at regular intervals it finds out that
 * the priority is held by a storm, and that the storm is over. The semantics
 * are those of SONiC (pfc_detect_*.lua and pfc_restore.lua of sonic-swss).
 *
 * A priority is stalled from the begin of its pause on, or from the last look at
 * which nothing waited, if that was later. When it has been for the detection
 * time, and two looks in a row have found it so in one and the same pause, it is
 * in a storm; so detection falls into the first polling interval behind the
 * detection time. It is restored likewise: at the first look at which no XOFF has
 * held or come for the restoration time.
 */
#include "watchdog_fsm.h"

static bool is_shut(const struct rf_watchdog_look *look)
{
	return look->end > look->now;
}

static enum rf_watchdog_event detect(struct rf_watchdog_fsm *fsm,
				     const struct rf_watchdog_conf *conf,
				     const struct rf_watchdog_look *look)
{
	bool was_stalled = fsm->stalled && fsm->since == look->since;
	u64 from;

	if (!look->waiting)
		fsm->idle = look->now;
	fsm->since = look->since;
	fsm->stalled = look->waiting && is_shut(look);
	from = look->since > fsm->idle ? look->since : fsm->idle;
	if (!fsm->stalled || !was_stalled || look->now - from < conf->detect)
		return RF_WATCHDOG_NOTHING;
	fsm->in_storm = true;
	fsm->detected++;
	fsm->detect_time = look->now - from;
	return RF_WATCHDOG_DETECTED;
}

static enum rf_watchdog_event restore(struct rf_watchdog_fsm *fsm,
				      const struct rf_watchdog_conf *conf,
				      const struct rf_watchdog_look *look)
{
	if (is_shut(look) || look->now - look->end < conf->restore)
		return RF_WATCHDOG_NOTHING;
	rf_watchdog_fsm_reset(fsm);
	fsm->restored++;
	fsm->restore_time = look->now - look->end;
	return RF_WATCHDOG_RESTORED;
}

/**
 * rf_watchdog_fsm_look - look at a priority
 * @fsm: its guard
 * @conf: what it goes by
 * @look: what there is to see
 *
 * Return: what has been found out.
 */
enum rf_watchdog_event rf_watchdog_fsm_look(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_look *look)
{
	return fsm->in_storm ? restore(fsm, conf, look) :
			      detect(fsm, conf, look);
}

/**
 * rf_watchdog_fsm_reset - the priority is as one that has never been looked at
 * @fsm: its guard, which keeps its counters
 */
void rf_watchdog_fsm_reset(struct rf_watchdog_fsm *fsm)
{
	fsm->in_storm = false;
	fsm->stalled = false;
}
