// SPDX-License-Identifier: GPL-2.0
/* Files that a program writes as a whole */
#include <errno.h>
#include <string.h>

#include "err.h"
#include "out.h"

/**
 * rf_file_close - close a file after writing it, and report an error
 * @f: the file; NULL if fopen() has failed
 * @path: its path
 *
 * Return: 0 if the file has everything that was written to it, or -EIO after rf_err().
 */
int rf_file_close(FILE *f, const char *path)
{
	bool bad = !f || ferror(f);

	if (f && fclose(f))
		bad = true;
	if (!bad)
		return 0;
	rf_err("%s: %s", path, strerror(errno));
	return -EIO;
}
