// SPDX-License-Identifier: GPL-2.0
/*
 * The board.
 *
 * The launcher maps it before it starts the ranks, one struct cp_state each,
 * and the ranks write to it as they go. So the launcher knows in which step a
 * rank was that got killed, the timeline survives it, and a step costs no
 * system call for reporting. Pages that no rank writes are never allocated.
 *
 * What is pointed to from here (doing) is a constant string: the ranks are forked
 * from the launcher, so the pointers mean the same in both.
 *
 * Ranks that others start have a board each. See collect.c.
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
 * cp_board_create() - map the board
 * @ranks: how many write to it
 * @records_each: room for the steps of one rank, or 0
 *
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
 * cp_exit_status() - the exit status of a rank
 * @status: how the rank ended
 *
 * Return: the exit status.
 */
enum rf_exit cp_exit_status(enum cp_status status)
{
	switch (status) {
	case CP_OK:
		return RF_EXIT_OK;
	case CP_WRONG:
		return RF_EXIT_FAILED;
	case CP_USAGE:
		return RF_EXIT_NO_RESULT;
	case CP_FAILED:
	case CP_LOST_PEER:
		break;
	case CP_ENDED:
		return RF_EXIT_ABORTED;
	}
	return RF_EXIT_INCOMPLETE;
}

/**
 * cp_fail() - note why this rank fails; the first reason stays
 * @st: its part of the board
 * @status: CP_FAILED or a later status
 * @fmt: the reason, one line
 *
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

/**
 * cp_at() - note what this rank is at
 * @st: its part of the board
 * @doing: a constant string
 * @phase: which part of @doing
 * @phases: of how many; 0: there are none
 */
void cp_at(struct cp_state *st, const char *doing, uint32_t phase,
	   uint32_t phases)
{
	st->doing = doing;
	st->phase = phase;
	st->phases = phases;
}

/**
 * cp_who() - a rank in words: its number, its device, its machine
 * @st: its part of the board
 * @rank: its number
 * @buf: where the words go
 * @len: room
 *
 * Return: @buf.
 */
const char *cp_who(const struct cp_state *st, int rank, char *buf, size_t len)
{
	const char *device = st->device[0] ? st->device : "no device";

	if (st->host[0])
		snprintf(buf, len, "rank %d (%s on %s)", rank, device, st->host);
	else
		snprintf(buf, len, "rank %d (%s)", rank, device);
	return buf;
}

/**
 * cp_where() - step, phase and chunk in words
 * @st: a rank's part of the board
 * @buf: where the words go
 * @len: room
 *
 * Return: @buf.
 */
const char *cp_where(const struct cp_state *st, char *buf, size_t len)
{
	const char *doing = st->doing ? st->doing : "start";
	int n = 0;

	if (st->step)
		n = snprintf(buf, len, "step %u, ", st->step);
	if (st->phases)
		snprintf(buf + n, len - (size_t)n,
			 "%s, phase %u of %u, chunk at element %llu", doing,
			 st->phase, st->phases, (unsigned long long)st->element);
	else
		snprintf(buf + n, len - (size_t)n, "%s", doing);
	return buf;
}

/**
 * cp_board_record() - add a measured step, if a timeline is wanted
 * @st: the rank's part of the board
 * @rec: the step
 */
void cp_board_record(struct cp_state *st, const struct cp_record *rec)
{
	if (st->n_records < st->max_records)
		st->records[st->n_records++] = *rec;
}
