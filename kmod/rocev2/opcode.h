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

int rf_opcode_by_name(const char *name);

#endif
