/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_OPCODE_H
#define RF_ROCEV2_OPCODE_H

#include <linux/stddef.h>
#include <linux/types.h>

/**
 * struct rf_opcode - what the opcode of a BTH tells about its packet
 * @name: name in the manner of IBTA vol. 1, table 38, in lower case
 * @classes: RDMAFAULT_CLASS_* bits; ACKs are told apart by syndrome
 * @position: one RDMAFAULT_POSITION_* bit, 0 for a packet that is no message
 *	of its own (acknowledge, CNP)
 * @hdrlen: bytes of BTH and extended headers; 0 marks an unknown opcode
 * @aeth: offset of the AETH from the BTH, 0 for none
 * @response: its PSN belongs to the requests of the other side
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
 * rf_opcode - look an opcode up
 * @opcode: first byte of the BTH
 *
 * Context: any.
 * Return: the entry, or NULL for an opcode that nobody knows.
 */
static inline const struct rf_opcode *rf_opcode(u8 opcode)
{
	const struct rf_opcode *op = &rf_opcodes[opcode];

	return op->hdrlen ? op : NULL;
}

int rf_opcode_by_name(const char *name);

#endif
