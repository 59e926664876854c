// SPDX-License-Identifier: GPL-2.0
/* Files of lines: timelines, and the events of a run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "lines.h"

/**
 * rf_lines_read - have each line of a file taken
 * @f: the file
 * @take: takes a line; other than 0 ends the reading
 * @arg: for @take
 * @n: gets the number of the line read last, from 1
 *
 * Return: what @take returned last, 0 for an empty file; -EIO: not all could be
 * read.
 */
int rf_lines_read(FILE *f, rf_take_line take, void *arg, unsigned int *n)
{
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	*n = 0;
	while (!err && getline(&line, &room, f) >= 0) {
		++*n;
		err = take(arg, line);
	}
	free(line);
	return !err && ferror(f) ? -EIO : err;
}

/**
 * rf_lines_refuse - say why the reading of a file ended before its end
 * @path: the file
 * @n: the line
 * @err: what rf_lines_read() returned
 * @want: what the line should have been; that may be the reason
 */
void rf_lines_refuse(const char *path, unsigned int n, int err, const char *want)
{
	if (err == -ENOMEM)
		rf_err("%s: no memory", path);
	else if (err == -EIO)
		rf_err("%s: %s", path, strerror(EIO));
	else
		rf_err("%s:%u: want %s", path, n, want);
}
