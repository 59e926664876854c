// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a refusal. It can hold a value of any length that the user gave,
 * so it is allocated. Only the last one is kept: it is printed, or becomes a
 * part of a longer one, before there is another.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "why.h"

/**
 * rf_why_vrefuse - say what is wrong
 * @why: gets the text
 * @fmt: printf format of one line, without a newline
 * @ap: its arguments, to which the last text can belong
 *
 * Return: -EINVAL.
 */
int rf_why_vrefuse(struct rf_why *why, const char *fmt, va_list ap)
{
	static char *last;
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	free(last);
	last = text;
	why->text = text ? text : "no memory for the reason";
	return -EINVAL;
}

/**
 * rf_why_refuse - say what is wrong
 * @why: gets the text
 * @fmt: printf format: the thing, the legal form, the value given
 *
 * Return: -EINVAL.
 */
int rf_why_refuse(struct rf_why *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	rf_why_vrefuse(why, fmt, ap);
	va_end(ap);
	return -EINVAL;
}
