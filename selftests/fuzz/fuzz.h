/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common functions of the fuzz targets. A target is LLVMFuzzerTestOneInput(), which is
 * called with one input after the other, random or nearly valid. must() states what has
 * to be true for every input. The sanitizers find accesses beyond the end, and leaks;
 * each input is in memory of exactly its length.
 */
#ifndef RF_FUZZ_H
#define RF_FUZZ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define must(what) \
	((what) ? (void)0 : fuzz_broken(#what, __FILE__, __LINE__))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn static inline void fuzz_broken(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: this input breaks: %s\n", file, line, what);
	abort();
}

/* Return: the input as a string, up to its first NUL; the caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/*
 * Move the first @want bytes of the input to @to. If the input is shorter, the rest of @to
 * is zeroed.
 */
static inline void fuzz_take(const uint8_t **data, size_t *size, void *to, size_t want)
{
	size_t n = want < *size ? want : *size;

	memset(to, 0, want);
	if (n)
		memcpy(to, *data, n);
	*data += n;
	*size -= n;
}

/* Return: true if an error message is one line and not empty. */
static inline bool fuzz_is_line(const char *why, size_t room)
{
	size_t n = strnlen(why, room);

	return n && n < room && !strchr(why, '\n');
}

#endif
