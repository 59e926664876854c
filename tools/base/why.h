/* SPDX-License-Identifier: GPL-2.0 */
/* The text of an error: one line, of any length, that says why something was refused */
#ifndef RF_WHY_H
#define RF_WHY_H

#include <stdarg.h>

/* @text: the text of the error, valid until the next error; NULL: no error */
struct rf_why {
	const char *text;
};

int rf_why_refuse(struct rf_why *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int rf_why_value(struct rf_why *why, const char *name, const char *value,
		 const char *form);
int rf_why_vrefuse(struct rf_why *why, const char *fmt, va_list ap);

#endif
