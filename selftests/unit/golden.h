/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Golden files: the text that a test expects is in selftests/golden, not in the test.
 * "scripts/golden" rewrites these files with the current output of the code. See
 * Documentation/testing.rst.
 *
 * golden() collects texts, each under a heading, and golden_compare() compares all of them with
 * one file. So the comparison also fails if the file lacks a text, or if the file has a text that
 * the test no longer makes.
 */
#ifndef UNIT_GOLDEN_H
#define UNIT_GOLDEN_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define GOLDEN_DIR	"selftests/golden"

static FILE *golden_stream;
static char *golden_texts;
static size_t golden_len;

/* golden() - add @text under @heading to the texts that golden_compare() compares */
__attribute__((format(printf, 2, 3)))
static inline void golden(const char *text, const char *heading, ...)
{
	char line[512], *at;
	va_list ap;

	if (!golden_stream)
		golden_stream = open_memstream(&golden_texts, &golden_len);
	va_start(ap, heading);
	vsnprintf(line, sizeof(line), heading, ap);
	va_end(ap);
	for (at = line; (at = strchr(at, '\n'));)
		*at = '|';
	fprintf(golden_stream, "== %s\n%s%s\n", line, text,
		*text && text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static inline bool golden_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	bool good = f && fputs(text, f) >= 0;

	return f && !fclose(f) && good;
}

/*
 * golden_change() - add those lines of @after that differ from @before to the texts that
 * golden_compare() compares
 */
__attribute__((unused))
static void golden_change(const char *before, const char *after,
			  const char *heading)
{
	char a[] = "/tmp/golden-XXXXXX", b[] = "/tmp/golden-XXXXXX";
	char command[128], *text = NULL;
	size_t size = 0;
	FILE *diff;

	close(mkstemp(a));
	close(mkstemp(b));
	if (golden_write(a, before) && golden_write(b, after)) {
		snprintf(command, sizeof(command),
			 "diff -a -U0 %s %s | grep -v '^@@\\|^---\\|^+++'", a, b);
		diff = popen(command, "r");
		golden(getdelim(&text, &size, '\0', diff) < 0 ? "" : text, "%s",
		       heading);
		pclose(diff);
	}
	free(text);
	unlink(a);
	unlink(b);
}

/* Prints how @text differs from the file. */
static inline void golden_diff(const char *path, const char *text)
{
	char command[512];
	FILE *diff;

	snprintf(command, sizeof(command),
		 "diff -Na -U1 -F '^== ' --label %s --label 'this test' %s - | sed 's/^/# /'",
		 path, path);
	fflush(stdout);
	diff = popen(command, "w");
	fputs(text, diff);
	pclose(diff);
}

/* golden_file() - compare the text with a file in selftests/golden */
static inline void golden_file(const char *name, const char *text)
{
	const char *mode = getenv("GOLDEN");
	char path[128], *old = NULL;
	size_t size = 0;
	bool same;
	FILE *f;

	snprintf(path, sizeof(path), GOLDEN_DIR "/%s", name);
	f = fopen(path, "r");
	if (f && getdelim(&old, &size, '\0', f) < 0)
		*old = '\0';
	if (f)
		fclose(f);
	same = old && !strcmp(old, text);
	free(old);
	if (!same && mode && !strcmp(mode, "write")) {
		same = golden_write(path, text);
		printf("# wrote %s\n", path);
	}
	ok(same, "the output is that of %s", path);
	if (same)
		return;
	golden_diff(path, text);
	puts("# scripts/golden rewrites the file");
}

/* golden_compare() - compare all texts collected so far with the file */
static inline void golden_compare(const char *name)
{
	fclose(golden_stream);
	golden_file(name, golden_texts);
	free(golden_texts);
	golden_stream = NULL;
	golden_texts = NULL;
}

#endif
