// SPDX-License-Identifier: GPL-2.0
/*
 * The storm of one priority: when XOFF is to hold, and when it did.
 *
 * Turns and the end are where they were planned, however late one looks. What
 * XOFF was asked for is computed from the plan, what it held by the XOFFs and XONs
 * that took effect; where the first isn't covered by the second, there is a gap.
 * An XOFF that ran out before the next one came, or before its turn was over, is
 * a lapse; the time up to the first XOFF of a turn is a gap and no lapse.
 */
#include "storm_fsm.h"

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

static const struct rf_invalid *cycle_validate(const struct rf_storm_spec *spec)
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
 * rf_storm_validate - what can't be meant?
 * @spec: a storm, each value in its range
 *
 * Context: any.
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
	return cycle_validate(spec);
}

/* Count @times times of @ns nanoseconds. */
static void count(u64 *buckets, u64 ns, u64 times)
{
	u32 n = 0;

	while (n < RDMAFAULT_GAP_BUCKETS - 1 && ns >> (n + 1))
		n++;
	buckets[n] += times;
}

/* Account for the time up to now. */
static void account(struct rf_storm_fsm *fsm, u64 now)
{
	u64 held = fsm->until < now ? fsm->until : now;

	if (!fsm->on || now <= fsm->accounted)
		return;
	fsm->coverage.requested += now - fsm->accounted;
	if (held > fsm->accounted)
		fsm->coverage.covered += held - fsm->accounted;
	fsm->accounted = now;
}

/* XOFF holds again, or no longer has to: was there a time in which it didn't? */
static void close_gap(struct rf_storm_fsm *fsm, u64 now)
{
	u64 from = fsm->until > fsm->phase_begin ? fsm->until : fsm->phase_begin;

	if (from >= now)
		return;
	count(fsm->coverage.gap, now - from, 1);
	fsm->coverage.lapses += fsm->xoff_seen;
}

static void begin_on(struct rf_storm_fsm *fsm, u64 now)
{
	fsm->on = true;
	fsm->xoff_seen = false;
	fsm->phase_begin = now;
	fsm->accounted = now;
	fsm->phase_end = fsm->on_time ? now + fsm->on_time : U64_MAX;
}

static void begin_off(struct rf_storm_fsm *fsm, u64 now)
{
	if (fsm->on) {
		account(fsm, now);
		close_gap(fsm, now);
	}
	fsm->on = false;
	fsm->phase_begin = now;
	fsm->phase_end = now + fsm->off_time;
}

/*
 * A turn without XOFF ends: account for whole pairs of turns by division. The last
 * XOFF covers a number of turns in full, then one in part, and none after that, so
 * the caller's loop has a few steps left, however late the timer is.
 */
static void skip_cycles(struct rf_storm_fsm *fsm, u64 now)
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
		count(fsm->coverage.gap, fsm->on_time, pairs);
	}
	fsm->coverage.requested += pairs * fsm->on_time;
	fsm->phase_end += pairs * pair;
}

/**
 * rf_storm_fsm_begin - a storm begins, with XOFF
 * @fsm: a storm that isn't running; what it was is forgotten
 * @spec: validated
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
	begin_on(fsm, now);
}

/**
 * rf_storm_fsm_advance - do what is due: turns, the end
 * @fsm: the storm
 * @now: the time
 */
void rf_storm_fsm_advance(struct rf_storm_fsm *fsm, u64 now)
{
	u64 next;

	for (;;) {
		skip_cycles(fsm, now);
		next = rf_storm_fsm_next(fsm);
		if (next > now)
			break;
		if (next == fsm->end)
			rf_storm_fsm_stop(fsm, next);
		else if (fsm->on)
			begin_off(fsm, next);
		else
			begin_on(fsm, next);
	}
	account(fsm, now);
}

/**
 * rf_storm_fsm_xoff - an XOFF takes effect
 * @fsm: the storm
 * @now: the time
 * @ns: how long it holds, in place of what the one before has said
 *
 * One of the storm's that was late and leaves behind its end was sent, too, and
 * covers nothing.
 */
void rf_storm_fsm_xoff(struct rf_storm_fsm *fsm, u64 now, u64 ns)
{
	struct rf_storm_coverage *coverage = &fsm->coverage;

	rf_storm_fsm_advance(fsm, now);
	coverage->xoffs++;
	if (!fsm->running)
		return;
	if (fsm->on)
		close_gap(fsm, now);
	if (fsm->on && fsm->xoff_seen) {
		count(coverage->interval, now - fsm->last_xoff, 1);
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
 * rf_storm_fsm_stop - the storm ends
 * @fsm: the storm
 * @now: the time
 */
void rf_storm_fsm_stop(struct rf_storm_fsm *fsm, u64 now)
{
	if (!fsm->running)
		return;
	begin_off(fsm, now);
	fsm->running = false;
}
