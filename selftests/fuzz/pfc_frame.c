// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the decoder of pause frames. The input is the bytes after the EtherType. If a
 * decoded frame is encoded and decoded again, the result must be the same.
 */
#include "fuzz.h"

#include "../../kmod/pfc/frame.c"

#define HEADER 14

static void round_trip(const struct rf_pfc_frame *pfc)
{
	static const uint8_t source[6] = { 2, 0, 0, 0, 0, 1 };
	uint8_t frame[RF_PFC_FRAME_LEN];
	struct rf_pfc_frame again;
	unsigned int i;

	rf_pfc_encode(frame, source, pfc);
	must(!memcmp(frame + 6, source, sizeof(source)));
	must(rf_pfc_decode(frame + HEADER, sizeof(frame) - HEADER, &again));
	must(again.prios == pfc->prios && !again.reserved);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		must(again.quanta[i] ==
		     (pfc->prios >> i & 1 ? pfc->quanta[i] : 0));
}

/* Without the padding the result must be the same. */
static void cut(const uint8_t *data, size_t size, const struct rf_pfc_frame *pfc)
{
	uint8_t body[RF_PFC_BODY_LEN];
	struct rf_pfc_frame again;

	if (size < sizeof(body))
		return;
	memcpy(body, data, sizeof(body));
	memset(&again, 0x5a, sizeof(again));
	must(rf_pfc_decode(body, sizeof(body), &again));
	must(again.prios == pfc->prios && again.reserved == pfc->reserved);
	must(!memcmp(again.quanta, pfc->quanta, sizeof(again.quanta)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_pfc_frame pfc, before;

	memset(&pfc, 0x5a, sizeof(pfc));
	pfc.reserved = false;
	before = pfc;
	if (!rf_pfc_decode(data, size, &pfc)) {
		must(!memcmp(&pfc, &before, sizeof(pfc)));
		return 0;
	}
	round_trip(&pfc);
	cut(data, size, &pfc);
	return 0;
}
