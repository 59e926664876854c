/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_BTH_H
#define RF_ROCEV2_BTH_H

#include <linux/types.h>

#define RF_PSN_MASK	0xffffffu
#define RF_BTH_LEN	12
/* The byte of it that has FECN and BECN: the ICRC takes it for 0xff. */
#define RF_BTH_MASKED	4
#define RF_AETH_LEN	4
#define RF_DETH_LEN	8
#define RF_ICRC_LEN	4
/* BTH and the AETH that may follow it: what has to be read of a packet. */
#define RF_BTH_SPAN	(RF_BTH_LEN + RF_AETH_LEN)
#define RF_QP_GSI	1
/* RoCEv2's UDP port (annex A17.3.1) */
#define RF_ROCE_PORT	4791

/**
 * struct rf_desc - a RoCEv2 packet as rules see it
 * @qp: destination QP number, 24 bits
 * @psn: PSN, 24 bits
 * @psn_rel: @psn less the first PSN of the flow, modulo 2^24
 * @classes: RDMAFAULT_CLASS_*; one bit, as the AETH is taken into account
 * @position: RDMAFAULT_POSITION_*, or 0
 * @attempt: how often this PSN has been seen in its flow, this time included; 0
 *	if the flow could not be followed, or the packet comes too late to tell
 * @len: bytes from the IP header to the ICRC
 * @payload: bytes between the last extended header and the pad
 * @headers: bytes of the BTH and the extended headers
 * @pad: bytes of pad
 * @flow: ordinal of the flow, from 1; 0 if it could not be followed
 * @serial: what stands for the PSN in draws: @psn_rel, not modulo; with CNPs,
 *	which all bear PSN 0, how many there were before
 * @turn: what stands for the attempt in draws: @attempt, but it goes on counting
 *	where that stays at its end
 * @key64: hash of the flow's addresses, kind and ordinal, which draws are keyed
 *	with; other flows may have the same, see @flow_id
 * @message: ordinal of the message in the flow, from 1; 0 for unknown
 * @step_message: the same in the flow and step
 * @packet: ordinal of the packet in its message, from 1; 0 for unknown
 * @step: step of the port
 * @messages: messages per flow and step, 0 for unknown
 * @messages_total: messages per flow, 0 for unknown
 * @addr_len: bytes of the addresses, 4 or 16
 * @sport: UDP source port
 * @priority: 0 to 7
 * @dscp: 0 to 63
 * @ecn: 0 to 3
 * @opcode: opcode
 * @syndrome: AETH syndrome, 0 without AETH
 * @has_aeth: there is an AETH
 * @response: the PSN belongs to the requests of the other side
 * @saddr: source address; the rest is 0
 * @daddr: destination address, likewise
 * @sender: of a datagram (UD) whose flow is tracked, the QP that has sent it
 * @flow_id: number of the flow, never used again; 0 if it is not tracked
 */
struct rf_desc {
	u64 key64;
	u32 serial;
	u32 turn;
	u32 qp;
	u32 psn;
	u32 psn_rel;
	u32 classes;
	u32 position;
	u32 attempt;
	u32 len;
	u32 payload;
	u32 headers;
	u32 pad;
	u32 flow;
	u32 message;
	u32 step_message;
	u32 packet;
	u32 step;
	u32 messages;
	u32 messages_total;
	u32 addr_len;
	u16 sport;
	u8 priority;
	u8 dscp;
	u8 ecn;
	u8 opcode;
	u8 syndrome;
	bool has_aeth;
	bool response;
	u8 saddr[16];
	u8 daddr[16];
	u32 sender;
	u64 flow_id;
};

/* Of a BTH, without any check; see bth.c for where what stands. */
static inline u32 rf_bth_version(const u8 *bth)
{
	return bth[1] & 0x0f;
}

static inline u32 rf_bth_pad(const u8 *bth)
{
	return bth[1] >> 4 & 3;
}

static inline u32 rf_bth_qp(const u8 *bth)
{
	return (u32)bth[5] << 16 | (u32)bth[6] << 8 | bth[7];
}

static inline u32 rf_bth_psn(const u8 *bth)
{
	return (u32)bth[9] << 16 | (u32)bth[10] << 8 | bth[11];
}

/* Is it a datagram? (IBTA vol. 1, 9.2.1: the upper three bits) */
static inline bool rf_opcode_is_ud(u8 opcode)
{
	return opcode >> 5 == 3;
}

struct rf_opcode;

const struct rf_opcode *rf_bth_opcode(const u8 *bth, size_t len);
int rf_bth_decode(const u8 *bth, size_t len, struct rf_desc *desc);

#endif
