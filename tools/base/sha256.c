// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sha256.h"

/**
 * rf_sha256_file - compute the SHA-256 of a file with sha256sum(1)
 * @path: the file
 * @hex: gets the hexadecimal digits
 *
 * Return: 0, or -errno; -EIO if the file is a directory, or if there is no sha256sum.
 */
int rf_sha256_file(const char *path, char hex[RF_SHA256_LEN])
{
	size_t n;
	FILE *f;

	if (access(path, R_OK))
		return -errno;
	/* The shell must not interpret the path. */
	setenv("RF_HASHED", path, 1);
	f = popen("exec sha256sum <\"$RF_HASHED\" 2>/dev/null", "re");
	unsetenv("RF_HASHED");
	if (!f)
		return -errno;
	n = fread(hex, 1, RF_SHA256_LEN - 1, f);
	hex[n] = '\0';
	return pclose(f) || n != RF_SHA256_LEN - 1 ? -EIO : 0;
}
