/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tools' libraries need some symbols from the program that uses them: its name, and
 * rf_err() and rf_note(), which here store the last message in said[] and noted[].
 */
#ifndef RF_TEST_SAID_H
#define RF_TEST_SAID_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "err.h"

const char *rf_progname = "test";
bool rf_json;
static char said[512] __attribute__((unused)), noted[512] __attribute__((unused));

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

void rf_err_of_machine(const char *host)
{
	(void)host;
}

void rf_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(noted, sizeof(noted), fmt, ap);
	va_end(ap);
}

#endif
