// SPDX-License-Identifier: GPL-2.0
/*
 * The netlink attributes of rules, of configurations and of their counters: the name
 * in the specification, and the member of the struct that holds the value. The module
 * and the tools use the same tables to read and write messages.
 */
#include <linux/stddef.h>

#include "fields.h"

#define FIELD(type, member, words) {					\
	.name = words,							\
	.size = sizeof(((struct type *)0)->member),			\
	.offset = offsetof(struct type, member),			\
}

#define MATCH(attr, member, words) \
	[RDMAFAULT_A_MATCH_ ## attr] = FIELD(rf_match, member, words)
#define TRIGGER(attr, member, words) \
	[RDMAFAULT_A_TRIGGER_ ## attr] = FIELD(rf_trigger, member, words)
#define ACTION(attr, member, words) \
	[RDMAFAULT_A_ACTION_ ## attr] = FIELD(rf_action, member, words)
#define LINK(attr, member, words) \
	[RDMAFAULT_A_LINK_ ## attr] = FIELD(rf_link_conf, member, words)
#define PRIO(attr, member, words) \
	[RDMAFAULT_A_PRIO_ ## attr] = FIELD(rf_prio_conf, member, words)
#define ECN(attr, member, words) \
	[RDMAFAULT_A_ECN_ ## attr] = FIELD(rf_ecn_conf, member, words)
#define WATCHDOG(attr, member, words) \
	[RDMAFAULT_A_WATCHDOG_ ## attr] = FIELD(rf_watchdog_conf, member, words)
#define DCQCN(attr, member, words) \
	[RDMAFAULT_A_DCQCN_ ## attr] = FIELD(rf_dcqcn_conf, member, words)
#define DCQCN_FLOW(attr, member, words) \
	[RDMAFAULT_A_DCQCN_FLOW_ ## attr] = FIELD(rf_dcqcn_flow, member, words)
#define STATS(attr, member, words) \
	[RDMAFAULT_A_PRIO_STATS_ ## attr] = FIELD(rf_prio_stats, member, words)
#define STORM(attr, member, words) \
	[RDMAFAULT_A_STORM_ ## attr] = FIELD(rf_storm_info, member, words)
#define PATH(attr, member, words) \
	[RDMAFAULT_A_PATH_ ## attr] = FIELD(rf_path_conf, member, words)

const struct rf_field rf_match_fields[] = {
	[RDMAFAULT_A_MATCH_QP] = { .name = "qp" },
	[RDMAFAULT_A_MATCH_SADDR] = { .name = "saddr" },
	[RDMAFAULT_A_MATCH_DADDR] = { .name = "daddr" },
	MATCH(PSN, psn, "psn"),
	MATCH(PSN_MAX, psn_max, "psn-max"),
	MATCH(PSN_REL, psn_rel, "psn-rel"),
	MATCH(PSN_REL_MAX, psn_rel_max, "psn-rel-max"),
	MATCH(OPCODE, opcode, "opcode"),
	MATCH(CLASS, classes, "class"),
	MATCH(POSITION, positions, "position"),
	MATCH(ATTEMPT_MIN, attempt_min, "attempt-min"),
	MATCH(ATTEMPT_MAX, attempt_max, "attempt-max"),
	MATCH(STEP_MIN, step_min, "step-min"),
	MATCH(STEP_MAX, step_max, "step-max"),
	MATCH(SYNDROME, syndrome, "syndrome"),
	MATCH(SYNDROME_MASK, syndrome_mask, "syndrome-mask"),
	MATCH(FLOW, flow, "flow"),
	MATCH(MESSAGE, message, "message"),
	MATCH(MESSAGE_MAX, message_max, "message-max"),
	MATCH(MESSAGE_END, message_end, "message-end"),
	MATCH(STEP_MESSAGE, step_message, "step-message"),
	MATCH(STEP_MESSAGE_MAX, step_message_max, "step-message-max"),
	MATCH(STEP_MESSAGE_END, step_message_end, "step-message-end"),
	MATCH(PACKET, packet, "packet"),
	MATCH(PACKET_MAX, packet_max, "packet-max"),
	MATCH(PRIORITY, priorities, "priority"),
	MATCH(DSCP, dscp, "dscp"),
	MATCH(ECN, ecn, "ecn"),
	MATCH(SADDR_PREFIX, saddr_prefix, "saddr-prefix"),
	MATCH(DADDR_PREFIX, daddr_prefix, "daddr-prefix"),
	MATCH(SPORT, sport, "sport"),
	MATCH(PAYLOAD, payload, "payload"),
	MATCH(PAYLOAD_MAX, payload_max, "payload-max"),
	MATCH(CM, cms, "cm"),
};

const struct rf_field rf_trigger_fields[] = {
	TRIGGER(NTH, nth, "nth"),
	TRIGGER(EVERY, every, "every"),
	TRIGGER(AFTER, after, "after"),
	TRIGGER(COUNT, count, "count"),
	TRIGGER(ONCE, once, "once"),
	TRIGGER(FROM, from, "from"),
	TRIGGER(FOR, duration, "for"),
	TRIGGER(PROBABILITY, probability, "probability"),
	TRIGGER(CORRELATION, correlation, "correlation"),
	TRIGGER(BURST, burst, "burst"),
	TRIGGER(BURST_MAX, burst_max, "burst-max"),
	TRIGGER(GE_P, ge_p, "ge-p"),
	TRIGGER(GE_R, ge_r, "ge-r"),
	TRIGGER(GE_BAD, ge_bad, "ge-bad"),
	TRIGGER(GE_GOOD, ge_good, "ge-good"),
	TRIGGER(STATE_P13, p13, "state-p13"),
	TRIGGER(STATE_P31, p31, "state-p31"),
	TRIGGER(STATE_P32, p32, "state-p32"),
	TRIGGER(STATE_P23, p23, "state-p23"),
	TRIGGER(STATE_P14, p14, "state-p14"),
};

const struct rf_field rf_action_fields[] = {
	ACTION(TYPE, type, "type"),
	ACTION(FLAGS, flags, "flags"),
	ACTION(DELAY, delay, "delay"),
	ACTION(JITTER, jitter, "jitter"),
	ACTION(JITTER_CORRELATION, jitter_correlation, "jitter-correlation"),
	ACTION(DISTRIBUTION, distribution, "distribution"),
	ACTION(DISTANCE, distance, "distance"),
	ACTION(BEHIND_PSN, behind_psn, "behind-psn"),
	ACTION(BEHIND_PSN_REL, behind_psn_rel, "behind-psn-rel"),
	ACTION(COPIES, copies, "copies"),
	ACTION(UNIT, unit, "unit"),
	ACTION(OFFSET, offset, "offset"),
	ACTION(VALUE, value, "value"),
	ACTION(LENGTH, length, "length"),
	ACTION(ECN, ecn, "ecn"),
	ACTION(NOT_ECT, not_ect, "not-ect"),
	ACTION(CODE, code, "code"),
	ACTION(PEER_QP, peer_qp, "peer-qp"),
	ACTION(OPCODE, opcode, "opcode"),
	ACTION(QP, qp, "qp"),
	ACTION(PSN, psn, "psn"),
	ACTION(PKEY, pkey, "pkey"),
	ACTION(RKEY, rkey, "rkey"),
	ACTION(DMA_LENGTH, dma_length, "dma-length"),
	ACTION(SYNDROME, syndrome, "syndrome"),
	ACTION(MSN, msn, "msn"),
	ACTION(DSCP, dscp, "dscp"),
};

const struct rf_field rf_link_fields[] = {
	LINK(RATE, rate, "rate"),
	LINK(DELAY, delay, "delay"),
	LINK(JITTER, jitter, "jitter"),
	LINK(OVERHEAD, overhead, "overhead"),
	LINK(SEED, seed, "seed"),
	[RDMAFAULT_A_LINK_MAX] = { },
};

const struct rf_field rf_prio_fields[] = {
	[RDMAFAULT_A_PRIO_PRIO] = { .name = "prio" },
	PRIO(TSA, tsa, "tsa"),
	PRIO(WEIGHT, weight, "weight"),
	PRIO(LIMIT, limit, "limit"),
	PRIO(LIMIT_BYTES, limit_bytes, "limit-bytes"),
	PRIO(PFC, pfc, "pfc"),
	PRIO(SHARE, share, "share"),
	PRIO(HEADROOM, headroom, "headroom"),
	PRIO(XOFF, xoff, "xoff"),
	PRIO(XON, xon, "xon"),
	[RDMAFAULT_A_PRIO_MAX] = { },
};

const struct rf_field rf_ecn_fields[] = {
	ECN(ENABLED, enabled, "enabled"),
	ECN(KMIN, kmin, "kmin"),
	ECN(KMAX, kmax, "kmax"),
	ECN(PMAX, pmax, "pmax"),
	ECN(WEIGHT, weight, "weight"),
	ECN(PHANTOM, phantom, "phantom"),
	ECN(ECT, ect, "ect"),
	ECN(NOT_ECT, not_ect, "not-ect"),
};

const struct rf_field rf_watchdog_fields[] = {
	WATCHDOG(PRIOS, prios, "prios"),
	WATCHDOG(DETECT, detect, "detect"),
	WATCHDOG(RESTORE, restore, "restore"),
	WATCHDOG(POLL, poll, "poll"),
	WATCHDOG(ACTION, action, "action"),
};

const struct rf_field rf_dcqcn_fields[] = {
	DCQCN(NP, np, "np"),
	DCQCN(NP_MIN_TIME_BETWEEN_CNPS, np_min_time_between_cnps, "np-min-time-between-cnps"),
	DCQCN(NP_SCOPE, np_scope, "np-scope"),
	DCQCN(NP_CNP_DSCP, np_cnp_dscp, "np-cnp-dscp"),
	DCQCN(CNP_QUEUE, cnp_queue, "cnp-queue"),
	DCQCN(SCALE, rate.scale, "scale"),
	DCQCN(RP, rp, "rp"),
	DCQCN(ORDER, rate.order, "order"),
	DCQCN(AI_RATE, rate.ai_rate, "ai-rate"),
	DCQCN(HAI_RATE, rate.hai_rate, "hai-rate"),
	DCQCN(MIN_RATE, rate.min_rate, "min-rate"),
	DCQCN(MAX_RATE, rate.max_rate, "max-rate"),
	DCQCN(RATE_TO_SET_ON_FIRST_CNP, rate.rate_to_set_on_first_cnp,
	      "rate-to-set-on-first-cnp"),
	DCQCN(DCE_TCP_RTT, rate.dce_tcp_rtt, "dce-tcp-rtt"),
	DCQCN(RATE_REDUCE_MONITOR_PERIOD, rate.rate_reduce_monitor_period,
	      "rate-reduce-monitor-period"),
	DCQCN(TIME_RESET, rate.time_reset, "time-reset"),
	DCQCN(BYTE_RESET, rate.byte_reset, "byte-reset"),
	DCQCN(THRESHOLD, rate.threshold, "threshold"),
	DCQCN(DCE_TCP_G, rate.dce_tcp_g, "dce-tcp-g"),
	DCQCN(INITIAL_ALPHA_VALUE, rate.initial_alpha_value, "initial-alpha-value"),
	DCQCN(MIN_DEC_FAC, rate.min_dec_fac, "min-dec-fac"),
	DCQCN(GD, rate.gd, "gd"),
	DCQCN(CLAMP_TGT_RATE, rate.clamp_tgt_rate, "clamp-tgt-rate"),
	DCQCN(CLAMP_TGT_RATE_ATI, rate.clamp_tgt_rate_ati, "clamp-tgt-rate-ati"),
};

const struct rf_field rf_dcqcn_flow_fields[] = {
	[RDMAFAULT_A_DCQCN_FLOW_SADDR] = { .name = "saddr" },
	[RDMAFAULT_A_DCQCN_FLOW_DADDR] = { .name = "daddr" },
	DCQCN_FLOW(QP, qp, "qp"),
	DCQCN_FLOW(RATE, rate, "rate"),
	DCQCN_FLOW(TARGET, target, "target"),
	DCQCN_FLOW(ALPHA, alpha, "alpha"),
	DCQCN_FLOW(CNPS, cnps, "cnps"),
	DCQCN_FLOW(CUTS, cuts, "cuts"),
	DCQCN_FLOW(TIME_STAGE, time_stage, "time-stage"),
	DCQCN_FLOW(BYTE_STAGE, byte_stage, "byte-stage"),
	DCQCN_FLOW(HELD, held, "held"),
	DCQCN_FLOW(PACED, paced, "paced"),
};

const struct rf_field rf_prio_stats_fields[] = {
	STATS(PACKETS, packets, "packets"),
	STATS(BYTES, bytes, "bytes"),
	STATS(BACKLOG, backlog, "backlog"),
	STATS(BACKLOG_BYTES, backlog_bytes, "backlog-bytes"),
	STATS(PEAK_BYTES, peak_bytes, "peak-bytes"),
	STATS(FULL, full, "full"),
	STATS(NO_BUFFER, no_buffer, "no-buffer"),
	STATS(EXPIRED, expired, "expired"),
	STATS(WATCHDOG_DROPPED, watchdog_dropped, "watchdog-dropped"),
	STATS(MARKED, marked, "marked"),
	STATS(MARK_DROPPED, mark_dropped, "mark-dropped"),
	STATS(ECN_QUEUE, ecn_queue, "ecn-queue"),
	STATS(PAUSED, paused, "paused"),
	STATS(PAUSE_LEFT, pause_left, "pause-left"),
	STATS(PAUSED_TOTAL, paused_total, "paused-total"),
	STATS(PAUSES, pauses, "pauses"),
	STATS(XOFF_RX, xoff_rx, "xoff-rx"),
	STATS(XON_RX, xon_rx, "xon-rx"),
	STATS(XOFF_TX, xoff_tx, "xoff-tx"),
	STATS(XON_TX, xon_tx, "xon-tx"),
	STATS(BUFFER_USED, buffer_used, "buffer-used"),
	STATS(BUFFER_PEAK, buffer_peak, "buffer-peak"),
	STATS(WATCHDOG, watchdog, "watchdog"),
	STATS(DETECTED, detected, "detected"),
	STATS(RESTORED, restored, "restored"),
	STATS(DETECT_TIME, detect_time, "detect-time"),
	STATS(RESTORE_TIME, restore_time, "restore-time"),
	STATS(XOFF_IGNORED, xoff_ignored, "xoff-ignored"),
};

const struct rf_field rf_storm_fields[] = {
	STORM(PRIOS, spec.prios, "prios"),
	STORM(FLAGS, spec.flags, "flags"),
	STORM(QUANTA, spec.quanta, "quanta"),
	STORM(DURATION, spec.duration, "duration"),
	STORM(ON_TIME, spec.on_time, "on-time"),
	STORM(OFF_TIME, spec.off_time, "off-time"),
	STORM(RUNNING, running, "running"),
	STORM(LEFT, left, "left"),
	STORM(REQUESTED, requested, "requested"),
	STORM(COVERED, covered, "covered"),
	STORM(XOFFS, xoffs, "xoffs"),
	STORM(LAPSES, lapses, "lapses"),
	STORM(INTERVAL_MAX, interval_max, "interval-max"),
	STORM(OWNER, owner, "owner"),
};

const struct rf_field rf_path_fields[] = {
	PATH(MODE, mode, "mode"),
	PATH(SEED, seed, "seed"),
	PATH(GAP, gap, "gap"),
	PATH(ORDER, order, "order"),
	[RDMAFAULT_A_PATH_LINK] = { .name = "link" },
	[RDMAFAULT_A_PATH_ROUTE] = { .name = "route" },
	[RDMAFAULT_A_PATH_MAX] = { },
};
