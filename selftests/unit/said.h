/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tools' libraries need some symbols from the program that uses them: its name, and
 * rf_err(), which here stores the last message in said[].
 */
#ifndef RF_TEST_SAID_H
#define RF_TEST_SAID_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "err.h"

const char *rf_progname = "test";
bool rf_json;
static char said[512] __attribute__((unused));

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

#endif
