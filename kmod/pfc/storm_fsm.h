/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_STORM_FSM_H
#define RF_PFC_STORM_FSM_H

#include <linux/limits.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../invalid.h"

/* The minimum time between two XOFFs, and of a phase of a storm, in nanoseconds */
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
 * struct rf_storm_coverage - the result of a storm
 * @requested: nanoseconds of the on phases so far
 * @covered: nanoseconds of @requested in which XOFF was in effect
 * @xoffs: XOFFs so far
 * @lapses: how often an XOFF ran out before the next, or before the end of its phase
 * @interval_max: longest time between two XOFFs, in nanoseconds
 * @interval: bucket n counts the times between two XOFFs of 2^n to 2^(n+1) ns
 * @gap: the same for the times in an on phase without XOFF
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
 * @on_time: duration of an on phase, 0 for one phase without end
 * @off_time: duration of an off phase
 * @end: end of the storm, U64_MAX for never
 * @phase_end: end of the present phase, U64_MAX for never
 * @phase_begin: planned start of the present phase
 * @accounted: time up to which @coverage is complete
 * @last_xoff: when the last XOFF took effect
 * @until: when the last XOFF ends
 * @running: the storm has started and has not ended
 * @on: the present phase is an on phase
 * @xoff_seen: an XOFF has taken effect in the present phase
 * @coverage: the result so far
 *
 * All times are in nanoseconds of the same clock.
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
 * rf_storm_fsm_next - the next event of a storm
 * @fsm: the storm
 *
 * Return: the end of the phase or of the storm; U64_MAX if there is none.
 */
static inline u64 rf_storm_fsm_next(const struct rf_storm_fsm *fsm)
{
	if (!fsm->running)
		return U64_MAX;
	return fsm->phase_end < fsm->end ? fsm->phase_end : fsm->end;
}

#endif
