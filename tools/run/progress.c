// SPDX-License-Identifier: GPL-2.0
/*
 * The progress line of a run. The remaining time is estimated from the steps of this case
 * and from the previous cases. Before the first step, and for a job without steps, the
 * line shows the time until the deadline instead.
 */
#include <stdio.h>

#include "runner.h"

#define SECOND 1000000000ull

/* Estimate the remaining time of this and the following cases. Return: 0 if unknown */
static uint64_t left_ns(const struct rf_progress *p)
{
	uint64_t whole, mean;

	if (!p->step || !p->steps || p->step > p->steps)
		return 0;
	whole = p->ns / p->step * p->steps;
	mean = p->case_number > 1 ? p->done_ns / (p->case_number - 1) : whole;
	return (whole > p->ns ? whole - p->ns : 0) +
	       mean * (p->cases - p->case_number) + 1;
}

/**
 * rf_progress_line - format the progress line of a run
 * @p: the state of the run
 * @buf: the line, without a newline
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_progress_line(const struct rf_progress *p, char *buf, size_t len)
{
	uint64_t left = left_ns(p);
	char steps[48] = "";

	if (p->waits_for)
		snprintf(steps, sizeof(steps), ", %.24s is not ready yet", p->waits_for);
	else if (p->steps)
		snprintf(steps, sizeof(steps), ", step %u of %u", p->step,
			 p->steps);
	snprintf(buf, len, "%s: case %u of %u, %s%s, %s %llu s left", p->name,
		 p->case_number, p->cases, p->label, steps,
		 left ? "about" : "this case has at most",
		 (unsigned long long)((left ? left : p->deadline_ns) +
				      SECOND / 2) / SECOND);
	return buf;
}
