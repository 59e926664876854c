// SPDX-License-Identifier: GPL-2.0
/*
 * Pause frames: priority-based flow control (IEEE 802.1Qbb, now 802.1Q clause 36; IEEE
 * 802.3, annex 31D has the format), and the older PAUSE (annex 31B), which is for all
 * priorities. All numbers are big endian.
 *
 *   bytes  0  6   destination 01:80:c2:00:00:01, never forwarded by a bridge
 *          6  6   source
 *         12  2   EtherType 0x8808, MAC control
 *         14  2   opcode 0x0101       | 0x0001
 *         16  2   class-enable vector | quanta
 *         18 16   quanta by priority  |
 *         34 26   zero
 */
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "fsm.h"

#define OPCODE_PAUSE	0x0001
#define OPCODE_PFC	0x0101
#define PAUSE_BODY	4

static u32 frame_get16(const u8 *bytes)
{
	return bytes[0] << 8 | bytes[1];
}

static void frame_put16(u8 *bytes, u32 n)
{
	bytes[0] = n >> 8;
	bytes[1] = n;
}

static void frame_decode_pause(const u8 *body, struct rf_pfc_frame *pfc)
{
	u32 i;

	pfc->prios = U8_MAX;
	pfc->reserved = false;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc->quanta[i] = frame_get16(body + 2);
}

static void frame_decode_pfc(const u8 *body, struct rf_pfc_frame *pfc)
{
	u32 i;

	pfc->prios = body[3];
	pfc->reserved = body[2];
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		pfc->quanta[i] = frame_get16(body + 4 + 2 * i);
}

/**
 * rf_pfc_decode - parse a pause frame
 * @body: the bytes after the EtherType
 * @len: their number, padding included
 * @pfc: filled in; reserved bits have no other effect (31D.3)
 *
 * Return: false if it is too short or no pause frame; @pfc is not changed then.
 */
bool rf_pfc_decode(const u8 *body, u32 len, struct rf_pfc_frame *pfc)
{
	if (len >= PAUSE_BODY && frame_get16(body) == OPCODE_PAUSE)
		frame_decode_pause(body, pfc);
	else if (len >= RF_PFC_BODY_LEN && frame_get16(body) == OPCODE_PFC)
		frame_decode_pfc(body, pfc);
	else
		return false;
	return true;
}

/* The group address of MAC control frames, which no bridge forwards (31B.1) */
const u8 rf_pfc_group[6] = {
	0x01, 0x80, 0xc2, 0x00, 0x00, 0x01
};

/**
 * rf_pfc_encode - write a PFC frame
 * @frame: filled in, without FCS
 * @source: MAC address of the sender
 * @pfc: the contents; the pause times of priorities not in @pfc->prios are written
 *	as 0
 */
void rf_pfc_encode(u8 frame[RF_PFC_FRAME_LEN], const u8 source[6],
		   const struct rf_pfc_frame *pfc)
{
	u32 i;

	memset(frame, 0, RF_PFC_FRAME_LEN);
	memcpy(frame, rf_pfc_group, sizeof(rf_pfc_group));
	memcpy(frame + 6, source, 6);
	frame_put16(frame + 12, 0x8808);
	frame_put16(frame + 14, OPCODE_PFC);
	frame_put16(frame + 16, pfc->prios);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (pfc->prios & BIT_ULL(i))
			frame_put16(frame + 18 + 2 * i, pfc->quanta[i]);
}
