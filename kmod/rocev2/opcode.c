// SPDX-License-Identifier: GPL-2.0
/*
 * The opcode table of the Base Transport Header (IBTA vol. 1, 9.2.1 and table
 * 38), with the CNP of annex A17. The upper three bits of an opcode are the transport
 * service, the lower five the operation. Reliable connection (RC) has all operations,
 * the other services have a part of them. No RoCE device supports RD, so it is not in
 * the table.
 *
 * An opcode whose header length is 0 is unknown. Packets with an unknown opcode are
 * refused before any length is computed from the table.
 */
#include <linux/string.h>
#include <uapi/rdmafault/rdmafault.h>

#include "bth.h"

/* Lengths of the headers in bytes (IBTA vol. 1, 9.2 and 9.3) */
#define BTH	12
#define DETH	8
#define XRCETH	4
#define RETH	16
#define AETH	4
#define IMMDT	4
#define IETH	4
#define ATOMIC	28
#define ATOMACK	8

#define SENDS	RDMAFAULT_CLASS_SEND
#define WRITES	RDMAFAULT_CLASS_WRITE
#define READRSP	RDMAFAULT_CLASS_READ_RESPONSE
#define ANYACK	(RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)

#define FIRST	RDMAFAULT_POSITION_FIRST
#define MIDDLE	RDMAFAULT_POSITION_MIDDLE
#define LAST	RDMAFAULT_POSITION_LAST
#define ONLY	RDMAFAULT_POSITION_ONLY

#define OP(_name, _classes, _position, _hdrlen) {			\
	.name = _name, .classes = _classes, .position = _position,	\
	.hdrlen = _hdrlen,						\
}

/* A response. If it has an AETH, the AETH follows the BTH. */
#define RSP(_name, _classes, _position, _hdrlen, _aeth) {		\
	.name = _name, .classes = _classes, .position = _position,	\
	.hdrlen = _hdrlen, .aeth = _aeth, .response = true,		\
}

/* SEND and WRITE of RC, UC and XRC; @x is the length of the additional header of XRC. */
#define SEND_AND_WRITE(t, base, x)					\
	[base + 0x00] = OP(t "-send-first", SENDS, FIRST, BTH + x),	\
	[base + 0x01] = OP(t "-send-middle", SENDS, MIDDLE, BTH + x),	\
	[base + 0x02] = OP(t "-send-last", SENDS, LAST, BTH + x),	\
	[base + 0x03] = OP(t "-send-last-imm", SENDS, LAST, BTH + x + IMMDT), \
	[base + 0x04] = OP(t "-send-only", SENDS, ONLY, BTH + x),	\
	[base + 0x05] = OP(t "-send-only-imm", SENDS, ONLY, BTH + x + IMMDT), \
	[base + 0x06] = OP(t "-write-first", WRITES, FIRST, BTH + x + RETH), \
	[base + 0x07] = OP(t "-write-middle", WRITES, MIDDLE, BTH + x),	\
	[base + 0x08] = OP(t "-write-last", WRITES, LAST, BTH + x),	\
	[base + 0x09] = OP(t "-write-last-imm", WRITES, LAST, BTH + x + IMMDT), \
	[base + 0x0a] = OP(t "-write-only", WRITES, ONLY, BTH + x + RETH), \
	[base + 0x0b] = OP(t "-write-only-imm", WRITES, ONLY,		\
			   BTH + x + RETH + IMMDT)

/* READ, atomics, ACKs and invalidates of RC and XRC */
#define RELIABLE(t, base, x)						\
	[base + 0x0c] = OP(t "-read-request",				\
			   RDMAFAULT_CLASS_READ_REQUEST, ONLY, BTH + x + RETH), \
	[base + 0x0d] = RSP(t "-read-response-first", READRSP, FIRST,	\
			    BTH + AETH, BTH),				\
	[base + 0x0e] = RSP(t "-read-response-middle", READRSP, MIDDLE, BTH, 0), \
	[base + 0x0f] = RSP(t "-read-response-last", READRSP, LAST,	\
			    BTH + AETH, BTH),				\
	[base + 0x10] = RSP(t "-read-response-only", READRSP, ONLY,	\
			    BTH + AETH, BTH),				\
	[base + 0x11] = RSP(t "-acknowledge", ANYACK, 0, BTH + AETH, BTH), \
	[base + 0x12] = RSP(t "-atomic-acknowledge", ANYACK, 0,		\
			    BTH + AETH + ATOMACK, BTH),			\
	[base + 0x13] = OP(t "-compare-swap", RDMAFAULT_CLASS_ATOMIC, ONLY, \
			   BTH + x + ATOMIC),				\
	[base + 0x14] = OP(t "-fetch-add", RDMAFAULT_CLASS_ATOMIC, ONLY, \
			   BTH + x + ATOMIC),				\
	[base + 0x16] = OP(t "-send-last-inv", SENDS, LAST, BTH + x + IETH), \
	[base + 0x17] = OP(t "-send-only-inv", SENDS, ONLY, BTH + x + IETH)

const struct rf_opcode rf_opcodes[256] = {
	SEND_AND_WRITE("rc", 0x00, 0),
	RELIABLE("rc", 0x00, 0),
	SEND_AND_WRITE("uc", 0x20, 0),
	[0x64] = OP("ud-send-only", SENDS, ONLY, BTH + DETH),
	[0x65] = OP("ud-send-only-imm", SENDS, ONLY, BTH + DETH + IMMDT),
	/* 16 reserved bytes follow the BTH of a CNP (annex A17.9.3). */
	[0x81] = OP("cnp", RDMAFAULT_CLASS_CNP, 0, BTH + 16),
	SEND_AND_WRITE("xrc", 0xa0, XRCETH),
	RELIABLE("xrc", 0xa0, XRCETH),
};

/**
 * rf_opcode_by_name - find an opcode by its name
 * @name: for instance "rc-write-middle"
 *
 * Return: the opcode, or -1 if no opcode has that name.
 */
int rf_opcode_by_name(const char *name)
{
	int i;

	for (i = 0; i < 256; i++)
		if (rf_opcodes[i].hdrlen &&
		    !strcmp(rf_opcodes[i].name, name))
			return i;
	return -1;
}
