// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the decoder of the Base Transport Header. The input is a packet from the BTH to the
 * ICRC. The result must depend only on the bytes that the decoder may read, and the lengths
 * must add up to the given length.
 */
#include "fuzz.h"

#include "../../kmod/rocev2/bth.h"
#include "../../kmod/rocev2/opcode.c"

/* Decode a copy of the bytes that the decoder may read; the sanitizer finds accesses
 * beyond its end.
 */
static int decode(const uint8_t *data, size_t size, size_t len,
		  struct rf_desc *desc)
{
	size_t span = size < RF_BTH_SPAN ? size : RF_BTH_SPAN;
	uint8_t *copy = malloc(span ? span : 1);
	const struct rf_opcode *op = NULL;

	must(copy);
	if (span)
		memcpy(copy, data, span);
	if (len >= RF_BTH_SPAN)
		op = rf_bth_opcode(copy, len);
	if (op)
		rf_bth_read(copy, op, len, desc);
	free(copy);
	return op ? 0 : -1;
}

static bool is_one_bit(uint32_t v)
{
	return v && !(v & (v - 1));
}

static void look_at(const struct rf_desc *d, const uint8_t *data, size_t len)
{
	const struct rf_opcode *op = rf_opcode(d->opcode);

	must(op && d->opcode == data[0] && op->hdrlen == d->headers);
	must(d->headers + d->pad + RF_ICRC_LEN + d->payload == len);
	must(d->qp <= RF_PSN_MASK && d->psn <= RF_PSN_MASK && d->pad < 4);
	must(is_one_bit(d->classes));
	must(!d->position || is_one_bit(d->position));
	must(d->has_aeth || !d->syndrome);
	must((d->qp == RF_QP_GSI) == (d->classes == RDMAFAULT_CLASS_CM));
	must(!d->attempt && !d->flow);	/* not set by the decoder */
}

/* A packet that lacks only the last byte of its headers must be refused. */
static void cut(const uint8_t *data, size_t size, size_t len)
{
	struct rf_desc d, shorter;
	size_t need;

	must(!decode(data, size, len, &d));
	need = len - d.payload;
	must(!decode(data, need < size ? need : size, need, &shorter));
	must(!shorter.payload && shorter.psn == d.psn);
	must(decode(data, need - 1 < size ? need - 1 : size, need - 1, &d));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_desc desc, again, before;

	memset(&before, 0x5a, sizeof(before));
	memcpy(&desc, &before, sizeof(desc));
	memcpy(&again, &before, sizeof(again));
	if (decode(data, size, size, &desc)) {
		must(!memcmp(&desc, &before, sizeof(desc)));
		return 0;
	}
	look_at(&desc, data, size);
	/*
	 * Decode the whole input: the bytes that the decoder may not read must not
	 * change the result.
	 */
	rf_bth_read(data, rf_bth_opcode(data, size), size, &again);
	must(!memcmp(&desc, &again, sizeof(desc)));
	cut(data, size, size);
	return 0;
}
