/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_OPCODE_H
#define RF_ROCEV2_OPCODE_H

#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

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
 * @sequential: the PSN of the next packet is usually one higher: a request that takes
 *	one PSN, or an ACK; not a READ, not a datagram and not a CNP
 */
struct rf_opcode {
	const char *name;
	u16 classes;
	u8 position;
	u8 hdrlen;
	u8 aeth;
	bool response;
	bool sequential;
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
 * rf_bth_is_nak - test whether a packet is a NAK or an RNR NAK
 * @op: the entry of its opcode
 * @bth: the first byte of the BTH; the AETH must be there
 *
 * Return: true if it is.
 */
static inline bool rf_bth_is_nak(const struct rf_opcode *op, const u8 *bth)
{
	return op->classes & RDMAFAULT_CLASS_NAK && rf_aeth_kind(bth[op->aeth]);
}

int rf_opcode_by_name(const char *name);

#endif
