/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print the results of a unit test as TAP: one line per assertion, and the plan at the end.
 * The exit status is 1 if an assertion failed.
 */
#ifndef UNIT_TAP_H
#define UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_tests, tap_failures;

__attribute__((format(printf, 2, 3)))
static inline void ok(bool good, const char *fmt, ...)
{
	va_list ap;

	tap_tests++;
	tap_failures += !good;
	printf("%sok %d - ", good ? "" : "not ", tap_tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

static inline int done_testing(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures != 0;
}

#endif
