// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the names of opcodes: the name of each known opcode must be parsed as this opcode
 * again.
 */
#include "fuzz.h"

#include "../../kmod/rocev2/opcode.c"

static void number(uint8_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);

	if (!op)
		return;
	must(op->hdrlen >= BTH && op->classes && op->name);
	must(!op->aeth || op->aeth + AETH <= op->hdrlen);
	must(rf_opcode_by_name(op->name) == opcode);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = fuzz_text(data, size);
	int opcode = rf_opcode_by_name(name);

	must(opcode >= -1 && opcode < 256);
	if (opcode >= 0)
		must(rf_opcode(opcode) && !strcmp(rf_opcode(opcode)->name, name));
	if (size)
		number(data[0]);
	free(name);
	return 0;
}
