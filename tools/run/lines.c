// SPDX-License-Identifier: GPL-2.0
/*
 * Read files that have one JSON object per line: timelines of jobs, and the events of a run.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "record.h"

static int take_line(const struct rf_lines *lines, void *arg, const char *line)
{
	struct json_object *o;
	int err;

	o = json_tokener_parse(line);
	err = json_object_is_type(o, json_type_object) ? lines->take(arg, o) : -EINVAL;
	json_object_put(o);
	return err;
}

/* Return: 0, or what take_line() returned for line @n; it ended the reading */
static int take_lines(FILE *f, const struct rf_lines *lines, void *arg, unsigned int *n)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, f) >= 0) {
		if (lines->can_be_cut && !strchr(line, '\n'))
			break;
		rf_waiting("reading the recording: %u lines so far", ++*n);
		err = take_line(lines, arg, line);
	}
	free(line);
	return err;
}

/**
 * rf_lines_take - read an open file
 * @f: the file, which is closed
 * @name: its name in error messages
 * @lines: the functions that are called with each line; a value other than 0 ends the
 *	reading: -ENOMEM, or another error for an invalid line
 * @arg: passed to these functions
 *
 * Return: 0, also for an empty file, or -errno after rf_err().
 */
int rf_lines_take(FILE *f, const char *name, const struct rf_lines *lines, void *arg)
{
	unsigned int n = 0;
	int err = take_lines(f, lines, arg, &n);

	if (err == -ENOMEM) {
		rf_err("%s: no memory", name);
	} else if (err) {
		rf_err("%s:%u: %s; expected %s", name, n,
		       lines->why && *lines->why ? lines->why : "invalid line", lines->valid);
	} else if (ferror(f)) {
		err = -EIO;
		rf_err("%s: %s", name, strerror(EIO));
	}
	fclose(f);
	return err;
}

/** rf_lines_read - read the file @path, see rf_lines_take() */
int rf_lines_read(const char *path, const struct rf_lines *lines, void *arg)
{
	FILE *f = fopen(path, "re");
	int err = -errno;

	if (f)
		return rf_lines_take(f, path, lines, arg);
	rf_err("%s: %s", path, strerror(-err));
	return err;
}
