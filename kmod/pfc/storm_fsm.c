// SPDX-License-Identifier: GPL-2.0
/*
 * The storm of one priority: when XOFF should be in effect, and when it was.
 *
 * A storm has on phases and off phases in turn, or one on phase. Their times are
 * planned when the storm starts, so they do not depend on how late a timer is. The
 * requested time is the time of the on phases. The XOFFs and XONs that took effect
 * cover a part of it; the rest are gaps. If an XOFF ran out before the next one, or
 * before the end of its phase, the gap is also a lapse. The time before the first XOFF
 * of a phase is a gap and no lapse.
 */
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "fsm.h"

#define INVALID(name, what, text)						\
	static const struct rf_invalid name = {				\
		.attr = RDMAFAULT_A_STORM_ ## what,			\
		.words = (text),					\
	}

INVALID(prios_missing, PRIOS, "prios: missing");
INVALID(no_end, DURATION, "duration: missing; or the flag forever");
INVALID(two_ends, DURATION, "duration: not allowed with forever");
INVALID(on_missing, ON_TIME, "on-time: missing");
INVALID(off_missing, OFF_TIME, "off-time: missing");
INVALID(on_short, ON_TIME, "on-time: shorter than 20 us");
INVALID(off_short, OFF_TIME, "off-time: shorter than 20 us");

static const struct rf_invalid *storm_validate_cycle(const struct rf_storm_spec *spec)
{
	if (!spec->on_time && !spec->off_time)
		return NULL;
	if (!spec->on_time)
		return &on_missing;
	if (!spec->off_time)
		return &off_missing;
	if (spec->on_time < RF_XOFF_MIN_INTERVAL)
		return &on_short;
	return spec->off_time < RF_XOFF_MIN_INTERVAL ? &off_short : NULL;
}

/**
 * rf_storm_validate - validate the settings of a storm
 * @spec: the settings, each value in its range
 *
 * Return: what is invalid, or NULL.
 */
const struct rf_invalid *rf_storm_validate(const struct rf_storm_spec *spec)
{
	bool forever = spec->flags & RDMAFAULT_STORM_FLAG_FOREVER;

	if (!spec->prios)
		return &prios_missing;
	if (!forever && !spec->duration)
		return &no_end;
	if (forever && spec->duration)
		return &two_ends;
	return storm_validate_cycle(spec);
}

/* Count @times times of @ns nanoseconds. */
static void storm_count(u64 *buckets, u64 ns, u64 times)
{
	u32 n = 0;

	while (n < RDMAFAULT_GAP_BUCKETS - 1 && ns >> (n + 1))
		n++;
	buckets[n] += times;
}

/* Account for the time up to now. */
static void storm_account(struct rf_storm_fsm *fsm, u64 now)
{
	u64 held = fsm->until < now ? fsm->until : now;

	if (!fsm->on || now <= fsm->accounted)
		return;
	fsm->coverage.requested += now - fsm->accounted;
	if (held > fsm->accounted)
		fsm->coverage.covered += held - fsm->accounted;
	fsm->accounted = now;
}

/* XOFF takes effect, or the on phase ends: count the time without XOFF before. */
static void storm_close_gap(struct rf_storm_fsm *fsm, u64 now)
{
	u64 from = fsm->until > fsm->phase_begin ? fsm->until : fsm->phase_begin;

	if (from >= now)
		return;
	storm_count(fsm->coverage.gap, now - from, 1);
	fsm->coverage.lapses += fsm->xoff_seen;
}

static void storm_begin_on(struct rf_storm_fsm *fsm, u64 now)
{
	fsm->on = true;
	fsm->xoff_seen = false;
	fsm->phase_begin = now;
	fsm->accounted = now;
	fsm->phase_end = fsm->on_time ? now + fsm->on_time : U64_MAX;
}

static void storm_begin_off(struct rf_storm_fsm *fsm, u64 now)
{
	if (fsm->on) {
		storm_account(fsm, now);
		storm_close_gap(fsm, now);
	}
	fsm->on = false;
	fsm->phase_begin = now;
	fsm->phase_end = now + fsm->off_time;
}

/*
 * An off phase has ended: account for whole cycles by division. The last XOFF covers
 * some on phases in full, then one in part, and none after that, so the loop of the
 * caller has only a few more steps, however late the timer is.
 */
static void storm_skip_cycles(struct rf_storm_fsm *fsm, u64 now)
{
	u64 over = now < fsm->end ? now : fsm->end;
	u64 pair = fsm->on_time + fsm->off_time;
	u64 pairs, covered, left;

	if (!fsm->running || fsm->on || over < fsm->phase_end)
		return;
	pairs = (over - fsm->phase_end) / pair;
	left = fsm->until > fsm->phase_end ? fsm->until - fsm->phase_end : 0;
	if (left) {
		covered = left < fsm->on_time ? 0 :
						(left - fsm->on_time) / pair + 1;
		pairs = covered < pairs ? covered : pairs;
		fsm->coverage.covered += pairs * fsm->on_time;
	} else {
		storm_count(fsm->coverage.gap, fsm->on_time, pairs);
	}
	fsm->coverage.requested += pairs * fsm->on_time;
	fsm->phase_end += pairs * pair;
}

/**
 * rf_storm_fsm_begin - start a storm, with an on phase
 * @fsm: a storm that is not running; its result is cleared
 * @spec: the settings, validated
 * @now: the time
 */
void rf_storm_fsm_begin(struct rf_storm_fsm *fsm,
			const struct rf_storm_spec *spec, u64 now)
{
	memset(fsm, 0, sizeof(*fsm));
	fsm->on_time = spec->on_time;
	fsm->off_time = spec->off_time;
	fsm->end = spec->duration ? now + spec->duration : U64_MAX;
	fsm->running = true;
	storm_begin_on(fsm, now);
}

/**
 * rf_storm_fsm_advance - advance a storm to the present phase, or to its end
 * @fsm: the storm
 * @now: the time
 */
void rf_storm_fsm_advance(struct rf_storm_fsm *fsm, u64 now)
{
	u64 next;

	for (;;) {
		storm_skip_cycles(fsm, now);
		next = rf_storm_fsm_next(fsm);
		if (next > now)
			break;
		if (next == fsm->end)
			rf_storm_fsm_stop(fsm, next);
		else if (fsm->on)
			storm_begin_off(fsm, next);
		else
			storm_begin_on(fsm, next);
	}
	storm_account(fsm, now);
}

/**
 * rf_storm_fsm_xoff - an XOFF takes effect
 * @fsm: the storm
 * @now: the time
 * @ns: duration of the pause; replaces that of the XOFF before
 *
 * An XOFF after the end of the storm is counted, and covers nothing.
 */
void rf_storm_fsm_xoff(struct rf_storm_fsm *fsm, u64 now, u64 ns)
{
	struct rf_storm_coverage *coverage = &fsm->coverage;

	rf_storm_fsm_advance(fsm, now);
	coverage->xoffs++;
	if (!fsm->running)
		return;
	if (fsm->on)
		storm_close_gap(fsm, now);
	if (fsm->on && fsm->xoff_seen) {
		storm_count(coverage->interval, now - fsm->last_xoff,
			    1);
		if (coverage->interval_max < now - fsm->last_xoff)
			coverage->interval_max = now - fsm->last_xoff;
	}
	fsm->xoff_seen = fsm->on;
	fsm->last_xoff = now;
	fsm->until = now + ns;
}

/**
 * rf_storm_fsm_xon - an XON takes effect
 * @fsm: the storm
 * @now: the time
 */
void rf_storm_fsm_xon(struct rf_storm_fsm *fsm, u64 now)
{
	rf_storm_fsm_advance(fsm, now);
	if (fsm->until > now)
		fsm->until = now;
}

/**
 * rf_storm_fsm_stop - end a storm
 * @fsm: the storm
 * @now: the time
 */
void rf_storm_fsm_stop(struct rf_storm_fsm *fsm, u64 now)
{
	if (!fsm->running)
		return;
	storm_begin_off(fsm, now);
	fsm->running = false;
}
