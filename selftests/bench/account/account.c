// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's emulator for scripts/bench --account: count how often each block of
 * instructions is executed while driver/rfbench.c measures a frame.
 *
 *   qemu-system-x86_64 -plugin account.so,out=FILE
 *
 * The driver executes magic NOPs: nopl 0x5246000N(%rax).
 *
 *   N = 1   the measurement of a frame or a burst begins
 *   N = 2   it ends
 *   N = 3   the measurement that has ended is not valid
 *   N = 4   a series of measurements begins
 *   N = 5   it ends; its counts are written to FILE
 *
 * FILE has one section per series: a line "series NUMBER MEASUREMENTS", then for each block
 * "ADDRESS INSTRUCTIONS COUNT". The blocks of a measurement are kept in a list until it is
 * known whether the measurement is valid. The block with the mark 2 is not counted, because
 * it begins after the driver has read the clock.
 */
#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

#define BUCKETS 65536
#define NOP_LEN 7

/* nopl 0x5246000N(%rax) without its last four bytes, and those with N = 0 */
static const uint8_t nop[] = { 0x0f, 0x1f, 0x80 };
static const uint8_t magic[] = { 0x00, 0x46, 0x52 };

struct block {
	struct block *next;
	uint64_t address;
	uint64_t instructions;
	uint64_t count;
};

int qemu_plugin_version = PLUGIN_API;

static struct block *table[BUCKETS];
static FILE *out;
static bool on, ended;
static struct block **executed;
static size_t executed_number, executed_size;
static unsigned long series, valid;

static struct block *block_of(uint64_t address, uint64_t instructions)
{
	struct block **bucket = &table[address / 2 % BUCKETS];
	struct block *block;

	for (block = *bucket; block; block = block->next)
		if (block->address == address &&
		    block->instructions == instructions)
			return block;
	block = calloc(1, sizeof(*block));
	if (!block)
		err(1, "account");
	*block = (struct block){ *bucket, address, instructions, 0 };
	*bucket = block;
	return block;
}

static void block_executed(unsigned int cpu, void *data)
{
	(void)cpu;
	if (!on)
		return;
	if (executed_number == executed_size) {
		executed_size = executed_size ? 2 * executed_size : 4096;
		executed = realloc(executed, executed_size * sizeof(*executed));
		if (!executed)
			err(1, "account");
	}
	executed[executed_number++] = data;
}

/* Add the blocks of the measurement that has ended, unless it is not valid. */
static void add_executed(void)
{
	size_t i;

	if (!ended)
		return;
	ended = false;
	for (i = 0; i + 1 < executed_number; i++)
		executed[i]->count++;
	valid++;
}

static void series_begins(void)
{
	struct block *block;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		for (block = table[i]; block; block = block->next)
			block->count = 0;
	series++;
	valid = 0;
	ended = false;
}

static void series_ends(void)
{
	struct block *block;
	size_t i;

	fprintf(out, "series %lu %lu\n", series, valid);
	for (i = 0; i < BUCKETS; i++)
		for (block = table[i]; block; block = block->next)
			if (block->count)
				fprintf(out, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
					block->address, block->instructions,
					block->count);
	fflush(out);
}

static void mark_executed(unsigned int cpu, void *data)
{
	(void)cpu;
	switch ((uintptr_t)data) {
	case 1:
		add_executed();
		on = true;
		executed_number = 0;
		break;
	case 2:
		on = false;
		ended = true;
		break;
	case 3:
		ended = false;
		break;
	case 4:
		series_begins();
		break;
	case 5:
		add_executed();
		series_ends();
		break;
	}
}

/* Return: N of the mark, or 0 if the instruction is not a mark. */
static uintptr_t mark_of(const struct qemu_plugin_insn *insn)
{
	const uint8_t *bytes;

	if (qemu_plugin_insn_size(insn) != NOP_LEN)
		return 0;
#if PLUGIN_API >= 4
	uint8_t copy[NOP_LEN];

	qemu_plugin_insn_data(insn, copy, NOP_LEN);
	bytes = copy;
#else
	bytes = qemu_plugin_insn_data(insn);
#endif
	if (memcmp(bytes, nop, sizeof(nop)) ||
	    memcmp(bytes + 4, magic, sizeof(magic)))
		return 0;
	return bytes[3];
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t number = qemu_plugin_tb_n_insns(tb), i;
	struct qemu_plugin_insn *insn;
	uintptr_t mark;

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, block_executed, PLUGIN_NO_REGS,
					     block_of(qemu_plugin_tb_vaddr(tb), number));
	for (i = 0; i < number; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		mark = mark_of(insn);
		if (mark)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark_executed,
							       PLUGIN_NO_REGS,
							       (void *)mark);
	}
}

int qemu_plugin_install(uint64_t id, const struct plugin_info *info, int argc,
			char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		warnx("account: out=FILE missing");
		return 1;
	}
	out = fopen(argv[0] + 4, "w");
	if (!out) {
		warn("account: %s", argv[0] + 4);
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
