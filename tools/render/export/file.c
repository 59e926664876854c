// SPDX-License-Identifier: GPL-2.0
/* Write a file of a report. */
#include <errno.h>
#include <string.h>

#include "err.h"
#include "export.h"

/**
 * rf_render_file - write a file and report errors
 * @path: the file
 * @run: the run
 * @write: writes the content; returns 0 or -errno
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_render_file(const char *path, const struct rf_run *run,
		   int (*write)(FILE *f, const struct rf_run *run))
{
	FILE *f = fopen(path, "we");
	int err = f ? 0 : -errno;

	errno = 0;
	if (!err)
		err = write(f, run);
	if (!err && ferror(f))
		err = errno ? -errno : -EIO;
	if (f && fclose(f) && !err)
		err = -errno;
	if (err)
		rf_err("%s: %s", path, strerror(-err));
	return err;
}
