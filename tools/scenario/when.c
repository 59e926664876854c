// SPDX-License-Identifier: GPL-2.0
/*
 * Moments and spans of a case: "step 20" and "5 steps", or times with their
 * units.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "units.h"

/**
 * rf_moment_parse - a moment of the job
 * @text: "step N", or a time
 * @clock: gets which of them
 * @v: gets the step, or nanoseconds
 *
 * Return: 0, or -EINVAL.
 */
int rf_moment_parse(const char *text, enum rf_clock *clock, uint64_t *v)
{
	uint32_t step;

	*clock = RF_CLOCK_TIME;
	if (strncmp(text, "step ", 5))
		return rf_parse_time(text, v);
	*clock = RF_CLOCK_STEP;
	if (rf_parse_u32(text + 5 + strspn(text + 5, " "), &step) || !step)
		return -EINVAL;
	*v = step;
	return 0;
}

/**
 * rf_span_parse - how long something lasts
 * @text: "N steps", "1 step", or a time
 * @clock: gets which of them
 * @v: gets the number of steps, or nanoseconds; not 0
 *
 * Return: 0, or -EINVAL.
 */
int rf_span_parse(const char *text, enum rf_clock *clock, uint64_t *v)
{
	size_t len = strcspn(text, " ");
	const char *unit = text + len + strspn(text + len, " ");
	char number[16];
	uint32_t steps;

	*clock = RF_CLOCK_TIME;
	if (!*unit)
		return rf_parse_time(text, v) || !*v ? -EINVAL : 0;
	*clock = RF_CLOCK_STEP;
	snprintf(number, sizeof(number), "%.*s", (int)len, text);
	if (len >= sizeof(number) || rf_parse_u32(number, &steps) || !steps ||
	    (strcmp(unit, "steps") && strcmp(unit, "step")))
		return -EINVAL;
	*v = steps;
	return 0;
}

/**
 * rf_fault_over - when is a fault over?
 * @f: the fault
 * @begin: when it was put in place, in nanoseconds
 * @end: when it was taken back; 0: it wasn't
 *
 * A storm that was asked for "for 600ms" ends by itself.
 *
 * Return: nanoseconds; 0: it stayed to the end of its case.
 */
uint64_t rf_fault_over(const struct rf_fault *f, uint64_t begin, uint64_t end)
{
	uint64_t own = begin + f->storm.duration;

	if (f->deed != RF_DEED_STORM || !f->storm.duration)
		return end;
	return end && end < own ? end : own;
}
