// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the values of the keys "at" and "from", such as "step 20" or "10ms", and of the key
 * "for", such as "5 steps" or "10ms".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "units.h"

/**
 * rf_moment_parse - parse a moment of the job
 * @text: "step N", or a time
 * @clock: set to steps or time
 * @v: the step, or nanoseconds
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
 * rf_span_parse - parse a duration
 * @text: "N steps", "1 step", or a time
 * @clock: set to steps or time
 * @v: the number of steps, or nanoseconds; not 0
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
 * rf_fault_length - get the length of a fault that ends by itself
 * @f: the fault
 *
 * Return: nanoseconds, of a storm or a link that is down "for TIME"; 0: the fault does not end by
 * itself.
 */
uint64_t rf_fault_length(const struct rf_fault *f)
{
	return f->kind == RF_FAULT_STORM ? f->storm.duration :
	       f->kind == RF_FAULT_LINK_DOWN ? f->down_ns : 0;
}

/**
 * rf_fault_over - get the time at which a fault ended
 * @f: the fault
 * @begin: when it was applied, in nanoseconds
 * @end: when it was undone, in nanoseconds; 0: it was not undone
 *
 * A storm with "for TIME" ends after this time, or earlier if it is undone. A link that is down
 * ends when the run has brought it up.
 *
 * Return: nanoseconds; 0 if the fault was active until the end of the case.
 */
uint64_t rf_fault_over(const struct rf_fault *f, uint64_t begin, uint64_t end)
{
	uint64_t own = begin + rf_fault_length(f);

	if (own == begin || (f->kind == RF_FAULT_LINK_DOWN && end))
		return end;
	return end && end < own ? end : own;
}
