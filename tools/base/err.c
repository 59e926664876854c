// SPDX-License-Identifier: GPL-2.0
/*
 * Errors and notes: a line of text on stderr or, with --json, an object. Only results go
 * to stdout, so that another program can read them from a pipe.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <json-c/json.h>

#include "err.h"
#include "json.h"
#include "text.h"

const char *rf_progname = "rdmafault";
bool rf_json;

static char machine[64];		/* "": the command runs on one machine only */

/**
 * rf_err_of_machine - from now on, name this machine in each message
 * @host: its name
 */
void rf_err_of_machine(const char *host)
{
	snprintf(machine, sizeof(machine), "%s", host);
}

static void say_json(const char *key, const char *text)
{
	struct json_object *obj = json_object_new_object();

	if (machine[0])
		json_object_object_add(obj, "machine", json_object_new_string(machine));
	json_object_object_add(obj, key, json_object_new_string(text));
	fprintf(stderr, "%s\n", rf_json_line(obj));
	json_object_put(obj);
}

static void print_message(const char *key, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	rf_text_line(text);
	rf_waiting_end();
	fflush(stdout);
	if (rf_json)
		say_json(key, text);
	else
		fprintf(stderr, "%s: %s%s%s\n", rf_progname, machine, machine[0] ? ": " : "", text);
	free(text);
}

/**
 * rf_err - print an error as one line on stderr
 * @fmt: printf format of the message, without program name and newline
 */
void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message("error", fmt, ap);
	va_end(ap);
}

/**
 * rf_note - print a note or warning as one line on stderr
 * @fmt: printf format of the message, without program name and newline
 */
void rf_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message("note", fmt, ap);
	va_end(ap);
}
