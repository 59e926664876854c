// SPDX-License-Identifier: GPL-2.0
/* Read files line by line: timelines and the events of a run */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "lines.h"
#include "waiting.h"

/**
 * rf_lines_read - call a function for each line of a file
 * @f: the file
 * @take: called with each line; a value other than 0 ends the reading
 * @arg: passed to @take
 * @n: gets the number of the line read last, from 1
 *
 * Return: the last return value of @take, 0 for an empty file; -EIO after a read
 * error.
 */
int rf_lines_read(FILE *f, rf_take_line take, void *arg, unsigned int *n)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	*n = 0;
	while (!err && getline(&line, &room, f) >= 0) {
		++*n;
		rf_waiting("reading the recording: %u lines so far", *n);
		err = take(arg, line);
	}
	free(line);
	return !err && ferror(f) ? -EIO : err;
}

/**
 * rf_lines_refuse - report the error that ended the reading of a file
 * @path: the file
 * @n: the line
 * @err: what rf_lines_read() returned
 * @valid: description of valid lines, for the error message
 */
void rf_lines_refuse(const char *path, unsigned int n, int err, const char *valid)
{
	if (err == -ENOMEM)
		rf_err("%s: no memory", path);
	else if (err == -EIO)
		rf_err("%s: %s", path, strerror(EIO));
	else
		rf_err("%s:%u: invalid line; expected %s", path, n, valid);
}
