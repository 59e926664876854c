// SPDX-License-Identifier: GPL-2.0
/*
 * The text of an error. The text is allocated, because it can contain a value of any length
 * from the command line. The next error frees the text. Before that, the caller must use
 * the text: print it, or make it part of a longer text.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

/**
 * rf_why_vrefuse - set the text of an error
 * @why: gets the text
 * @fmt: printf format of one line, without a newline
 * @ap: arguments of @fmt; the current text of @why can be one of them
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
 * rf_why_refuse - set the text of an error
 * @why: gets the text
 * @fmt: printf format of "object value: what is wrong; valid form"
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

static bool is_number(const char *s, size_t len)
{
	return len && strspn(s, "0123456789") >= len;
}

/* Check whether @value is a number in the range of @form, which begins with "MIN to MAX". */
static bool is_within(const char *value, const char *form)
{
	unsigned long long v, min, max;
	char *end;

	errno = 0;
	v = strtoull(value, NULL, 10);
	min = strtoull(form, &end, 10);
	if (strncmp(end, " to ", 4))
		return false;
	max = strtoull(end + 4, NULL, 0);
	return !errno && v >= min && v <= max;
}

/* Return: what is wrong with @value, compared with its valid form @form */
static const char *problem(const char *value, const char *form)
{
	size_t first;

	if (!strncmp(form, "none or ", 8))
		form += 8;
	first = strcspn(form, " ,");
	if (!*value)
		return "empty";
	if (!is_number(value, strlen(value)) || !isdigit((unsigned char)form[0]))
		return "invalid";
	if (is_number(form, first))
		return is_within(value, form) ? "invalid" : "out of range";
	return form[first - 1] == '%' ? "out of range" : "unit missing";
}

static bool is_plain(const char *s)
{
	for (; isalnum((unsigned char)*s) || (*s && strchr("._:/+%-,", *s)); s++)
		;
	return !*s;
}

/**
 * rf_why_value - set the text of an error about a value
 * @why: gets the text
 * @name: the word that the value belongs to
 * @value: the value; NULL: it is missing
 * @form: the valid form, for example "1 to 65535"
 *
 * Return: -EINVAL.
 */
int rf_why_value(struct rf_why *why, const char *name, const char *value,
		 const char *form)
{
	const char *quote = value && *value && is_plain(value) ? "" : "\"";

	if (!value)
		return rf_why_refuse(why, "%s: value missing; %s", name, form);
	return rf_why_refuse(why, "%s %s%s%s: %s; %s", name, quote, value, quote,
			     problem(value, form), form);
}
