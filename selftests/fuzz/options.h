/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the targets that read a program's options: the input's words, with blanks
 * between, as argv, read twice. They are taken without a word or refused with one
 * line, and what all ranks must have alike is told alike.
 */
#ifndef RF_FUZZ_OPTIONS_H
#define RF_FUZZ_OPTIONS_H

#include <getopt.h>

#include "quiet.h"
#include "rulewords.h"

#define OPTIONS_WORDS_MAX 64

/* As in main(); @agreed: gets what is to be freed, or NULL */
typedef int (*options_parse)(int argc, char **argv, char **agreed);

/* One reading, with a usage text that nobody sees */
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
	optind = 0;		/* getopt_long() begins anew */
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
