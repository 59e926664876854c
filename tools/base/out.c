// SPDX-License-Identifier: GPL-2.0
/*
 * Print results as text or JSON. Text is printed at once. JSON is stored and printed at
 * the end, so that incomplete JSON is never printed after an error.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <json-c/json.h>

#include "err.h"
#include "json.h"
#include "out.h"

#define DEPTH_MAX 8

static struct json_object *stack[DEPTH_MAX];
static int depth;		/* nesting depth of the innermost open object or array */

static void begin_root(struct json_object *root)
{
	depth = 0;
	stack[0] = root;
}

/**
 * rf_out_begin_object - begin a result that is one object
 */
void rf_out_begin_object(void)
{
	if (rf_json)
		begin_root(json_object_new_object());
}

/**
 * rf_out_begin_array - begin a result that is an array
 */
void rf_out_begin_array(void)
{
	if (rf_json)
		begin_root(json_object_new_array());
}

/**
 * rf_out_end - end the result; with --json, print the whole result
 */
void rf_out_end(void)
{
	if (rf_json && stack[0]) {
		puts(json_object_to_json_string_ext(stack[0], JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(stack[0]);
		stack[0] = NULL;
	}
	fflush(stdout);
}

static void add_value(const char *key, struct json_object *v)
{
	struct json_object *in = stack[depth];

	if (json_object_is_type(in, json_type_array))
		json_object_array_add(in, v);
	else
		json_object_object_add(in, key, v);
}

static void push_value(const char *key, struct json_object *v)
{
	add_value(key, v);
	if (depth + 1 < DEPTH_MAX)
		stack[++depth] = v;
}

/**
 * rf_out_push_object - begin an object inside the innermost open object or array
 * @key: key of the object; NULL inside an array
 */
void rf_out_push_object(const char *key)
{
	if (rf_json)
		push_value(key, json_object_new_object());
}

/**
 * rf_out_push_array - begin an array inside the innermost open object or array
 * @key: key of the array; NULL inside an array
 */
void rf_out_push_array(const char *key)
{
	if (rf_json)
		push_value(key, json_object_new_array());
}

/**
 * rf_out_pop - end the innermost open object or array
 */
void rf_out_pop(void)
{
	if (rf_json && depth > 0)
		depth--;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

/**
 * rf_out_str - print a string or, with --json, add it to the result
 * @key: key in JSON; NULL inside an array
 * @fmt: printf format with one %s; NULL: text output does not show the value
 * @v: the string
 */
void rf_out_str(const char *key, const char *fmt, const char *v)
{
	if (rf_json)
		add_value(key, rf_json_text(v));
	else if (fmt)
		printf(fmt, v);
}

/**
 * rf_out_u64 - print an integer or, with --json, add it to the result
 * @key: key in JSON
 * @fmt: printf format with one PRIu64; NULL: text output does not show the value
 * @v: the number
 */
void rf_out_u64(const char *key, const char *fmt, uint64_t v)
{
	if (rf_json)
		add_value(key, json_object_new_uint64(v));
	else if (fmt)
		printf(fmt, v);
}

#pragma GCC diagnostic pop

/**
 * rf_out_real - add a number with a fraction in JSON; text output does not show it
 * @key: key in JSON
 * @v: the number
 */
void rf_out_real(const char *key, double v)
{
	char text[32];

	if (!rf_json)
		return;
	/* With its default format, json-c would print 11.199999999999999 for 11.2. */
	snprintf(text, sizeof(text), "%.12g", v);
	add_value(key, json_object_new_double_s(v, text));
}

/**
 * rf_out_fraction - add a probability as a number in JSON; text output does not show it
 * @key: key in JSON
 * @p: the probability in units of 10^-12; written without rounding
 */
void rf_out_fraction(const char *key, uint64_t p)
{
	const uint64_t one = UINT64_C(1000000000000);
	char text[32], *end;

	if (!rf_json)
		return;
	snprintf(text, sizeof(text), "%" PRIu64 ".%012" PRIu64, p / one,
		 p % one);
	for (end = text + strlen(text); end[-1] == '0' && end[-2] != '.'; end--)
		;
	*end = '\0';
	add_value(key, json_object_new_double_s((double)p / one, text));
}

/**
 * rf_out_bool - print a boolean or, with --json, add it to the result
 * @key: key in JSON
 * @text: text to print if @v is true; NULL: text output does not show the value
 * @v: the value
 */
void rf_out_bool(const char *key, const char *text, bool v)
{
	if (rf_json)
		add_value(key, json_object_new_boolean(v));
	else if (text && v)
		fputs(text, stdout);
}

/**
 * rf_out_null - add null in JSON; text output does not show it
 * @key: key in JSON
 */
void rf_out_null(const char *key)
{
	if (rf_json)
		add_value(key, NULL);
}

/**
 * rf_out_text - print text; does nothing with --json
 * @fmt: printf format
 */
void rf_out_text(const char *fmt, ...)
{
	va_list ap;

	if (rf_json)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

bool rf_quiet;

/**
 * rf_out_done - print what a command did
 * @fmt: printf format of one line, without a newline
 *
 * With --quiet or --json, nothing is printed; the exit status shows the success.
 */
void rf_out_done(const char *fmt, ...)
{
	va_list ap;

	if (rf_json || rf_quiet)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

/**
 * rf_out_failed - check the writes to stdout
 *
 * A failed write to a pipe whose reader has exited does not count.
 *
 * Return: true if any write until now failed.
 */
bool rf_out_failed(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	if (!fflush(stdout) && !ferror(stdout))
		return false;
	return poll(&out, 1, 0) < 0 || !(out.revents & (POLLERR | POLLHUP));
}
