// SPDX-License-Identifier: GPL-2.0
/*
 * The board.
 *
 * The launcher maps it before it starts the ranks, one struct cp_state each,
 * and the ranks write to it as they go. So the launcher knows in which step a
 * rank was that got killed, the timeline survives it, and a step costs no
 * system call for reporting. Pages that no rank writes are never allocated.
 *
 * Strings that are pointed to from here (doing, dir) are constants: the ranks
 * are forked from the launcher, so the pointers mean the same in both.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "board.h"
#include "clock.h"

static void *shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/**
 * cp_board_create() - map the board for @ranks ranks
 * @records_each: room for the steps of one rank, or 0
 * Return: an array of @ranks states, or NULL without memory.
 */
struct cp_state *cp_board_create(int ranks, uint64_t records_each)
{
	size_t n = (size_t)ranks;
	struct cp_state *board = shared(n * sizeof(*board));
	struct cp_record *records = NULL;

	if (board && records_each)
		records = shared(n * records_each * sizeof(*records));
	if (!board || (records_each && !records))
		return NULL;
	for (size_t r = 0; records && r < n; r++) {
		board[r].records = records + r * records_each;
		board[r].max_records = records_each;
	}
	return board;
}

/**
 * cp_fail() - note why this rank fails; the first reason stays
 * Return: -EIO, for the caller to pass on.
 */
int cp_fail(struct cp_state *st, enum cp_status status, const char *fmt, ...)
{
	va_list ap;

	if (st->status >= CP_FAILED)
		return -EIO;
	va_start(ap, fmt);
	vsnprintf(st->error, sizeof(st->error), fmt, ap);
	va_end(ap);
	st->failed_ns = cp_now();
	st->status = status;
	return -EIO;
}

/** cp_at() - note what this rank is at */
void cp_at(struct cp_state *st, const char *doing, uint32_t phase,
	   uint32_t phases)
{
	st->doing = doing;
	st->phase = phase;
	st->phases = phases;
}

/** cp_where() - step and phase in words */
const char *cp_where(const struct cp_state *st, char *buf, size_t len)
{
	const char *doing = st->doing ? st->doing : "start";

	if (st->step && st->phases)
		snprintf(buf, len, "step %u, %s, phase %u of %u", st->step,
			 doing, st->phase, st->phases);
	else if (st->phases)
		snprintf(buf, len, "%s, phase %u of %u", doing, st->phase,
			 st->phases);
	else if (st->step)
		snprintf(buf, len, "step %u, %s", st->step, doing);
	else
		snprintf(buf, len, "%s", doing);
	return buf;
}

/** cp_board_record() - add a measured step, if a timeline is wanted */
void cp_board_record(struct cp_state *st, const struct cp_record *rec)
{
	if (st->n_records < st->max_records)
		st->records[st->n_records++] = *rec;
}
