// SPDX-License-Identifier: GPL-2.0
/*
 * Test encoding and decoding of pause frames: the bytes are those of 802.1Qbb, decoding
 * reverses encoding, and nothing is read beyond the end of a frame.
 */
#include <stdlib.h>

#include "../../kmod/pfc/frame.c"
#include "tap.h"

static const u8 source[6] = { 2, 0, 0, 0, 0, 1 };

static void bytes_ok(void)
{
	static const u8 head[] = {
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 2, 0, 0, 0, 0, 1,
		0x88, 0x08, 0x01, 0x01, 0x00,
	};
	struct rf_pfc_frame pfc = { 0 };
	u8 frame[RF_PFC_FRAME_LEN];
	u8 want[RF_PFC_FRAME_LEN];
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		memset(want, 0, sizeof(want));
		memcpy(want, head, sizeof(head));
		want[17] = 1 << i;
		want[18 + 2 * i] = 0xab;
		want[19 + 2 * i] = 0xcd;
		pfc.prios = 1 << i;
		pfc.quanta[i] = 0xabcd;
		rf_pfc_encode(frame, source, &pfc);
		ok(!memcmp(frame, want, sizeof(want)), "a PFC frame for class %u has the bytes of 802.1Qbb", i);
	}
	pfc.prios = 0xff;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		pfc.quanta[i] = 0xffff - i;
		want[18 + 2 * i] = 0xff;
		want[19 + 2 * i] = 0xff - i;
	}
	want[17] = 0xff;
	rf_pfc_encode(frame, source, &pfc);
	ok(!memcmp(frame, want, sizeof(want)), "a PFC frame for all eight classes has the bytes of 802.1Qbb");
}

static void read_back_ok(void)
{
	struct rf_pfc_frame pfc = { .prios = 0x88, .quanta = { [3] = 1, [7] = 65535 } };
	u8 frame[RF_PFC_FRAME_LEN];
	struct rf_pfc_frame got;

	rf_pfc_encode(frame, source, &pfc);
	ok(rf_pfc_decode(frame + 14, RF_PFC_FRAME_LEN - 14, &got) &&
	   got.prios == 0x88 && !got.reserved && got.quanta[3] == 1 &&
	   got.quanta[7] == 65535, "rf_pfc_decode() reads an encoded frame");
	frame[16] = 0x80;
	ok(rf_pfc_decode(frame + 14, RF_PFC_FRAME_LEN - 14, &got) &&
	   got.prios == 0x88 && got.reserved,
	   "rf_pfc_decode() reports reserved bits and reads the others");
}

static void global_ok(void)
{
	static const u8 body[] = { 0x00, 0x01, 0x12, 0x34 };
	struct rf_pfc_frame got;
	u32 i, right = 0;

	ok(rf_pfc_decode(body, sizeof(body), &got) && got.prios == 0xff,
	   "rf_pfc_decode() reads PAUSE as XOFF for all priorities");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		right += got.quanta[i] == 0x1234;
	ok(right == RDMAFAULT_PRIOS, "rf_pfc_decode() reads PAUSE with the same quanta for all priorities");
}

/*
 * A frame of each length is in a separate allocation, so that the sanitizer detects reads
 * beyond its end.
 */
static void short_frames_fail(void)
{
	u8 whole[RF_PFC_BODY_LEN] = { 0x01, 0x01, 0, 0xff };
	u32 len, opcode, taken = 0, read = 0;
	struct rf_pfc_frame pfc;
	u8 *body;

	for (len = 0; len < RF_PFC_BODY_LEN; len++) {
		body = malloc(len ?: 1);
		memcpy(body, whole, len);
		taken += rf_pfc_decode(body, len, &pfc);
		free(body);
	}
	ok(!taken, "rf_pfc_decode() refuses every PFC frame that is too short");
	whole[0] = 0;
	ok(!rf_pfc_decode(whole, 3, &pfc) && rf_pfc_decode(whole, 4, &pfc),
	   "rf_pfc_decode() refuses PAUSE of three bytes and accepts four");
	for (opcode = 0; opcode <= 0xffff; opcode++) {
		frame_put16(whole, opcode);
		read += rf_pfc_decode(whole, sizeof(whole), &pfc);
	}
	ok(read == 2, "rf_pfc_decode() accepts two of all opcodes");
}

int main(void)
{
	bytes_ok();
	read_back_ok();
	global_ok();
	short_frames_fail();
	return done_testing();
}
