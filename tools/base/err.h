/* SPDX-License-Identifier: GPL-2.0 */
/* What a program says on stderr, and its exit status */
#ifndef RF_ERR_H
#define RF_ERR_H

#include <stdarg.h>
#include <stdbool.h>

/*
 * The exit statuses of all programs. rdmafault(8) explains them to users. The exit
 * statuses of the scripts are in scripts/lib/common.sh.
 */
enum rf_exit {
	RF_EXIT_OK = 0,			/* done; verdict pass */
	RF_EXIT_FAILED = 1,		/* refused or wrong; verdict fail */
	RF_EXIT_NO_RESULT = 2,		/* nothing was done; verdict broken */
	RF_EXIT_USAGE = RF_EXIT_NO_RESULT,	/* the command line is invalid */
	RF_EXIT_INCOMPLETE = 3,		/* events were lost, or a rank failed */
	RF_EXIT_SKIPPED = 4,		/* the test cannot run on this host */
	RF_EXIT_ABORTED = 99,		/* aborted by SIGINT, SIGTERM or SIGHUP */

	/* Exit statuses for a command that a tool runs for the user; same numbers as in shells */
	RF_EXIT_NOT_EXECUTABLE = 126,
	RF_EXIT_NOT_FOUND = 127,
	RF_EXIT_SIGNAL = 128,		/* plus the signal number */
};

/*
 * err.c: error messages, one line on stderr, "object value: what is wrong; valid form".
 * With --json the line is an object, {"error": "..."}.
 */
extern const char *rf_progname;	/* printed before the message */
extern bool rf_json;		/* true with --json: print errors and results as JSON */

void rf_err(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rf_err_of_machine(const char *host);
void rf_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* why.c: the text of an error: one line, of any length, that says why something was refused */

/* @text: the text of the error, valid until the next error; NULL: no error */
struct rf_why {
	const char *text;
};

int rf_why_refuse(struct rf_why *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int rf_why_value(struct rf_why *why, const char *name, const char *value,
		 const char *form);
int rf_why_vrefuse(struct rf_why *why, const char *fmt, va_list ap);

/* waiting.c: show on the terminal what a command waits for */
extern bool rf_waiting_shown;	/* false by default */

void rf_waiting(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rf_waiting_end(void);

#endif
