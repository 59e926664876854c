// SPDX-License-Identifier: GPL-2.0
/*
 * The storm of one priority: when XOFF is to hold, and the proof that it did.
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

static const struct rf_invalid *turns_validate(const struct rf_storm_spec *spec)
{
	if (!spec->on_time && !spec->off_time)
		return NULL;
	if (!spec->on_time)
		return &on_missing;
	if (!spec->off_time)
		return &off_missing;
	if (spec->on_time < RF_STORM_PACE)
		return &on_short;
	return spec->off_time < RF_STORM_PACE ? &off_short : NULL;
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
	return turns_validate(spec);
}

/* Count @times times of @ns nanoseconds. */
static void count(u64 *buckets, u64 ns, u64 times)
{
	u32 n = 0;

	while (n < RDMAFAULT_GAP_BUCKETS - 1 && ns >> (n + 1))
		n++;
	buckets[n] += times;
}

/* All up to now into the proof. */
static void compute(struct rf_storm_fsm *fsm, u64 now)
{
	u64 held = fsm->until < now ? fsm->until : now;

	if (!fsm->on || now <= fsm->from)
		return;
	fsm->proof.requested += now - fsm->from;
	if (held > fsm->from)
		fsm->proof.covered += held - fsm->from;
	fsm->from = now;
}

/* XOFF holds again, or no longer has to: was there a time in which it didn't? */
static void close_gap(struct rf_storm_fsm *fsm, u64 now)
{
	u64 from = fsm->until > fsm->begin ? fsm->until : fsm->begin;

	if (from >= now)
		return;
	count(fsm->proof.gap, now - from, 1);
	fsm->proof.lapses += fsm->heard;
}

static void turn_on(struct rf_storm_fsm *fsm, u64 now)
{
	fsm->on = true;
	fsm->heard = false;
	fsm->begin = now;
	fsm->from = now;
	fsm->turn = fsm->on_time ? now + fsm->on_time : U64_MAX;
}

static void turn_off(struct rf_storm_fsm *fsm, u64 now)
{
	if (fsm->on) {
		compute(fsm, now);
		close_gap(fsm, now);
	}
	fsm->on = false;
	fsm->begin = now;
	fsm->turn = now + fsm->off_time;
}

/*
 * A turn without XOFF ends: account for whole pairs of turns by division. The last
 * XOFF covers a number of turns in full, then one in part, and none after that, so
 * the caller's loop has a few steps left, however late the timer is.
 */
static void skip_turns(struct rf_storm_fsm *fsm, u64 now)
{
	u64 over = now < fsm->end ? now : fsm->end;
	u64 pair = fsm->on_time + fsm->off_time;
	u64 pairs, covered, left;

	if (!fsm->running || fsm->on || over < fsm->turn)
		return;
	pairs = (over - fsm->turn) / pair;
	left = fsm->until > fsm->turn ? fsm->until - fsm->turn : 0;
	if (left) {
		covered = left < fsm->on_time ? 0 :
						(left - fsm->on_time) / pair + 1;
		pairs = covered < pairs ? covered : pairs;
		fsm->proof.covered += pairs * fsm->on_time;
	} else {
		count(fsm->proof.gap, fsm->on_time, pairs);
	}
	fsm->proof.requested += pairs * fsm->on_time;
	fsm->turn += pairs * pair;
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
	turn_on(fsm, now);
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
		skip_turns(fsm, now);
		next = rf_storm_fsm_next(fsm);
		if (next > now)
			break;
		if (next == fsm->end)
			rf_storm_fsm_stop(fsm, next);
		else if (fsm->on)
			turn_off(fsm, next);
		else
			turn_on(fsm, next);
	}
	compute(fsm, now);
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
	struct rf_storm_proof *proof = &fsm->proof;

	rf_storm_fsm_advance(fsm, now);
	proof->xoffs++;
	if (!fsm->running)
		return;
	if (fsm->on)
		close_gap(fsm, now);
	if (fsm->on && fsm->heard) {
		count(proof->interval, now - fsm->last, 1);
		if (proof->interval_max < now - fsm->last)
			proof->interval_max = now - fsm->last;
	}
	fsm->heard = fsm->on;
	fsm->last = now;
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
	turn_off(fsm, now);
	fsm->running = false;
}
