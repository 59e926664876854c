// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rdmafault.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink.h"

#include <uapi/rdmafault/rdmafault.h>

/* Integer value ranges */
static const struct netlink_range_validation rdmafault_a_max_hold_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_rule_key_range = {
	.max	= 4294967294ULL,
};

static const struct netlink_range_validation rdmafault_a_trigger_probability_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_correlation_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_ge_p_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_ge_r_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_ge_bad_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_ge_good_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_state_p13_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_state_p31_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_state_p32_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_state_p23_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_trigger_state_p14_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_action_delay_range = {
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_jitter_range = {
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_jitter_correlation_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_action_behind_psn_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_behind_psn_rel_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_peer_qp_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_qp_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_psn_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_action_pkey_range = {
	.max	= 65535ULL,
};

static const struct netlink_range_validation rdmafault_a_action_msn_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_qp_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_max_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_rel_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_psn_rel_max_range = {
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_match_sport_range = {
	.max	= 65535ULL,
};

static const struct netlink_range_validation rdmafault_a_match_payload_range = {
	.max	= 65535ULL,
};

static const struct netlink_range_validation rdmafault_a_match_payload_max_range = {
	.max	= 65535ULL,
};

static const struct netlink_range_validation rdmafault_a_link_rate_range = {
	.min	= RDMAFAULT_RATE_MIN,
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_link_delay_range = {
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_link_jitter_range = {
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_buffer_size_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_limit_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_LIMIT_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_limit_bytes_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_share_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_headroom_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_xoff_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_prio_xon_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_ecn_kmin_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_ecn_kmax_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_ecn_pmax_range = {
	.max	= RDMAFAULT_PROBABILITY_ONE,
};

static const struct netlink_range_validation rdmafault_a_ecn_phantom_range = {
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_watchdog_detect_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_watchdog_restore_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_watchdog_poll_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_storm_quanta_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_QUANTA_MAX,
};

static const struct netlink_range_validation rdmafault_a_storm_duration_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_storm_on_time_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_storm_off_time_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_TIME_MAX,
};

static const struct netlink_range_validation rdmafault_a_pause_quanta_range = {
	.max	= RDMAFAULT_QUANTA_MAX,
};

static const struct netlink_range_validation rdmafault_a_ring_bytes_range = {
	.min	= RDMAFAULT_RING_BYTES_MIN,
	.max	= RDMAFAULT_RING_BYTES_MAX,
};

static const struct netlink_range_validation rdmafault_a_path_gap_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_HOLD_MAX,
};

static const struct netlink_range_validation rdmafault_a_path_route_qp_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_PSN_MAX,
};

static const struct netlink_range_validation rdmafault_a_path_route_links_range = {
	.min	= 1ULL,
	.max	= 65535ULL,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_np_min_time_between_cnps_range = {
	.max	= RDMAFAULT_PERIOD_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_scale_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_SCALE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_ai_rate_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_hai_rate_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_min_rate_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_max_rate_range = {
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_rate_to_set_on_first_cnp_range = {
	.max	= RDMAFAULT_RATE_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_dce_tcp_rtt_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_PERIOD_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_rate_reduce_monitor_period_range = {
	.max	= RDMAFAULT_PERIOD_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_time_reset_range = {
	.min	= 1ULL,
	.max	= RDMAFAULT_PERIOD_MAX,
};

static const struct netlink_range_validation rdmafault_a_dcqcn_byte_reset_range = {
	.max	= RDMAFAULT_BYTES_MAX,
};

/* Common nested types */
const struct nla_policy rdmafault_action_nl_policy[RDMAFAULT_A_ACTION_DSCP + 1] = {
	[RDMAFAULT_A_ACTION_TYPE] = NLA_POLICY_MAX(NLA_U32, 12),
	[RDMAFAULT_A_ACTION_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x7),
	[RDMAFAULT_A_ACTION_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_action_delay_range),
	[RDMAFAULT_A_ACTION_JITTER] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_action_jitter_range),
	[RDMAFAULT_A_ACTION_JITTER_CORRELATION] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_action_jitter_correlation_range),
	[RDMAFAULT_A_ACTION_DISTRIBUTION] = NLA_POLICY_MAX(NLA_U32, 2),
	[RDMAFAULT_A_ACTION_DISTANCE] = NLA_POLICY_RANGE(NLA_U32, 1, RDMAFAULT_BURST_MAX),
	[RDMAFAULT_A_ACTION_BEHIND_PSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_behind_psn_range),
	[RDMAFAULT_A_ACTION_BEHIND_PSN_REL] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_behind_psn_rel_range),
	[RDMAFAULT_A_ACTION_COPIES] = NLA_POLICY_RANGE(NLA_U32, 1, RDMAFAULT_COPIES_MAX),
	[RDMAFAULT_A_ACTION_UNIT] = NLA_POLICY_MAX(NLA_U32, 3),
	[RDMAFAULT_A_ACTION_OFFSET] = { .type = NLA_U32, },
	[RDMAFAULT_A_ACTION_VALUE] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[RDMAFAULT_A_ACTION_LENGTH] = { .type = NLA_U32, },
	[RDMAFAULT_A_ACTION_ECN] = NLA_POLICY_MAX(NLA_U32, 3),
	[RDMAFAULT_A_ACTION_NOT_ECT] = NLA_POLICY_MAX(NLA_U32, 2),
	[RDMAFAULT_A_ACTION_CODE] = NLA_POLICY_MAX(NLA_U32, 31),
	[RDMAFAULT_A_ACTION_PEER_QP] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_peer_qp_range),
	[RDMAFAULT_A_ACTION_OPCODE] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_ACTION_QP] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_qp_range),
	[RDMAFAULT_A_ACTION_PSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_psn_range),
	[RDMAFAULT_A_ACTION_PKEY] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_pkey_range),
	[RDMAFAULT_A_ACTION_RKEY] = { .type = NLA_U32, },
	[RDMAFAULT_A_ACTION_DMA_LENGTH] = { .type = NLA_U32, },
	[RDMAFAULT_A_ACTION_SYNDROME] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_ACTION_MSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_action_msn_range),
	[RDMAFAULT_A_ACTION_DSCP] = NLA_POLICY_MAX(NLA_U32, 63),
};

const struct nla_policy rdmafault_buffer_nl_policy[RDMAFAULT_A_BUFFER_PEAK + 1] = {
	[RDMAFAULT_A_BUFFER_SIZE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_buffer_size_range),
	[RDMAFAULT_A_BUFFER_NO_SIZE] = { .type = NLA_FLAG, },
	[RDMAFAULT_A_BUFFER_USED] = { .type = NLA_U64, },
	[RDMAFAULT_A_BUFFER_PEAK] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_dcqcn_nl_policy[RDMAFAULT_A_DCQCN_CLAMP_TGT_RATE_ATI + 1] = {
	[RDMAFAULT_A_DCQCN_NP] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_NP_MIN_TIME_BETWEEN_CNPS] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_np_min_time_between_cnps_range),
	[RDMAFAULT_A_DCQCN_NP_SCOPE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RDMAFAULT_A_DCQCN_NP_CNP_DSCP] = NLA_POLICY_MAX(NLA_U32, 63),
	[RDMAFAULT_A_DCQCN_CNP_QUEUE] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_SCALE] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_dcqcn_scale_range),
	[RDMAFAULT_A_DCQCN_RP] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_ORDER] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_AI_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_ai_rate_range),
	[RDMAFAULT_A_DCQCN_HAI_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_hai_rate_range),
	[RDMAFAULT_A_DCQCN_MIN_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_min_rate_range),
	[RDMAFAULT_A_DCQCN_MAX_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_max_rate_range),
	[RDMAFAULT_A_DCQCN_RATE_TO_SET_ON_FIRST_CNP] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_rate_to_set_on_first_cnp_range),
	[RDMAFAULT_A_DCQCN_DCE_TCP_RTT] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_dce_tcp_rtt_range),
	[RDMAFAULT_A_DCQCN_RATE_REDUCE_MONITOR_PERIOD] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_rate_reduce_monitor_period_range),
	[RDMAFAULT_A_DCQCN_TIME_RESET] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_time_reset_range),
	[RDMAFAULT_A_DCQCN_BYTE_RESET] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_dcqcn_byte_reset_range),
	[RDMAFAULT_A_DCQCN_THRESHOLD] = NLA_POLICY_RANGE(NLA_U32, 1, 31),
	[RDMAFAULT_A_DCQCN_DCE_TCP_G] = NLA_POLICY_RANGE(NLA_U32, 1, 1024),
	[RDMAFAULT_A_DCQCN_INITIAL_ALPHA_VALUE] = NLA_POLICY_MAX(NLA_U32, 1024),
	[RDMAFAULT_A_DCQCN_MIN_DEC_FAC] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RDMAFAULT_A_DCQCN_GD] = NLA_POLICY_RANGE(NLA_U32, 10, 20),
	[RDMAFAULT_A_DCQCN_CLAMP_TGT_RATE] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_CLAMP_TGT_RATE_ATI] = NLA_POLICY_MAX(NLA_U32, 1),
};

const struct nla_policy rdmafault_dcqcn_flow_nl_policy[RDMAFAULT_A_DCQCN_FLOW_PACED + 1] = {
	[RDMAFAULT_A_DCQCN_FLOW_SADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_DCQCN_FLOW_DADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_DCQCN_FLOW_QP] = { .type = NLA_U32, },
	[RDMAFAULT_A_DCQCN_FLOW_RATE] = { .type = NLA_U64, },
	[RDMAFAULT_A_DCQCN_FLOW_TARGET] = { .type = NLA_U64, },
	[RDMAFAULT_A_DCQCN_FLOW_ALPHA] = { .type = NLA_U64, },
	[RDMAFAULT_A_DCQCN_FLOW_CNPS] = { .type = NLA_U64, },
	[RDMAFAULT_A_DCQCN_FLOW_CUTS] = { .type = NLA_U64, },
	[RDMAFAULT_A_DCQCN_FLOW_TIME_STAGE] = { .type = NLA_U32, },
	[RDMAFAULT_A_DCQCN_FLOW_BYTE_STAGE] = { .type = NLA_U32, },
	[RDMAFAULT_A_DCQCN_FLOW_HELD] = { .type = NLA_U32, },
	[RDMAFAULT_A_DCQCN_FLOW_PACED] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_dscp_prio_nl_policy[RDMAFAULT_A_DSCP_PRIO_PRIO + 1] = {
	[RDMAFAULT_A_DSCP_PRIO_DSCP] = NLA_POLICY_MAX(NLA_U32, 63),
	[RDMAFAULT_A_DSCP_PRIO_PRIO] = NLA_POLICY_MAX(NLA_U32, 7),
};

const struct nla_policy rdmafault_ecn_nl_policy[RDMAFAULT_A_ECN_NOT_ECT + 1] = {
	[RDMAFAULT_A_ECN_ENABLED] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_ECN_KMIN] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_ecn_kmin_range),
	[RDMAFAULT_A_ECN_KMAX] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_ecn_kmax_range),
	[RDMAFAULT_A_ECN_PMAX] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_ecn_pmax_range),
	[RDMAFAULT_A_ECN_WEIGHT] = NLA_POLICY_MAX(NLA_U32, 31),
	[RDMAFAULT_A_ECN_PHANTOM] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_ecn_phantom_range),
	[RDMAFAULT_A_ECN_ECT] = NLA_POLICY_MAX(NLA_U32, 2),
	[RDMAFAULT_A_ECN_NOT_ECT] = NLA_POLICY_MAX(NLA_U32, 2),
};

const struct nla_policy rdmafault_flow_nl_policy[RDMAFAULT_A_FLOW_TIMEOUTS + 1] = {
	[RDMAFAULT_A_FLOW_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_FLOW_SADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_FLOW_DADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_FLOW_QP] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_RESPONSE] = { .type = NLA_FLAG, },
	[RDMAFAULT_A_FLOW_ORDINAL] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_PEER_QP] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_FIRST_PSN] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_HIGHEST_PSN] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_PACKETS] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_MESSAGES] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_RETRANSMITTED] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_RETRANSMITTED_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_MAX_ATTEMPT] = { .type = NLA_U32, },
	[RDMAFAULT_A_FLOW_NAKS] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_RNRS] = { .type = NLA_U64, },
	[RDMAFAULT_A_FLOW_TIMEOUTS] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_link_nl_policy[RDMAFAULT_A_LINK_IN_FLIGHT_BYTES + 1] = {
	[RDMAFAULT_A_LINK_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_link_rate_range),
	[RDMAFAULT_A_LINK_NO_RATE] = { .type = NLA_FLAG, },
	[RDMAFAULT_A_LINK_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_link_delay_range),
	[RDMAFAULT_A_LINK_JITTER] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_link_jitter_range),
	[RDMAFAULT_A_LINK_OVERHEAD] = NLA_POLICY_MAX(NLA_U32, RDMAFAULT_OVERHEAD_MAX),
	[RDMAFAULT_A_LINK_SEED] = { .type = NLA_U64, },
	[RDMAFAULT_A_LINK_IN_FLIGHT] = { .type = NLA_U32, },
	[RDMAFAULT_A_LINK_IN_FLIGHT_BYTES] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_match_nl_policy[RDMAFAULT_A_MATCH_CM + 1] = {
	[RDMAFAULT_A_MATCH_QP] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_qp_range),
	[RDMAFAULT_A_MATCH_PSN] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_range),
	[RDMAFAULT_A_MATCH_PSN_MAX] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_max_range),
	[RDMAFAULT_A_MATCH_PSN_REL] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_rel_range),
	[RDMAFAULT_A_MATCH_PSN_REL_MAX] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_psn_rel_max_range),
	[RDMAFAULT_A_MATCH_OPCODE] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_MATCH_CLASS] = NLA_POLICY_MASK(NLA_U32, 0x3ff),
	[RDMAFAULT_A_MATCH_POSITION] = NLA_POLICY_MASK(NLA_U32, 0xf),
	[RDMAFAULT_A_MATCH_ATTEMPT_MIN] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_ATTEMPT_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_STEP_MIN] = { .type = NLA_U32, },
	[RDMAFAULT_A_MATCH_STEP_MAX] = { .type = NLA_U32, },
	[RDMAFAULT_A_MATCH_SYNDROME] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_MATCH_SYNDROME_MASK] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[RDMAFAULT_A_MATCH_FLOW] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_MESSAGE] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_MESSAGE_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_MESSAGE_END] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_STEP_MESSAGE] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_STEP_MESSAGE_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_STEP_MESSAGE_END] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_PACKET] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_PACKET_MAX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MATCH_PRIORITY] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[RDMAFAULT_A_MATCH_DSCP] = NLA_POLICY_MAX(NLA_U32, 63),
	[RDMAFAULT_A_MATCH_ECN] = NLA_POLICY_MASK(NLA_U32, 0xf),
	[RDMAFAULT_A_MATCH_SADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_MATCH_SADDR_PREFIX] = NLA_POLICY_MAX(NLA_U32, 128),
	[RDMAFAULT_A_MATCH_DADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_MATCH_DADDR_PREFIX] = NLA_POLICY_MAX(NLA_U32, 128),
	[RDMAFAULT_A_MATCH_SPORT] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_sport_range),
	[RDMAFAULT_A_MATCH_PAYLOAD] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_payload_range),
	[RDMAFAULT_A_MATCH_PAYLOAD_MAX] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_match_payload_max_range),
	[RDMAFAULT_A_MATCH_CM] = NLA_POLICY_MASK(NLA_U32, 0x7ff),
};

const struct nla_policy rdmafault_missed_nl_policy[RDMAFAULT_A_MISSED_COUNT + 1] = {
	[RDMAFAULT_A_MISSED_WINDOW] = { .type = NLA_U64, },
	[RDMAFAULT_A_MISSED_ORDER] = { .type = NLA_U64, },
	[RDMAFAULT_A_MISSED_CHANCE] = { .type = NLA_U64, },
	[RDMAFAULT_A_MISSED_ONCE] = { .type = NLA_U64, },
	[RDMAFAULT_A_MISSED_COUNT] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_path_nl_policy[RDMAFAULT_A_PATH_NO_LINK + 1] = {
	[RDMAFAULT_A_PATH_MODE] = NLA_POLICY_MAX(NLA_U32, 5),
	[RDMAFAULT_A_PATH_SEED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PATH_GAP] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_path_gap_range),
	[RDMAFAULT_A_PATH_ORDER] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_PATH_LINK] = NLA_POLICY_NESTED(rdmafault_path_link_nl_policy),
	[RDMAFAULT_A_PATH_ROUTE] = NLA_POLICY_NESTED(rdmafault_path_route_nl_policy),
	[RDMAFAULT_A_PATH_NO_LINK] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_path_link_nl_policy[RDMAFAULT_A_PATH_LINK_BYTES + 1] = {
	[RDMAFAULT_A_PATH_LINK_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_PATH_LINK_DOWN] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_PATH_LINK_IFNAME] = { .type = NLA_NUL_STRING, },
	[RDMAFAULT_A_PATH_LINK_REMOVED] = { .type = NLA_FLAG, },
	[RDMAFAULT_A_PATH_LINK_PACKETS] = { .type = NLA_U64, },
	[RDMAFAULT_A_PATH_LINK_BYTES] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_path_route_nl_policy[RDMAFAULT_A_PATH_ROUTE_LINKS + 1] = {
	[RDMAFAULT_A_PATH_ROUTE_DADDR] = { .type = NLA_BINARY, },
	[RDMAFAULT_A_PATH_ROUTE_QP] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_path_route_qp_range),
	[RDMAFAULT_A_PATH_ROUTE_LINKS] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_path_route_links_range),
};

const struct nla_policy rdmafault_pause_nl_policy[RDMAFAULT_A_PAUSE_SENT + 1] = {
	[RDMAFAULT_A_PAUSE_PRIOS] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[RDMAFAULT_A_PAUSE_QUANTA] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_pause_quanta_range),
	[RDMAFAULT_A_PAUSE_RECEIVED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PAUSE_MALFORMED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PAUSE_RESERVED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PAUSE_SENT] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_prio_nl_policy[RDMAFAULT_A_PRIO_STORM + 1] = {
	[RDMAFAULT_A_PRIO_PRIO] = NLA_POLICY_MAX(NLA_U32, 7),
	[RDMAFAULT_A_PRIO_TSA] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_PRIO_WEIGHT] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RDMAFAULT_A_PRIO_LIMIT] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_prio_limit_range),
	[RDMAFAULT_A_PRIO_LIMIT_BYTES] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_prio_limit_bytes_range),
	[RDMAFAULT_A_PRIO_PFC] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_PRIO_SHARE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_prio_share_range),
	[RDMAFAULT_A_PRIO_HEADROOM] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_prio_headroom_range),
	[RDMAFAULT_A_PRIO_XOFF] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_prio_xoff_range),
	[RDMAFAULT_A_PRIO_XON] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_prio_xon_range),
	[RDMAFAULT_A_PRIO_ECN] = NLA_POLICY_NESTED(rdmafault_ecn_nl_policy),
	[RDMAFAULT_A_PRIO_STATS] = NLA_POLICY_NESTED(rdmafault_prio_stats_nl_policy),
	[RDMAFAULT_A_PRIO_STORM] = NLA_POLICY_NESTED(rdmafault_storm_nl_policy),
};

const struct nla_policy rdmafault_prio_stats_nl_policy[RDMAFAULT_A_PRIO_STATS_XOFF_IGNORED + 1] = {
	[RDMAFAULT_A_PRIO_STATS_PACKETS] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_BACKLOG] = { .type = NLA_U32, },
	[RDMAFAULT_A_PRIO_STATS_BACKLOG_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_PEAK_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_FULL] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_NO_BUFFER] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_EXPIRED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_WATCHDOG_DROPPED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_MARKED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_MARK_DROPPED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_ECN_QUEUE] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_PAUSED] = { .type = NLA_U32, },
	[RDMAFAULT_A_PRIO_STATS_PAUSE_LEFT] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_PAUSED_TOTAL] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_PAUSES] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_XOFF_RX] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_XON_RX] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_XOFF_TX] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_XON_TX] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_BUFFER_USED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_BUFFER_PEAK] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_WATCHDOG] = { .type = NLA_U32, },
	[RDMAFAULT_A_PRIO_STATS_DETECTED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_RESTORED] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_DETECT_TIME] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_RESTORE_TIME] = { .type = NLA_U64, },
	[RDMAFAULT_A_PRIO_STATS_XOFF_IGNORED] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_ring_nl_policy[RDMAFAULT_A_RING_RECORDS + 1] = {
	[RDMAFAULT_A_RING_BYTES] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_ring_bytes_range),
	[RDMAFAULT_A_RING_SNAPLEN] = NLA_POLICY_RANGE(NLA_U32, 1, RDMAFAULT_RING_SNAPLEN_MAX),
	[RDMAFAULT_A_RING_PACKETS] = { .type = NLA_U64, },
	[RDMAFAULT_A_RING_OVERWRITTEN] = { .type = NLA_U64, },
	[RDMAFAULT_A_RING_RECORDS] = { .type = NLA_BINARY, },
};

const struct nla_policy rdmafault_rule_nl_policy[RDMAFAULT_A_RULE_UNCHANGED + 1] = {
	[RDMAFAULT_A_RULE_ID] = { .type = NLA_U32, },
	[RDMAFAULT_A_RULE_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_RULE_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x7),
	[RDMAFAULT_A_RULE_MATCH] = NLA_POLICY_NESTED(rdmafault_match_nl_policy),
	[RDMAFAULT_A_RULE_TRIGGER] = NLA_POLICY_NESTED(rdmafault_trigger_nl_policy),
	[RDMAFAULT_A_RULE_ACTION] = NLA_POLICY_NESTED(rdmafault_action_nl_policy),
	[RDMAFAULT_A_RULE_SEED] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_KEY] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_rule_key_range),
	[RDMAFAULT_A_RULE_EXPIRES] = NLA_POLICY_MIN(NLA_U64, 1),
	[RDMAFAULT_A_RULE_MATCHED] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_HITS] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_BYTES] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_MISSED] = NLA_POLICY_NESTED(rdmafault_missed_nl_policy),
	[RDMAFAULT_A_RULE_OWNER] = { .type = NLA_U32, },
	[RDMAFAULT_A_RULE_UNANSWERED] = { .type = NLA_U64, },
	[RDMAFAULT_A_RULE_UNCHANGED] = { .type = NLA_U64, },
};

const struct nla_policy rdmafault_storm_nl_policy[RDMAFAULT_A_STORM_OWNER + 1] = {
	[RDMAFAULT_A_STORM_PRIOS] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[RDMAFAULT_A_STORM_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x7),
	[RDMAFAULT_A_STORM_QUANTA] = NLA_POLICY_FULL_RANGE(NLA_U32, &rdmafault_a_storm_quanta_range),
	[RDMAFAULT_A_STORM_DURATION] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_storm_duration_range),
	[RDMAFAULT_A_STORM_ON_TIME] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_storm_on_time_range),
	[RDMAFAULT_A_STORM_OFF_TIME] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_storm_off_time_range),
	[RDMAFAULT_A_STORM_RUNNING] = { .type = NLA_U32, },
	[RDMAFAULT_A_STORM_LEFT] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_REQUESTED] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_COVERED] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_XOFFS] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_LAPSES] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_INTERVAL_MAX] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_INTERVAL] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_GAP] = { .type = NLA_U64, },
	[RDMAFAULT_A_STORM_OWNER] = { .type = NLA_U32, },
};

const struct nla_policy rdmafault_trigger_nl_policy[RDMAFAULT_A_TRIGGER_STATE_P14 + 1] = {
	[RDMAFAULT_A_TRIGGER_NTH] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_TRIGGER_EVERY] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_TRIGGER_AFTER] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_TRIGGER_COUNT] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_TRIGGER_ONCE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RDMAFAULT_A_TRIGGER_FROM] = { .type = NLA_U64, },
	[RDMAFAULT_A_TRIGGER_FOR] = NLA_POLICY_MIN(NLA_U64, 1),
	[RDMAFAULT_A_TRIGGER_PROBABILITY] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_probability_range),
	[RDMAFAULT_A_TRIGGER_CORRELATION] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_correlation_range),
	[RDMAFAULT_A_TRIGGER_BURST] = NLA_POLICY_RANGE(NLA_U32, 1, RDMAFAULT_BURST_MAX),
	[RDMAFAULT_A_TRIGGER_BURST_MAX] = NLA_POLICY_RANGE(NLA_U32, 1, RDMAFAULT_BURST_MAX),
	[RDMAFAULT_A_TRIGGER_GE_P] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_ge_p_range),
	[RDMAFAULT_A_TRIGGER_GE_R] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_ge_r_range),
	[RDMAFAULT_A_TRIGGER_GE_BAD] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_ge_bad_range),
	[RDMAFAULT_A_TRIGGER_GE_GOOD] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_ge_good_range),
	[RDMAFAULT_A_TRIGGER_STATE_P13] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_state_p13_range),
	[RDMAFAULT_A_TRIGGER_STATE_P31] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_state_p31_range),
	[RDMAFAULT_A_TRIGGER_STATE_P32] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_state_p32_range),
	[RDMAFAULT_A_TRIGGER_STATE_P23] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_state_p23_range),
	[RDMAFAULT_A_TRIGGER_STATE_P14] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_trigger_state_p14_range),
};

const struct nla_policy rdmafault_watchdog_nl_policy[RDMAFAULT_A_WATCHDOG_ACTION + 1] = {
	[RDMAFAULT_A_WATCHDOG_PRIOS] = NLA_POLICY_MAX(NLA_U32, 255),
	[RDMAFAULT_A_WATCHDOG_DETECT] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_watchdog_detect_range),
	[RDMAFAULT_A_WATCHDOG_RESTORE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_watchdog_restore_range),
	[RDMAFAULT_A_WATCHDOG_POLL] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_watchdog_poll_range),
	[RDMAFAULT_A_WATCHDOG_ACTION] = NLA_POLICY_MAX(NLA_U32, 2),
};

/* RDMAFAULT_CMD_PORT_GET - do */
const struct nla_policy rdmafault_port_get_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_STEP_SET - do */
const struct nla_policy rdmafault_step_set_nl_policy[RDMAFAULT_A_MESSAGES_TOTAL + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_STEP] = { .type = NLA_U32, },
	[RDMAFAULT_A_MESSAGES] = { .type = NLA_U32, },
	[RDMAFAULT_A_MESSAGES_TOTAL] = { .type = NLA_U32, },
};

/* RDMAFAULT_CMD_RULE_NEW - do */
const struct nla_policy rdmafault_rule_new_nl_policy[RDMAFAULT_A_BATCH_FLAGS + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
	[RDMAFAULT_A_BATCH_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x1),
	[RDMAFAULT_A_RULE] = NLA_POLICY_NESTED(rdmafault_rule_nl_policy),
};

/* RDMAFAULT_CMD_RULE_GET - do */
const struct nla_policy rdmafault_rule_get_nl_policy[RDMAFAULT_A_ID + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_RULE_DEL - do */
const struct nla_policy rdmafault_rule_del_nl_policy[RDMAFAULT_A_ID + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_ID] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_RULE_FLUSH - do */
const struct nla_policy rdmafault_rule_flush_nl_policy[RDMAFAULT_A_DIRECTION + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
};

/* RDMAFAULT_CMD_PORT_SET - do */
const struct nla_policy rdmafault_port_set_nl_policy[RDMAFAULT_A_HOLD_FORWARDED + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_MAX_HOLD] = NLA_POLICY_FULL_RANGE(NLA_U64, &rdmafault_a_max_hold_range),
	[RDMAFAULT_A_NAME] = { .type = NLA_NUL_STRING, .len = RDMAFAULT_NAME_LEN, },
	[RDMAFAULT_A_HOLD_FORWARDED] = NLA_POLICY_MAX(NLA_U32, 1),
};

/* RDMAFAULT_CMD_FLOW_GET - do */
const struct nla_policy rdmafault_flow_get_nl_policy[RDMAFAULT_A_FLOW + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_FLOW] = NLA_POLICY_NESTED(rdmafault_flow_nl_policy),
};

/* RDMAFAULT_CMD_RESET - do */
const struct nla_policy rdmafault_reset_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_QUEUE_GET - do */
const struct nla_policy rdmafault_queue_get_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_QUEUE_SET - do */
const struct nla_policy rdmafault_queue_set_nl_policy[RDMAFAULT_A_DCQCN + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_LINK] = NLA_POLICY_NESTED(rdmafault_link_nl_policy),
	[RDMAFAULT_A_BUFFER] = NLA_POLICY_NESTED(rdmafault_buffer_nl_policy),
	[RDMAFAULT_A_PRIO] = NLA_POLICY_NESTED(rdmafault_prio_nl_policy),
	[RDMAFAULT_A_DSCP_PRIO] = NLA_POLICY_NESTED(rdmafault_dscp_prio_nl_policy),
	[RDMAFAULT_A_WATCHDOG] = NLA_POLICY_NESTED(rdmafault_watchdog_nl_policy),
	[RDMAFAULT_A_DCQCN] = NLA_POLICY_NESTED(rdmafault_dcqcn_nl_policy),
};

/* RDMAFAULT_CMD_STORM_START - do */
const struct nla_policy rdmafault_storm_start_nl_policy[RDMAFAULT_A_STORM + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_STORM] = NLA_POLICY_NESTED(rdmafault_storm_nl_policy),
};

/* RDMAFAULT_CMD_STORM_STOP - do */
const struct nla_policy rdmafault_storm_stop_nl_policy[RDMAFAULT_A_STORM + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_STORM] = NLA_POLICY_NESTED(rdmafault_storm_nl_policy),
};

/* RDMAFAULT_CMD_PAUSE_SEND - do */
const struct nla_policy rdmafault_pause_send_nl_policy[RDMAFAULT_A_PAUSE + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_PAUSE] = NLA_POLICY_NESTED(rdmafault_pause_nl_policy),
};

/* RDMAFAULT_CMD_STATS_RESET - do */
const struct nla_policy rdmafault_stats_reset_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_PORT_NEW - do */
const struct nla_policy rdmafault_port_new_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_PORT_DEL - do */
const struct nla_policy rdmafault_port_del_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_RING_NEW - do */
const struct nla_policy rdmafault_ring_new_nl_policy[RDMAFAULT_A_RING + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_RING] = NLA_POLICY_NESTED(rdmafault_ring_nl_policy),
};

/* RDMAFAULT_CMD_RING_GET - do */
const struct nla_policy rdmafault_ring_get_nl_policy[RDMAFAULT_A_DIRECTION + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DIRECTION] = NLA_POLICY_MAX(NLA_U32, 1),
};

/* RDMAFAULT_CMD_PATH_SET - do */
const struct nla_policy rdmafault_path_set_nl_policy[RDMAFAULT_A_PATH + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_PATH] = NLA_POLICY_NESTED(rdmafault_path_nl_policy),
};

/* RDMAFAULT_CMD_PATH_DEL - do */
const struct nla_policy rdmafault_path_del_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_PATH_LINK_SET - do */
const struct nla_policy rdmafault_path_link_set_nl_policy[RDMAFAULT_A_PATH + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_PATH] = NLA_POLICY_NESTED(rdmafault_path_nl_policy),
};

/* RDMAFAULT_CMD_PATH_GET - do */
const struct nla_policy rdmafault_path_get_nl_policy[RDMAFAULT_A_IFINDEX + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
};

/* RDMAFAULT_CMD_DCQCN_FLOW_GET - do */
const struct nla_policy rdmafault_dcqcn_flow_get_nl_policy[RDMAFAULT_A_DCQCN_FLOW + 1] = {
	[RDMAFAULT_A_IFINDEX] = NLA_POLICY_MIN(NLA_U32, 1),
	[RDMAFAULT_A_DCQCN_FLOW] = NLA_POLICY_NESTED(rdmafault_dcqcn_flow_nl_policy),
};

/* Ops table for rdmafault */
const struct genl_ops rdmafault_nl_ops[24] = {
	{
		.cmd		= RDMAFAULT_CMD_PORT_GET,
		.doit		= rdmafault_nl_port_get_doit,
		.dumpit		= rdmafault_nl_port_get_dumpit,
		.policy		= rdmafault_port_get_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
	},
	{
		.cmd		= RDMAFAULT_CMD_STEP_SET,
		.doit		= rdmafault_nl_step_set_doit,
		.policy		= rdmafault_step_set_nl_policy,
		.maxattr	= RDMAFAULT_A_MESSAGES_TOTAL,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_NEW,
		.doit		= rdmafault_nl_rule_new_doit,
		.policy		= rdmafault_rule_new_nl_policy,
		.maxattr	= RDMAFAULT_A_BATCH_FLAGS,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_GET,
		.doit		= rdmafault_nl_rule_get_doit,
		.dumpit		= rdmafault_nl_rule_get_dumpit,
		.policy		= rdmafault_rule_get_nl_policy,
		.maxattr	= RDMAFAULT_A_ID,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_DEL,
		.doit		= rdmafault_nl_rule_del_doit,
		.policy		= rdmafault_rule_del_nl_policy,
		.maxattr	= RDMAFAULT_A_ID,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RULE_FLUSH,
		.doit		= rdmafault_nl_rule_flush_doit,
		.policy		= rdmafault_rule_flush_nl_policy,
		.maxattr	= RDMAFAULT_A_DIRECTION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PORT_SET,
		.doit		= rdmafault_nl_port_set_doit,
		.policy		= rdmafault_port_set_nl_policy,
		.maxattr	= RDMAFAULT_A_HOLD_FORWARDED,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_FLOW_GET,
		.doit		= rdmafault_nl_flow_get_doit,
		.dumpit		= rdmafault_nl_flow_get_dumpit,
		.policy		= rdmafault_flow_get_nl_policy,
		.maxattr	= RDMAFAULT_A_FLOW,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RESET,
		.doit		= rdmafault_nl_reset_doit,
		.policy		= rdmafault_reset_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_QUEUE_GET,
		.doit		= rdmafault_nl_queue_get_doit,
		.dumpit		= rdmafault_nl_queue_get_dumpit,
		.policy		= rdmafault_queue_get_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
	},
	{
		.cmd		= RDMAFAULT_CMD_QUEUE_SET,
		.doit		= rdmafault_nl_queue_set_doit,
		.policy		= rdmafault_queue_set_nl_policy,
		.maxattr	= RDMAFAULT_A_DCQCN,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_STORM_START,
		.doit		= rdmafault_nl_storm_start_doit,
		.policy		= rdmafault_storm_start_nl_policy,
		.maxattr	= RDMAFAULT_A_STORM,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_STORM_STOP,
		.doit		= rdmafault_nl_storm_stop_doit,
		.policy		= rdmafault_storm_stop_nl_policy,
		.maxattr	= RDMAFAULT_A_STORM,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PAUSE_SEND,
		.doit		= rdmafault_nl_pause_send_doit,
		.policy		= rdmafault_pause_send_nl_policy,
		.maxattr	= RDMAFAULT_A_PAUSE,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_STATS_RESET,
		.doit		= rdmafault_nl_stats_reset_doit,
		.policy		= rdmafault_stats_reset_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PORT_NEW,
		.doit		= rdmafault_nl_port_new_doit,
		.policy		= rdmafault_port_new_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PORT_DEL,
		.doit		= rdmafault_nl_port_del_doit,
		.policy		= rdmafault_port_del_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RING_NEW,
		.doit		= rdmafault_nl_ring_new_doit,
		.policy		= rdmafault_ring_new_nl_policy,
		.maxattr	= RDMAFAULT_A_RING,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_RING_GET,
		.doit		= rdmafault_nl_ring_get_doit,
		.policy		= rdmafault_ring_get_nl_policy,
		.maxattr	= RDMAFAULT_A_DIRECTION,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PATH_SET,
		.doit		= rdmafault_nl_path_set_doit,
		.policy		= rdmafault_path_set_nl_policy,
		.maxattr	= RDMAFAULT_A_PATH,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PATH_DEL,
		.doit		= rdmafault_nl_path_del_doit,
		.policy		= rdmafault_path_del_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PATH_LINK_SET,
		.doit		= rdmafault_nl_path_link_set_doit,
		.policy		= rdmafault_path_link_set_nl_policy,
		.maxattr	= RDMAFAULT_A_PATH,
		.flags		= GENL_ADMIN_PERM,
	},
	{
		.cmd		= RDMAFAULT_CMD_PATH_GET,
		.doit		= rdmafault_nl_path_get_doit,
		.dumpit		= rdmafault_nl_path_get_dumpit,
		.policy		= rdmafault_path_get_nl_policy,
		.maxattr	= RDMAFAULT_A_IFINDEX,
	},
	{
		.cmd		= RDMAFAULT_CMD_DCQCN_FLOW_GET,
		.doit		= rdmafault_nl_dcqcn_flow_get_doit,
		.dumpit		= rdmafault_nl_dcqcn_flow_get_dumpit,
		.policy		= rdmafault_dcqcn_flow_get_nl_policy,
		.maxattr	= RDMAFAULT_A_DCQCN_FLOW,
		.flags		= GENL_ADMIN_PERM,
	},
};
