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
#include "fsm.h"

static bool watchdog_paused(const struct rf_watchdog_sample *sample)
{
	return sample->end > sample->now;
}

static enum rf_watchdog_event watchdog_detect(struct rf_watchdog_fsm *fsm,
					      const struct rf_watchdog_conf *conf,
					      const struct rf_watchdog_sample *sample)
{
	bool was_stalled = fsm->stalled && fsm->since == sample->since;
	u64 from;

	if (!sample->waiting)
		fsm->idle = sample->now;
	fsm->since = sample->since;
	fsm->stalled = sample->waiting && watchdog_paused(sample);
	from = sample->since > fsm->idle ? sample->since : fsm->idle;
	if (!fsm->stalled || !was_stalled || sample->now - from < conf->detect)
		return RF_WATCHDOG_NOTHING;
	fsm->in_storm = true;
	fsm->detected++;
	fsm->detect_time = sample->now - from;
	return RF_WATCHDOG_DETECTED;
}

static enum rf_watchdog_event watchdog_restore(struct rf_watchdog_fsm *fsm,
					       const struct rf_watchdog_conf *conf,
					       const struct rf_watchdog_sample *sample)
{
	if (watchdog_paused(sample) || sample->now - sample->end < conf->restore)
		return RF_WATCHDOG_NOTHING;
	rf_watchdog_fsm_reset(fsm);
	fsm->restored++;
	fsm->restore_time = sample->now - sample->end;
	return RF_WATCHDOG_RESTORED;
}

/**
 * rf_watchdog_fsm_poll - poll a priority
 * @fsm: watchdog of the priority
 * @conf: settings of the watchdog
 * @sample: state of the priority
 *
 * Return: whether a storm was detected or restored.
 */
enum rf_watchdog_event rf_watchdog_fsm_poll(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_sample *sample)
{
	return fsm->in_storm ? watchdog_restore(fsm, conf, sample) :
			      watchdog_detect(fsm, conf, sample);
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
