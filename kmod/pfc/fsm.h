/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration of PFC, pause frames, and the state machines of buffer, pauses, storms
 * and watchdog: all that needs neither locks nor skbs. The tools and unit tests include this
 * header.
 */
#ifndef RF_PFC_FSM_H
#define RF_PFC_FSM_H

#include <linux/limits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../report.h"

/**
 * struct rf_buffer_prio_conf - the thresholds of one priority
 * @share: most bytes in the shared part, U64_MAX for no limit
 * @headroom: most bytes in the headroom
 * @xoff: bytes in the buffer at which XOFF is sent, U64_MAX for never
 * @xon: bytes in the buffer at which XON is sent
 */
struct rf_buffer_prio_conf {
	u64 share;
	u64 headroom;
	u64 xoff;
	u64 xon;
};

/**
 * struct rf_buffer_conf - the configuration of an ingress buffer
 * @shared: bytes in the part that all priorities share, U64_MAX for no limit
 * @lossless: bit n: priority n has PFC
 * @prio: by priority
 */
struct rf_buffer_conf {
	u64 shared;
	u8 lossless;
	struct rf_buffer_prio_conf prio[RDMAFAULT_PRIOS];
};

/**
 * struct rf_watchdog_conf - the settings of a port's PFC watchdog
 * @detect: detection time, in nanoseconds
 * @restore: restoration time, in nanoseconds
 * @poll: polling interval, in nanoseconds
 * @prios: bit n: priority n has a watchdog
 * @action: what is done in a storm, RDMAFAULT_WATCHDOG_ACTION_*
 */
struct rf_watchdog_conf {
	u64 detect;
	u64 restore;
	u64 poll;
	u32 prios;
	u32 action;
};

/**
 * struct rf_pfc_conf - the configuration of the PFC of a port
 * @rate: rate of the link, bits per second, not 0; converts quanta to time
 * @buffer: ingress buffer, and the priorities that have PFC
 * @watchdog: PFC watchdog
 */
struct rf_pfc_conf {
	u64 rate;
	struct rf_buffer_conf buffer;
	struct rf_watchdog_conf watchdog;
};

/* Bytes of a frame without FCS, the minimum of Ethernet */
#define RF_PFC_FRAME_LEN	60
/* Bytes after the EtherType that have a meaning */
#define RF_PFC_BODY_LEN	20

/**
 * struct rf_pfc_frame - the contents of a pause frame
 * @prios: bit n: the frame is for priority n
 * @reserved: reserved bits are set
 * @quanta: pause time by priority, in units of 512 bit times; 0 is XON
 */
struct rf_pfc_frame {
	u8 prios;
	bool reserved;
	u16 quanta[RDMAFAULT_PRIOS];
};

extern const u8 rf_pfc_group[6];

/**
 * struct rf_buffer_prio - the packets of one priority in the buffer
 * @shared: bytes in the shared part
 * @headroom: bytes in the headroom
 * @peak: most bytes in both so far
 * @refused: a packet has found no room since the last XON
 */
struct rf_buffer_prio {
	u64 shared;
	u64 headroom;
	u64 peak;
	bool refused;
};

/**
 * struct rf_buffer - the ingress buffer of a port
 * @shared: bytes in the shared part, of all priorities
 * @used: bytes in the buffer
 * @peak: most bytes in the buffer so far
 * @xoff: bit n: the buffer holds XOFF for priority n
 * @prio: by priority
 */
struct rf_buffer {
	u64 shared;
	u64 used;
	u64 peak;
	u8 xoff;
	struct rf_buffer_prio prio[RDMAFAULT_PRIOS];
};

/* What is to be sent to the neighbour. */
enum rf_buffer_change {
	RF_BUFFER_NO_CHANGE,
	RF_BUFFER_XOFF,
	RF_BUFFER_XON,
};

/* What can pause a priority. The tracepoint rf_pause has the same numbers. */
enum rf_pause_source {
	RF_PAUSE_FRAME,		/* frames of the neighbour */
	RF_PAUSE_STORM,		/* a storm of this port */
	RF_PAUSE_SOURCES,
};

/**
 * struct rf_pause_fsm - the pause of one priority
 * @until: end of the pause of each source; in the past if there is none
 * @from: time up to which the pauses are added to @total
 * @since: start of the last pause
 * @total: nanoseconds in which the priority was paused, up to @from
 * @pauses: number of pauses
 * @last: time of the last XOFF
 *
 * All times are in nanoseconds of the same clock, and never go back.
 */
struct rf_pause_fsm {
	u64 until[RF_PAUSE_SOURCES];
	u64 from;
	u64 since;
	u64 total;
	u64 pauses;
	u64 last;
};

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

enum rf_watchdog_event {
	RF_WATCHDOG_DETECTED,
	RF_WATCHDOG_RESTORED,
	RF_WATCHDOG_NOTHING,
};

/**
 * struct rf_watchdog_sample - state of a priority at a poll
 * @now: time of the poll. All times are in nanoseconds of the same clock
 * @since: start of the last pause
 * @end: end of the last pause, in the future if the priority is paused
 * @waiting: packets are queued
 */
struct rf_watchdog_sample {
	u64 now;
	u64 since;
	u64 end;
	bool waiting;
};

/**
 * struct rf_watchdog_fsm - the watchdog of one priority
 * @since: start of the last pause, at the previous poll
 * @idle: time of the last poll at which no packet was queued
 * @stalled: at the previous poll, the priority was paused and packets were queued
 * @in_storm: a storm was detected and has not been restored
 * @detected: detected storms
 * @restored: of them, restored
 * @detect_time: how long the last storm had stalled the priority when it was
 *	detected
 * @restore_time: how long after the end of the last storm it was restored
 */
struct rf_watchdog_fsm {
	u64 since;
	u64 idle;
	bool stalled;
	bool in_storm;
	u64 detected;
	u64 restored;
	u64 detect_time;
	u64 restore_time;
};

/* frame.c */
bool rf_pfc_decode(const u8 *body, u32 len, struct rf_pfc_frame *pfc);
void rf_pfc_encode(u8 frame[RF_PFC_FRAME_LEN], const u8 source[6],
		   const struct rf_pfc_frame *pfc);

/* buffer.c */
bool rf_buffer_add(struct rf_buffer *buffer, const struct rf_buffer_conf *conf,
		   u32 prio, u32 bytes);
void rf_buffer_remove(struct rf_buffer *buffer, u32 prio, u32 bytes);
enum rf_buffer_change rf_buffer_update_pfc_state(struct rf_buffer *buffer,
						 const struct rf_buffer_conf *conf,
						 u32 prio);
void rf_buffer_reset_peaks(struct rf_buffer *buffer);

/* fsm.c */
u64 rf_pause_ns(u32 quanta, u64 rate);
bool rf_pause_fsm_xoff(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		       u64 now, u64 ns);
bool rf_pause_fsm_xon(struct rf_pause_fsm *fsm, enum rf_pause_source source,
		      u64 now);
void rf_pause_fsm_reset_stats(struct rf_pause_fsm *fsm, u64 now);
u64 rf_pause_fsm_total(const struct rf_pause_fsm *fsm, u64 now);

/* storm_fsm.c */
const struct rf_invalid *rf_storm_validate(const struct rf_storm_spec *spec);
void rf_storm_fsm_begin(struct rf_storm_fsm *fsm,
			const struct rf_storm_spec *spec, u64 now);
void rf_storm_fsm_advance(struct rf_storm_fsm *fsm, u64 now);
void rf_storm_fsm_xoff(struct rf_storm_fsm *fsm, u64 now, u64 ns);
void rf_storm_fsm_xon(struct rf_storm_fsm *fsm, u64 now);
void rf_storm_fsm_stop(struct rf_storm_fsm *fsm, u64 now);

/* watchdog_fsm.c */
enum rf_watchdog_event rf_watchdog_fsm_poll(struct rf_watchdog_fsm *fsm,
					    const struct rf_watchdog_conf *conf,
					    const struct rf_watchdog_sample *sample);
void rf_watchdog_fsm_reset(struct rf_watchdog_fsm *fsm);

/**
 * rf_pause_fsm_end - the end of the pause without another XOFF or XON
 * @fsm: the priority
 *
 * Return: the time; the priority is paused before it, and not from then on.
 */
static inline u64 rf_pause_fsm_end(const struct rf_pause_fsm *fsm)
{
	const u64 *until = fsm->until;

	return until[RF_PAUSE_FRAME] > until[RF_PAUSE_STORM] ?
	       until[RF_PAUSE_FRAME] : until[RF_PAUSE_STORM];
}

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
