// SPDX-License-Identifier: GPL-2.0
/*
 * Test the table of opcodes and the decoder of headers against the numbers of the IBTA
 * specification, and with packets of every length: the decoder must not read beyond the end of
 * the packet (the address sanitizer would detect this).
 */
#include <stdlib.h>
#include <string.h>

#include "../../kmod/rocev2/bth.h"
#include "../../kmod/rocev2/opcode.c"
#include "tap.h"

/* RDMA WRITE middle to QP 0x000012, AckReq, PSN 0xfffffe. */
static const u8 write_middle[] = {
	0x07, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x80, 0xff, 0xff, 0xfe,
	0xde, 0xad, 0xbe, 0xef, 0x01, 0x02, 0x03, 0x04,
};

/* An ACK (opcode Acknowledge) to QP 0x000011, PSN 5; the test sets the AETH. */
static const u8 acknowledge[] = {
	0x11, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x05,
	0x00, 0x00, 0x00, 0x01, 0x01, 0x02, 0x03, 0x04,
};

/* Decode a BTH with @len bytes up to the end of the packet. Return: false if it is refused. */
static bool decode(const u8 *bth, size_t len, struct rf_desc *d)
{
	const struct rf_opcode *op = len < RF_BTH_SPAN ? NULL : rf_bth_opcode(bth, len);

	if (op)
		rf_bth_read(bth, op, len, d);
	return op;
}

static void write_decodes_ok(void)
{
	struct rf_desc d;

	ok(decode(write_middle, sizeof(write_middle), &d),
	   "the decoder accepts an RDMA WRITE middle");
	ok(d.qp == 0x12 && d.psn == 0xfffffe && d.opcode == 7,
	   "the decoder reads QP, PSN and opcode");
	ok(d.classes == RDMAFAULT_CLASS_WRITE &&
	   d.position == RDMAFAULT_POSITION_MIDDLE && !d.response,
	   "the decoder reads the class write and the position middle");
}

static void syndromes_tell_acks_apart_ok(void)
{
	static const struct {
		u8 syndrome;
		u32 class;
		const char *name;
	} cases[] = {
		{ 0x00, RDMAFAULT_CLASS_ACK, "ACK" },
		{ 0x1f, RDMAFAULT_CLASS_ACK, "ACK with unlimited credits" },
		{ 0x20, RDMAFAULT_CLASS_RNR, "RNR NAK" },
		{ 0x3f, RDMAFAULT_CLASS_RNR, "RNR NAK, timer 31" },
		{ 0x60, RDMAFAULT_CLASS_NAK, "NAK PSN sequence error" },
		{ 0x64, RDMAFAULT_CLASS_NAK, "NAK invalid RD request" },
	};
	u8 bytes[sizeof(acknowledge)];
	struct rf_desc d;
	size_t i;

	memcpy(bytes, acknowledge, sizeof(bytes));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bytes[12] = cases[i].syndrome;
		ok(decode(bytes, sizeof(bytes), &d) &&
		   d.classes == cases[i].class && d.response &&
		   d.syndrome == cases[i].syndrome,
		   "the decoder classifies the AETH syndrome 0x%02x as %s", cases[i].syndrome, cases[i].name);
	}
}

static void opcode_numbers_ok(void)
{
	static const struct {
		int opcode;
		const char *name;
		u8 hdrlen;
	} cases[] = {
		{ 0x00, "rc-send-first", 12 }, { 0x04, "rc-send-only", 12 },
		{ 0x05, "rc-send-only-imm", 16 }, { 0x06, "rc-write-first", 28 },
		{ 0x09, "rc-write-last-imm", 16 },
		{ 0x0b, "rc-write-only-imm", 32 }, { 0x0c, "rc-read-request", 28 },
		{ 0x0d, "rc-read-response-first", 16 },
		{ 0x0e, "rc-read-response-middle", 12 },
		{ 0x11, "rc-acknowledge", 16 },
		{ 0x12, "rc-atomic-acknowledge", 24 },
		{ 0x13, "rc-compare-swap", 40 }, { 0x14, "rc-fetch-add", 40 },
		{ 0x17, "rc-send-only-inv", 16 }, { 0x2a, "uc-write-only", 28 },
		{ 0x64, "ud-send-only", 20 }, { 0x81, "cnp", 28 },
		{ 0xa6, "xrc-write-first", 32 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(rf_opcode_by_name(cases[i].name) == cases[i].opcode &&
		   rf_opcode(cases[i].opcode)->hdrlen == cases[i].hdrlen,
		   "opcode 0x%02x is %s and has %u bytes of headers",
		   cases[i].opcode, cases[i].name, cases[i].hdrlen);
	ok(!rf_opcode(0x15) && !rf_opcode(0x2c) && !rf_opcode(0xff),
	   "rf_opcode() does not know reserved opcodes");
	ok(rf_opcode_by_name("rc-write") == -1, "rf_opcode_by_name() does not accept an incomplete name");
}

static void bad_packets_fail(void)
{
	u8 bytes[sizeof(write_middle)];
	struct rf_desc d;

	memcpy(bytes, write_middle, sizeof(bytes));
	bytes[1] = 0x01;
	ok(!decode(bytes, sizeof(bytes), &d),
	   "the decoder refuses transport version 1");
	bytes[1] = 0x30;
	ok(!decode(bytes, 16, &d),
	   "the decoder refuses a packet too short for its padding");
	bytes[1] = 0x00;
	bytes[0] = 0x15;
	ok(!decode(bytes, sizeof(bytes), &d),
	   "the decoder refuses an unknown opcode");
}

static void without_payload_ok(void)
{
	u8 bytes[RF_BTH_LEN + RF_ICRC_LEN] = { 0x04 };
	struct rf_desc d;

	ok(decode(bytes, sizeof(bytes), &d) && !d.payload,
	   "the decoder accepts a packet that has only BTH and ICRC");
	ok(!decode(bytes, sizeof(bytes) - 1, &d),
	   "the decoder refuses a packet that is one byte shorter than BTH and ICRC");
}

/*
 * A packet of @len bytes: no byte after its end and no byte after the first RF_BTH_SPAN bytes
 * may be read.
 */
static void every_length_stays_inside_ok(void)
{
	struct rf_desc d;
	int opcode, accepted = 0;
	size_t len, room;
	u8 *bytes;

	for (opcode = 0; opcode < 256; opcode++) {
		for (len = 0; len < 64; len++) {
			room = len < RF_BTH_SPAN ? len : RF_BTH_SPAN;
			bytes = calloc(1, room + !room);
			if (room)
				bytes[0] = opcode;
			accepted += decode(bytes, len, &d);
			free(bytes);
		}
	}
	ok(accepted > 0, "the decoder does not read beyond the end for 256 opcodes and 64 lengths");
}

static void qp1_is_cm_ok(void)
{
	u8 bytes[sizeof(write_middle) + 16] = { 0x64 };
	struct rf_desc d;

	bytes[7] = 1;
	ok(decode(bytes, sizeof(bytes), &d) &&
	   d.classes == RDMAFAULT_CLASS_CM, "the decoder gives a datagram to QP 1 the class cm");
}

int main(void)
{
	write_decodes_ok();
	syndromes_tell_acks_apart_ok();
	opcode_numbers_ok();
	bad_packets_fail();
	without_payload_ok();
	every_length_stays_inside_ok();
	qp1_is_cm_ok();
	return done_testing();
}
