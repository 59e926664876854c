/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rdmafault.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_RDMAFAULT_H
#define _UAPI_LINUX_RDMAFAULT_H

#define RDMAFAULT_FAMILY_NAME		"rdmafault"
#define RDMAFAULT_FAMILY_VERSION	1

#define RDMAFAULT_PSN_MAX	16777215
#define RDMAFAULT_RULES_MAX	16384

/**
 * enum rdmafault_direction - Which way a packet crosses the port.
 * @RDMAFAULT_DIRECTION_TX: Leaving the netdev.
 * @RDMAFAULT_DIRECTION_RX: Arriving at the netdev.
 */
enum rdmafault_direction {
	RDMAFAULT_DIRECTION_TX,
	RDMAFAULT_DIRECTION_RX,
};

/**
 * enum rdmafault_class - Opcode classes; a rule may name several.
 * @RDMAFAULT_CLASS_SEND: SEND of any position, with and without immediate or
 *   invalidate.
 * @RDMAFAULT_CLASS_WRITE: RDMA WRITE of any position, with and without
 *   immediate.
 * @RDMAFAULT_CLASS_READ_REQUEST: RDMA READ request.
 * @RDMAFAULT_CLASS_READ_RESPONSE: RDMA READ response of any position.
 * @RDMAFAULT_CLASS_ATOMIC: Compare-and-swap and fetch-and-add requests.
 * @RDMAFAULT_CLASS_ACK: Acknowledge or atomic acknowledge with a positive
 *   syndrome.
 * @RDMAFAULT_CLASS_NAK: Acknowledge with a NAK syndrome.
 * @RDMAFAULT_CLASS_RNR: Acknowledge with an RNR NAK syndrome.
 * @RDMAFAULT_CLASS_CNP: Congestion notification packet (opcode 0x81).
 * @RDMAFAULT_CLASS_CM: Connection management, that is anything to QP 1.
 */
enum rdmafault_class {
	RDMAFAULT_CLASS_SEND = 1,
	RDMAFAULT_CLASS_WRITE = 2,
	RDMAFAULT_CLASS_READ_REQUEST = 4,
	RDMAFAULT_CLASS_READ_RESPONSE = 8,
	RDMAFAULT_CLASS_ATOMIC = 16,
	RDMAFAULT_CLASS_ACK = 32,
	RDMAFAULT_CLASS_NAK = 64,
	RDMAFAULT_CLASS_RNR = 128,
	RDMAFAULT_CLASS_CNP = 256,
	RDMAFAULT_CLASS_CM = 512,
};

/**
 * enum rdmafault_position - Where in its message a packet stands.
 */
enum rdmafault_position {
	RDMAFAULT_POSITION_FIRST = 1,
	RDMAFAULT_POSITION_MIDDLE = 2,
	RDMAFAULT_POSITION_LAST = 4,
	RDMAFAULT_POSITION_ONLY = 8,
};

/**
 * enum rdmafault_action - What is done to the packet that a rule hits.
 * @RDMAFAULT_ACTION_DROP: The packet vanishes; its sender sees success.
 * @RDMAFAULT_ACTION_WATCH: The hit is counted and traced, the packet goes on
 *   untouched.
 */
enum rdmafault_action {
	RDMAFAULT_ACTION_DROP,
	RDMAFAULT_ACTION_WATCH,
};

/**
 * enum rdmafault_rule_flag
 * @RDMAFAULT_RULE_FLAG_PERSIST: The rule outlives the socket that made it.
 * @RDMAFAULT_RULE_FLAG_ALL: The rule may match every packet of a QP other than
 *   1.
 */
enum rdmafault_rule_flag {
	RDMAFAULT_RULE_FLAG_PERSIST = 1,
	RDMAFAULT_RULE_FLAG_ALL = 2,
};

/**
 * enum rdmafault_batch_flag
 * @RDMAFAULT_BATCH_FLAG_REPLACE: The rules take the place of all that the
 *   direction had.
 */
enum rdmafault_batch_flag {
	RDMAFAULT_BATCH_FLAG_REPLACE = 1,
};

enum {
	RDMAFAULT_A_IFINDEX = 1,
	RDMAFAULT_A_IFNAME,
	RDMAFAULT_A_DIRECTION,
	RDMAFAULT_A_GENERATION,
	RDMAFAULT_A_STEP,
	RDMAFAULT_A_RULE,
	RDMAFAULT_A_ID,
	RDMAFAULT_A_BATCH_FLAGS,
	RDMAFAULT_A_TX,
	RDMAFAULT_A_RX,

	__RDMAFAULT_A_MAX,
	RDMAFAULT_A_MAX = (__RDMAFAULT_A_MAX - 1)
};

enum {
	RDMAFAULT_A_STATS_PAD = 1,
	RDMAFAULT_A_STATS_PACKETS,
	RDMAFAULT_A_STATS_BYTES,
	RDMAFAULT_A_STATS_ROCE,
	RDMAFAULT_A_STATS_ROCE_BYTES,
	RDMAFAULT_A_STATS_MALFORMED,
	RDMAFAULT_A_STATS_RETRANSMITTED,
	RDMAFAULT_A_STATS_HITS,
	RDMAFAULT_A_STATS_DROPPED,
	RDMAFAULT_A_STATS_FLOWS_LOST,
	RDMAFAULT_A_STATS_RULES,
	RDMAFAULT_A_STATS_FLOWS,

	__RDMAFAULT_A_STATS_MAX,
	RDMAFAULT_A_STATS_MAX = (__RDMAFAULT_A_STATS_MAX - 1)
};

enum {
	RDMAFAULT_A_RULE_PAD = 1,
	RDMAFAULT_A_RULE_ID,
	RDMAFAULT_A_RULE_DIRECTION,
	RDMAFAULT_A_RULE_FLAGS,
	RDMAFAULT_A_RULE_MATCH,
	RDMAFAULT_A_RULE_NTH,
	RDMAFAULT_A_RULE_COUNT,
	RDMAFAULT_A_RULE_ACTION,
	RDMAFAULT_A_RULE_MATCHED,
	RDMAFAULT_A_RULE_HITS,
	RDMAFAULT_A_RULE_OWNER,

	__RDMAFAULT_A_RULE_MAX,
	RDMAFAULT_A_RULE_MAX = (__RDMAFAULT_A_RULE_MAX - 1)
};

enum {
	RDMAFAULT_A_MATCH_QP = 1,
	RDMAFAULT_A_MATCH_PSN,
	RDMAFAULT_A_MATCH_PSN_REL,
	RDMAFAULT_A_MATCH_OPCODE,
	RDMAFAULT_A_MATCH_CLASS,
	RDMAFAULT_A_MATCH_POSITION,
	RDMAFAULT_A_MATCH_PASS_MIN,
	RDMAFAULT_A_MATCH_PASS_MAX,
	RDMAFAULT_A_MATCH_STEP,

	__RDMAFAULT_A_MATCH_MAX,
	RDMAFAULT_A_MATCH_MAX = (__RDMAFAULT_A_MATCH_MAX - 1)
};

enum {
	RDMAFAULT_CMD_PORT_GET = 1,
	RDMAFAULT_CMD_STEP_SET,
	RDMAFAULT_CMD_RULE_NEW,
	RDMAFAULT_CMD_RULE_GET,
	RDMAFAULT_CMD_RULE_DEL,
	RDMAFAULT_CMD_RULE_FLUSH,

	__RDMAFAULT_CMD_MAX,
	RDMAFAULT_CMD_MAX = (__RDMAFAULT_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_RDMAFAULT_H */
