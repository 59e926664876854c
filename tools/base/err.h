/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Error messages: one line on stderr, "object value: what is wrong; valid form".
 * With --json the line is an object, {"error": "..."}.
 */
#ifndef RF_ERR_H
#define RF_ERR_H

#include <stdbool.h>

extern const char *rf_progname;	/* printed before the message */
extern bool rf_json;		/* true with --json: print errors and results as JSON */

void rf_err(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rf_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
