/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for targets that read files: write the input to a file in a temporary
 * directory, and read a file as text.
 */
#ifndef RF_FUZZ_FILE_H
#define RF_FUZZ_FILE_H

#include <limits.h>
#include <unistd.h>

#include "fuzz.h"

static char file_dir[] = "/tmp/fuzz-XXXXXX";

static inline void file_remove(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", file_dir);
	must(!system(command));
}

static inline const char *file_path(const char *name, char path[PATH_MAX])
{
	if (strstr(file_dir, "XXXXXX"))
		must(mkdtemp(file_dir) && !atexit(file_remove));
	snprintf(path, PATH_MAX, "%s/%s", file_dir, name);
	return path;
}

static inline void file_write(const char *name, const void *data, size_t size)
{
	char path[PATH_MAX];
	FILE *f = fopen(file_path(name, path), "w");

	must(f && fwrite(data, 1, size, f) == size);
	must(!fclose(f));
}

/* Return: the text of a file; the caller frees it. */
static inline char *file_read(const char *name)
{
	char path[PATH_MAX], *text = NULL;
	FILE *f = fopen(file_path(name, path), "r");
	size_t room = 0;

	must(f);
	if (getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(f);
	must(text);
	return text;
}

static inline bool file_same(const char *name, const char *text)
{
	char *now = file_read(name);
	bool same = !strcmp(now, text);

	free(now);
	return same;
}

#endif
