// SPDX-License-Identifier: GPL-2.0
/*
 * Show on standard error what a command waits for. The line appears after one second. If
 * the wait is shorter, nothing is printed. rf_waiting_end() removes the line.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "err.h"
#include "host.h"

#define DELAY_MS 1000
#define INTERVAL_MS 100		/* between updates */

bool rf_waiting_shown;
static uint64_t begun, printed;	/* times; 0: not yet */

/**
 * rf_waiting - show what a command waits for
 * @fmt: printf format of the line
 */
void rf_waiting(const char *fmt, ...)
{
	uint64_t now;
	va_list ap;

	if (!rf_waiting_shown)
		return;
	now = rf_now_ns() / 1000000;
	if (!begun)
		begun = now;
	if (now - begun < DELAY_MS || (printed && now - printed < INTERVAL_MS))
		return;
	printed = now;
	fputs("\r\033[K", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fflush(stderr);
}

/**
 * rf_waiting_end - remove the line
 */
void rf_waiting_end(void)
{
	if (printed)
		fputs("\r\033[K", stderr);
	begun = 0;
	printed = 0;
}
