/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the Base Transport Header and the ACK Extended Transport Header (IBTA vol. 1,
 * 9.2 and 9.3.5) of a packet that may contain anything.
 *
 *   byte 0     opcode
 *   byte 1     SE, MigReq, PadCnt, TVer (low four bits)
 *   byte 2-3   P_Key
 *   byte 4     FECN, BECN, reserved
 *   byte 5-7   destination QP
 *   byte 8     AckReq, reserved
 *   byte 9-11  PSN
 *
 * The opcodes and the ICRC are here, too. The tools and unit tests include this header.
 */
#ifndef RF_ROCEV2_BTH_H
#define RF_ROCEV2_BTH_H

#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#define RF_PSN_MASK	0xffffffu
#define RF_BTH_LEN	12
/* Offset of the byte with FECN and BECN, which counts as 0xff in the ICRC */
#define RF_BTH_MASKED	4
/* BECN in the word of the destination QP */
#define RF_BTH_BECN	0x40000000u
#define RF_AETH_LEN	4
#define RF_DETH_LEN	8
#define RF_ICRC_LEN	4
/* BTH, and the AETH that may follow it */
#define RF_BTH_SPAN	(RF_BTH_LEN + RF_AETH_LEN)
#define RF_QP_GSI	1
/* The UDP destination port of RoCEv2 (annex A17.3.1) */
#define RF_ROCE_PORT	4791

/**
 * struct rf_opcode - properties of packets with an opcode
 * @name: the name in IBTA vol. 1, table 38, in lower case
 * @classes: RDMAFAULT_CLASS_* bits; the syndrome decides between those of ACK, NAK and
 *	RNR NAK
 * @position: one RDMAFAULT_POSITION_* bit; 0 for ACKs and CNPs, which are not part of a
 *	message
 * @hdrlen: bytes of BTH and extended headers; 0 if the opcode is unknown
 * @aeth: offset of the AETH from the BTH, 0 if there is none
 * @response: the PSN is one of the requests that the packet responds to
 */
struct rf_opcode {
	const char *name;
	u16 classes;
	u8 position;
	u8 hdrlen;
	u8 aeth;
	bool response;
};

extern const struct rf_opcode rf_opcodes[256];

/**
 * rf_opcode - look up an opcode
 * @opcode: first byte of the BTH
 *
 * Return: the entry, or NULL if the opcode is unknown.
 */
static inline const struct rf_opcode *rf_opcode(u8 opcode)
{
	const struct rf_opcode *op = &rf_opcodes[opcode];

	return op->hdrlen ? op : NULL;
}

/* AETH syndrome, table 49: bits 6-5 are 00 in an ACK, 01 in an RNR NAK and 11 in a NAK. */
static inline u32 rf_aeth_kind(u8 syndrome)
{
	return syndrome >> 5 & 3;
}

/**
 * struct rf_desc - the fields of a RoCEv2 packet that rules match
 * @qp: destination QP number, 24 bits
 * @psn: PSN, 24 bits
 * @classes: RDMAFAULT_CLASS_*; one bit
 * @position: RDMAFAULT_POSITION_*, or 0
 * @len: bytes from the IP header to the ICRC
 * @payload: bytes between the last extended header and the pad
 * @headers: bytes of the BTH and the extended headers
 * @pad: bytes of pad
 * @addr_len: bytes of an address, 4 or 16
 * @sport: UDP source port
 * @priority: 0 to 7
 * @dscp: 0 to 63
 * @ecn: 0 to 3
 * @opcode: opcode
 * @syndrome: AETH syndrome, 0 without AETH
 * @has_aeth: the packet has an AETH
 * @response: the PSN is one of the requests that the packet responds to
 * @key64: hash of addresses, kind and ordinal of the flow, for random numbers; other
 *	flows may have the same, see @flow_id
 * @flow_id: number of the flow, never used again; 0 if it is not tracked
 * @serial: the PSN for random numbers: @psn_rel without the modulo; for CNPs, whose
 *	PSN is always 0, the number of earlier CNPs
 * @draw_attempt: the attempt for random numbers: @attempt, but without an upper limit, and
 *	with a bit that separates packets of a PSN whose attempts are counted separately
 * @psn_rel: @psn minus the first PSN of the flow, modulo 2^24
 * @attempt: number of transmissions of this PSN in its flow, including this one; 0 if
 *	the flow is not tracked, or if the PSN is too old
 * @flow: ordinal of the flow, from 1; 0 if it is not tracked
 * @message: ordinal of the message in the flow, from 1; 0 for unknown
 * @step_message: ordinal of the message in the flow and step; 0 for unknown
 * @packet: ordinal of the packet in its message, from 1; 0 for unknown
 * @step: step of the port
 * @messages: messages per flow and step, 0 for unknown
 * @messages_total: messages per flow, 0 for unknown
 * @sender: source QP of a datagram (UD) whose flow is tracked
 * @cm: RDMAFAULT_CM_*, one bit; 0 if the packet has no connection management message
 * @saddr: source address, followed by 0
 * @daddr: destination address, followed by 0
 */
struct rf_desc {
	u32 qp;
	u32 psn;
	u32 classes;
	u32 position;
	u32 len;
	u32 payload;
	u32 headers;
	u32 pad;
	u32 addr_len;
	u16 sport;
	u8 priority;
	u8 dscp;
	u8 ecn;
	u8 opcode;
	u8 syndrome;
	bool has_aeth;
	bool response;
	u64 key64;
	u64 flow_id;
	u32 serial;
	u32 draw_attempt;
	u32 psn_rel;
	u32 attempt;
	u32 flow;
	u32 message;
	u32 step_message;
	u32 packet;
	u32 step;
	u32 messages;
	u32 messages_total;
	u32 sender;
	u32 cm;
	u8 saddr[16];
	u8 daddr[16];
};

/* Fields of a BTH, which must have RF_BTH_LEN bytes */
static inline u32 rf_bth_version(const u8 *bth)
{
	return bth[1] & 0x0f;
}

static inline u32 rf_bth_pad(const u8 *bth)
{
	return bth[1] >> 4 & 3;
}

/* One load, in contrast to the three bytes of a QP or a PSN */
static inline u32 rf_bth_word(const u8 *bth, u32 offset)
{
	return (u32)bth[offset] << 24 | (u32)bth[offset + 1] << 16 |
	       (u32)bth[offset + 2] << 8 | bth[offset + 3];
}

static inline u32 rf_bth_qp(const u8 *bth)
{
	return rf_bth_word(bth, 4) & 0xffffff;
}

static inline u32 rf_bth_psn(const u8 *bth)
{
	return rf_bth_word(bth, 8) & RF_PSN_MASK;
}

/* Is it a datagram? The upper three bits say so (IBTA vol. 1, 9.2.1). */
static inline bool rf_opcode_is_ud(u8 opcode)
{
	return opcode >> 5 == 3;
}

/* Is it an ACK or a NAK of RC or XRC, not an atomic response? */
static inline bool rf_opcode_is_ack(u8 opcode)
{
	return (opcode & 0x1f) == 0x11;
}

/**
 * rf_bth_opcode - check a BTH
 * @bth: RF_BTH_SPAN bytes
 * @len: bytes from the BTH to the end of the packet, ICRC included
 *
 * Return: the entry of its opcode. NULL if the opcode is unknown, if the packet is too
 * short for it, or if the transport version is not 0.
 */
static inline const struct rf_opcode *rf_bth_opcode(const u8 *bth, u32 len)
{
	const struct rf_opcode *op = rf_opcode(bth[0]);

	if (!op || rf_bth_version(bth) ||
	    len < op->hdrlen + rf_bth_pad(bth) + RF_ICRC_LEN)
		return NULL;
	return op;
}

/* The class of an ACK, by its syndrome */
static inline u32 rf_ack_class(u8 syndrome)
{
	switch (rf_aeth_kind(syndrome)) {
	case 0:
		return RDMAFAULT_CLASS_ACK;
	case 1:
		return RDMAFAULT_CLASS_RNR;
	default:
		return RDMAFAULT_CLASS_NAK;
	}
}

/**
 * rf_bth_read - read BTH and AETH
 * @bth: RF_BTH_SPAN bytes
 * @op: the entry of its opcode, from rf_bth_opcode()
 * @len: bytes from the BTH to the end of the packet, ICRC included
 * @desc: set to the fields of the headers; the members from @key64 on are set to 0, and
 *	those of the IP and UDP headers are left
 */
static inline void rf_bth_read(const u8 *bth, const struct rf_opcode *op, u32 len,
			       struct rf_desc *desc)
{
	memset_startat(desc, 0, key64);
	desc->opcode = bth[0];
	desc->qp = rf_bth_qp(bth);
	desc->psn = rf_bth_psn(bth);
	desc->headers = op->hdrlen;
	desc->pad = rf_bth_pad(bth);
	desc->payload = len - op->hdrlen - desc->pad - RF_ICRC_LEN;
	desc->has_aeth = op->aeth;
	desc->syndrome = op->aeth ? bth[op->aeth] : 0;
	desc->response = op->response;
	desc->position = op->position;
	if (desc->qp == RF_QP_GSI)
		desc->classes = RDMAFAULT_CLASS_CM;
	else if (op->classes & RDMAFAULT_CLASS_ACK)
		desc->classes = rf_ack_class(desc->syndrome);
	else
		desc->classes = op->classes;
}

/* opcode.c */
int rf_opcode_by_name(const char *name);

/* icrc.c */
u32 rf_icrc(const u8 *ip, size_t headers, size_t len);

#endif
