// SPDX-License-Identifier: GPL-2.0
/*
 * The status page, which the ranks share with the launcher.
 *
 * The launcher maps it before it starts the ranks, with one struct coll_state per
 * rank, and each rank writes its state there. If a rank is killed, the launcher
 * still has its step and its timeline. Reporting a step needs no system call.
 * Memory that no rank writes to is not allocated.
 *
 * @doing points to a constant string. The pointer is valid in the launcher,
 * because the ranks are forked from it.
 *
 * Ranks that another launcher starts have a separate status page each, see
 * collect.c.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "ranks.h"

static void *shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/**
 * coll_status_page_create() - map the status page
 * @ranks: number of ranks
 * @records_each: maximum number of recorded steps per rank, or 0
 *
 * Return: an array of @ranks states, or NULL if out of memory.
 */
struct coll_state *coll_status_page_create(int ranks, uint64_t records_each)
{
	size_t n = (size_t)ranks;
	struct coll_state *states = shared(n * sizeof(*states));
	struct coll_record *records = NULL;
	struct coll_wait *waits = NULL;

	if (states && records_each) {
		records = shared(n * records_each * sizeof(*records));
		waits = shared(n * COLL_WAITS_MAX * sizeof(*waits));
	}
	if (!states || (records_each && (!records || !waits)))
		return NULL;
	for (size_t r = 0; records && r < n; r++) {
		states[r].records = records + r * records_each;
		states[r].max_records = records_each;
		states[r].waits = waits + r * COLL_WAITS_MAX;
		states[r].wait_least_ns = COLL_WAIT_LEAST_NS;
	}
	return states;
}

/**
 * coll_exit_status() - convert the status of a rank to an exit status
 * @status: how the rank ended
 *
 * Return: the exit status.
 */
enum rf_exit coll_exit_status(enum coll_status status)
{
	switch (status) {
	case COLL_OK:
		return RF_EXIT_OK;
	case COLL_WRONG:
		return RF_EXIT_FAILED;
	case COLL_USAGE:
		return RF_EXIT_NO_RESULT;
	case COLL_FAILED:
	case COLL_LOST_PEER:
		break;
	case COLL_ENDED:
		return RF_EXIT_ABORTED;
	}
	return RF_EXIT_INCOMPLETE;
}

/**
 * coll_fail() - record why this rank fails; if a reason is already recorded, keep it
 * @st: state of the rank
 * @status: COLL_FAILED or a higher value
 * @fmt: the reason, one line
 *
 * Return: -EIO, for the caller to pass on.
 */
int coll_fail(struct coll_state *st, enum coll_status status, const char *fmt, ...)
{
	va_list ap;

	if (st->status >= COLL_FAILED)
		return -EIO;
	va_start(ap, fmt);
	vsnprintf(st->error, sizeof(st->error), fmt, ap);
	va_end(ap);
	st->failed_ns = rf_now_ns();
	st->status = status;
	return -EIO;
}

/**
 * coll_at() - record what this rank is doing
 * @st: state of the rank
 * @doing: the activity, a constant string
 * @phase: number of the current phase
 * @phases: number of phases; 0: none
 */
void coll_at(struct coll_state *st, const char *doing, uint32_t phase,
	     uint32_t phases)
{
	st->doing = doing;
	st->phase = phase;
	st->phases = phases;
}

/**
 * coll_devices_text() - format the names of a rank's devices, separated by commas
 * @st: state of the rank
 * @buf: gets the text
 * @len: size of @buf
 *
 * Return: @buf.
 */
const char *coll_devices_text(const struct coll_state *st, char *buf, size_t len)
{
	size_t used = 0;

	snprintf(buf, len, "no device");
	for (uint32_t i = 0; i < st->rails && st->rail[i].name[0] && used < len; i++)
		used += (size_t)snprintf(buf + used, len - used, "%s%s", i ? "," : "",
					 st->rail[i].name);
	return buf;
}

/**
 * coll_rank_name() - format the number, devices and machine of a rank
 * @st: state of the rank
 * @rank: number of the rank
 * @buf: gets the text
 * @len: size of @buf
 *
 * Return: @buf.
 */
const char *coll_rank_name(const struct coll_state *st, int rank, char *buf, size_t len)
{
	char devices[COLL_RAILS_MAX * COLL_NAME_LEN];

	coll_devices_text(st, devices, sizeof(devices));
	if (st->host[0])
		snprintf(buf, len, "rank %d (%s on %s)", rank, devices, st->host);
	else
		snprintf(buf, len, "rank %d (%s)", rank, devices);
	return buf;
}

/**
 * coll_where() - format the step, activity, phase and chunk of a rank
 * @st: state of the rank
 * @buf: gets the text
 * @len: size of @buf
 *
 * Return: @buf.
 */
const char *coll_where(const struct coll_state *st, char *buf, size_t len)
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

static uint64_t wait_ns(const struct coll_wait *wait)
{
	return wait->end_ns - wait->start_ns;
}

/**
 * coll_status_page_wait() - add a wait of the current step if the job has a timeline
 * @st: state of the rank
 * @wait: the wait; the function sets @record
 */
void coll_status_page_wait(struct coll_state *st, struct coll_wait wait)
{
	struct coll_wait *first, *end, *w, *shortest = &wait;

	if (!st->step || st->n_records >= st->max_records)
		return;
	first = st->waits + st->step_waits;
	end = st->waits + st->n_waits;
	wait.record = (uint32_t)st->n_records;
	if (end - first == COLL_WAITS_STEP) {
		st->omitted++;
		for (w = first; w < end; w++)
			if (wait_ns(w) < wait_ns(shortest))
				shortest = w;
		if (shortest == &wait)
			return;
		memmove(shortest, shortest + 1, (size_t)(--end - shortest) * sizeof(*w));
		st->n_waits--;
	}
	*end = wait;
	st->n_waits++;
}

/* From wait number @from on, omit the waits that took less than the minimum, except @longest. */
static void omit_short(struct coll_state *st, uint32_t from, const struct coll_wait *longest)
{
	uint32_t n = from;

	for (const struct coll_wait *w = st->waits + from; w < st->waits + st->n_waits; w++)
		if (w == longest || wait_ns(w) >= st->wait_least_ns)
			st->waits[n++] = *w;
		else
			st->records[w->record].waits_omitted++;
	st->n_waits = n;
}

/*
 * Omit the short waits of the step that has ended. If another step could exceed COLL_WAITS_MAX,
 * double the minimum, also for all earlier steps, until half of the memory is free.
 */
static void end_waits(struct coll_state *st)
{
	const struct coll_wait *longest = st->waits + st->step_waits;

	for (const struct coll_wait *w = longest; w < st->waits + st->n_waits; w++)
		if (wait_ns(w) > wait_ns(longest))
			longest = w;
	omit_short(st, st->step_waits, longest);
	if (st->n_waits > COLL_WAITS_MAX - COLL_WAITS_STEP)
		do {
			st->wait_least_ns *= 2;
			omit_short(st, 0, NULL);
		} while (st->n_waits > COLL_WAITS_MAX / 2);
	st->step_waits = st->n_waits;
	st->omitted = 0;
}

/**
 * coll_status_page_record() - add a measured step if the job has a timeline
 * @st: state of the rank
 * @rec: the step
 */
void coll_status_page_record(struct coll_state *st, const struct coll_record *rec)
{
	struct coll_record *to = &st->records[st->n_records];

	if (st->n_records >= st->max_records)
		return;
	*to = *rec;
	to->waits_omitted = st->omitted;
	st->n_records++;
	end_waits(st);
}
