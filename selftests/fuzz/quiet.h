/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tools' libraries want of their program: its name, and rf_err(), of
 * which the last line and the number of lines are kept.
 */
#ifndef RF_FUZZ_QUIET_H
#define RF_FUZZ_QUIET_H

#include "err.h"
#include "fuzz.h"

const char *rf_progname = "fuzz";
bool rf_json;
static char quiet_said[2048];
static unsigned int quiet_lines;

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(quiet_said, sizeof(quiet_said), fmt, ap);
	va_end(ap);
	quiet_lines++;
}

static inline void quiet_start(void)
{
	quiet_lines = 0;
	quiet_said[0] = '\0';
}

#endif
