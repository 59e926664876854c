/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common functions of the fuzz targets that parse the options of a program. The words of the
 * input, separated by blanks, become argv and are parsed twice. They must be accepted without
 * a message or refused with one line. The parser also returns a text with the options that
 * must be equal on all ranks. This text must be the same both times.
 */
#ifndef RF_FUZZ_OPTIONS_H
#define RF_FUZZ_OPTIONS_H

#include <getopt.h>

#include "quiet.h"
#include "words.h"

#define OPTIONS_WORDS_MAX 64

/*
 * The type of a parser, which parses options like main(). It sets @agreed to a text with
 * the options that all ranks must share, or to NULL. The caller frees the text.
 */
typedef int (*options_parse)(int argc, char **argv, char **agreed);

/* Parse argv once. If it asks for the usage text, the text is written to /dev/null. */
static inline int options_read(options_parse parse, char *program,
			       const uint8_t *data, size_t size, char **agreed)
{
	static FILE *nowhere;
	char *line = fuzz_text(data, size), *argv[OPTIONS_WORDS_MAX + 2];
	FILE *out = stdout;
	int argc, ret;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	must(nowhere);
	argv[0] = program;
	argc = rf_split_words(line, argv + 1, OPTIONS_WORDS_MAX);
	argc = argc < 0 ? 1 : argc + 1;
	argv[argc] = NULL;
	optind = 0;		/* reset getopt_long() */
	quiet_start();
	stdout = nowhere;
	ret = parse(argc, argv, agreed);
	stdout = out;
	free(line);
	return ret;
}

static inline void options_try(options_parse parse, char *program,
			       const uint8_t *data, size_t size)
{
	char *agreed = NULL, *again = NULL;
	int ret = options_read(parse, program, data, size, &agreed);

	must(quiet_lines == (ret < 0));
	must(ret >= 0 || fuzz_is_line(quiet_said, sizeof(quiet_said)));
	must(options_read(parse, program, data, size, &again) == ret);
	must(!agreed == !again && (!agreed || !strcmp(agreed, again)));
	free(agreed);
	free(again);
}

#endif
