// SPDX-License-Identifier: GPL-2.0
/* Files of lines: timelines, and the events of a run. */
#include <stdlib.h>

#include "lines.h"

/**
 * rf_lines_read - have each line of a file taken
 * @f: the file
 * @take: takes a line; other than 0 ends the reading
 * @arg: for @take
 * @n: gets the number of the line read last, from 1
 *
 * Return: what @take returned last, 0 for an empty file.
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
	return err;
}
