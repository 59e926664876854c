/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_STORM_FSM_H
#define RF_PFC_STORM_FSM_H

#include "../invalid.h"
#include "../pure.h"

/* The least time between two XOFFs, and of a storm's turn, in nanoseconds */
#define RF_XOFF_MIN_INTERVAL		20000ULL

/**
 * struct rf_storm_spec - the settings of a storm
 * @prios: bit n for priority n
 * @flags: enum rdmafault_storm_flag
 * @quanta: pause time of each XOFF, 1 to 65535; 0: longest
 * @duration: nanoseconds; 0: not given
 * @on_time: nanoseconds of XOFF in each cycle
 * @off_time: nanoseconds without XOFF in each cycle; 0: no cycles
 */
struct rf_storm_spec {
	u32 prios;
	u32 flags;
	u32 quanta;
	u64 duration;
	u64 on_time;
	u64 off_time;
};

/**
 * struct rf_storm_info - the present or last storm of a priority
 * @spec: its settings
 * @running: 1 until it ends
 * @owner: netlink port id of the socket with which it ends, 0: persistent
 * @left: nanoseconds until it ends
 * @requested: nanoseconds so far in which XOFF should have been in effect
 * @covered: nanoseconds of @requested in which XOFF was in effect
 * @xoffs: XOFFs so far
 * @lapses: how often an XOFF ran out before the next
 * @interval_max: longest time between two XOFFs, in nanoseconds
 * @interval: bucket n counts the times between two XOFFs of 2^n to 2^(n+1) ns
 * @gap: the same for the times without XOFF in @requested
 */
struct rf_storm_info {
	struct rf_storm_spec spec;
	u32 running;
	u32 owner;
	u64 left, requested, covered, xoffs, lapses, interval_max;
	u64 interval[RDMAFAULT_GAP_BUCKETS];
	u64 gap[RDMAFAULT_GAP_BUCKETS];
};

/**
 * struct rf_storm_coverage - what a storm has really been
 * @requested: nanoseconds that XOFF was to hold so far
 * @covered: of them, those in which it did
 * @xoffs: XOFFs so far
 * @lapses: how often an XOFF ran out before the next, or before its turn was over
 * @interval_max: longest time between two XOFFs
 * @interval: bucket n counts the times between two XOFFs of 2^n to 2^(n+1) ns
 * @gap: likewise the times in which XOFF was to hold and didn't
 */
struct rf_storm_coverage {
	u64 requested;
	u64 covered;
	u64 xoffs;
	u64 lapses;
	u64 interval_max;
	u64 interval[RDMAFAULT_GAP_BUCKETS];
	u64 gap[RDMAFAULT_GAP_BUCKETS];
};

/**
 * struct rf_storm_fsm - the storm of one priority
 * @on_time: of each turn, 0 for no turns
 * @off_time: likewise
 * @end: when it ends, U64_MAX for never
 * @phase_end: when XOFF and its absence take turns next, U64_MAX for never
 * @phase_begin: when the present turn began, or was to begin
 * @accounted: time before which all is in @coverage
 * @last_xoff: when the last XOFF took effect
 * @until: when it ends
 * @running: it has begun and not ended
 * @on: XOFF is to hold now
 * @xoff_seen: an XOFF has come in the present turn
 * @coverage: what it has been so far
 *
 * All times are those of one clock, in nanoseconds.
 */
struct rf_storm_fsm {
	u64 on_time;
	u64 off_time;
	u64 end;
	u64 phase_end;
	u64 phase_begin;
	u64 accounted;
	u64 last_xoff;
	u64 until;
	bool running;
	bool on;
	bool xoff_seen;
	struct rf_storm_coverage coverage;
};

const struct rf_invalid *rf_storm_validate(const struct rf_storm_spec *spec);

void rf_storm_fsm_begin(struct rf_storm_fsm *fsm,
			const struct rf_storm_spec *spec, u64 now);
void rf_storm_fsm_advance(struct rf_storm_fsm *fsm, u64 now);
void rf_storm_fsm_xoff(struct rf_storm_fsm *fsm, u64 now, u64 ns);
void rf_storm_fsm_xon(struct rf_storm_fsm *fsm, u64 now);
void rf_storm_fsm_stop(struct rf_storm_fsm *fsm, u64 now);

/**
 * rf_storm_fsm_next - when a storm has to be looked at again
 * @fsm: the storm
 *
 * Return: the time of its next turn or of its end; U64_MAX if there is neither.
 */
static inline u64 rf_storm_fsm_next(const struct rf_storm_fsm *fsm)
{
	if (!fsm->running)
		return U64_MAX;
	return fsm->phase_end < fsm->end ? fsm->phase_end : fsm->end;
}

#endif
