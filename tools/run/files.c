// SPDX-License-Identifier: GPL-2.0
/* Directories and files of a run */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "err.h"
#include "runner.h"

static int make_one(const char *path)
{
	int err;

	if (!mkdir(path, 0755) || errno == EEXIST)
		return 0;
	err = -errno;
	rf_err("%s: %s", path, strerror(-err));
	return err;
}

/**
 * rf_stage_make_dir - create a directory and its parents
 * @path: the directory
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_make_dir(const char *path)
{
	char part[PATH_MAX], *slash;
	int err = 0;

	if (strlen(path) >= sizeof(part)) {
		rf_err("%s: path too long", path);
		return -ENAMETOOLONG;
	}
	strcpy(part, path);
	for (slash = part; !err && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		err = make_one(part);
		*slash = '/';
	}
	return err ? err : make_one(part);
}

/**
 * rf_stage_path - build the path of a file in a directory
 * @buf: the path
 * @dir: the directory
 * @file: the file
 *
 * Return: 0, or -ENAMETOOLONG after rf_err().
 */
int rf_stage_path(char buf[PATH_MAX], const char *dir, const char *file)
{
	if (snprintf(buf, PATH_MAX, "%s/%s", dir, file) < PATH_MAX)
		return 0;
	rf_err("%s/%s: path too long", dir, file);
	return -ENAMETOOLONG;
}

/**
 * rf_stage_check_room - check that the disk is not full
 * @dir: the directory
 *
 * On a full disk, the last lines of a program's output can be missing.
 *
 * Return: 0, or -ENOSPC after rf_err().
 */
int rf_stage_check_room(const char *dir)
{
	struct statvfs vfs;

	if (statvfs(dir, &vfs) || vfs.f_bavail || !vfs.f_blocks)
		return 0;
	rf_err("%s: %s", dir, strerror(ENOSPC));
	return -ENOSPC;
}

/**
 * rf_stage_last_line - get the last line of a file with "error:", or the last non-empty line
 * @dir: the directory
 * @name: the name of the file
 *
 * Return: the line, which the caller frees, or NULL after rf_err().
 */
char *rf_stage_last_line(const char *dir, const char *name)
{
	char path[PATH_MAX], *line = NULL, *last;
	bool is_error, any = false;
	size_t room = 0;
	FILE *f;

	if (rf_stage_path(path, dir, name))
		return NULL;
	last = strdup("it said nothing");
	f = fopen(path, "re");
	while (f && last && getline(&line, &room, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		/* A compiler ends with other lines than the error. */
		is_error = strstr(line, "error:");
		if (!line[0] || (any && !is_error))
			continue;
		any |= is_error;
		free(last);
		last = strdup(line);
	}
	free(line);
	if (f)
		fclose(f);
	if (!last)
		rf_err("%s: no memory", path);
	return last;
}
