/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a program that the tools' libraries need: its name, rf_err() and
 * rf_note(). This rf_err() stores the last line and counts the lines.
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

void rf_err_of_machine(const char *host)
{
	(void)host;
}

void rf_note(const char *fmt, ...)
{
	(void)fmt;
}

static inline void quiet_start(void)
{
	quiet_lines = 0;
	quiet_said[0] = '\0';
}

#endif
