/* SPDX-License-Identifier: GPL-2.0 */
/* Parse command lines from tables of options: values, their range, errors, and the usage text. */
#ifndef CP_ARGS_H
#define CP_ARGS_H

#include <stddef.h>
#include <stdint.h>

enum cp_arg_kind {
	CP_ARG_NUMBER,		/* uint32_t, from min to max */
	CP_ARG_NUMBER64,	/* uint64_t, from min to max */
	CP_ARG_SIZE,		/* uint64_t, bytes, from min on */
	CP_ARG_TIME,		/* time in ns, from min to max; uint64_t */
	CP_ARG_PSN,		/* uint32_t */
	CP_ARG_TEXT,		/* const char * */
	CP_ARG_FLAG,		/* bool, no argument */
	CP_ARG_OWN,		/* parsed by @take */
	CP_ARG_HELP, CP_ARG_VERSION,
};

/* ORed with a kind: the ranks of a job can have different values for this option */
#define CP_ARG_PERSONAL	0x100

/**
 * struct cp_arg - an option
 * @letter: one letter, or 0
 * @name: the long name, without dashes
 * @kind: type of its argument; can be ORed with CP_ARG_PERSONAL
 * @field: offset of the member that gets the value, in the struct of the table (@fields)
 * @min: smallest number, size or time
 * @max: largest number or time
 * @value: the argument's name in the usage text; NULL: no argument
 * @help: meaning, range and default, as in "ranks; 1 to 64 (2)"; at most
 *	CP_HELP_MAX characters
 * @take: CP_ARG_OWN: parse the argument into the struct. Returns NULL, or the
 *	valid form if the argument is invalid
 */
struct cp_arg {
	char letter;
	const char *name;
	unsigned int kind;
	size_t field;
	uint64_t min, max;
	const char *value;
	const char *help;
	const char *(*take)(void *fields, const char *word);
};

#define CP_HELP_MAX	51	/* longest help text for usage lines of at most 80 columns */

/**
 * struct cp_arg_table - a group of options
 * @title: heading in the usage text; NULL: same group as the previous table
 * @rows: the options
 * @n: number of @rows
 * @fields: struct for the values
 */
struct cp_arg_table {
	const char *title;
	const struct cp_arg *rows;
	size_t n;
	void *fields;
};

/**
 * struct cp_args - a program's command line
 * @synopsis: text after the program's name in the usage line
 * @about: function that prints text between the synopsis and the options, or NULL
 * @end: the last lines of the usage text
 * @tables: tables of options, in the order of the usage text
 * @n: number of @tables
 * @agreed: gets the arguments that must be the same in all ranks of a job, one
 *	per line; the caller frees it. NULL: not needed
 */
struct cp_args {
	const char *synopsis;
	void (*about)(void);
	const char *end;
	const struct cp_arg_table *tables;
	size_t n;
	char **agreed;
};

#define CP_ARGS_DONE	0	/* --help or --version was given, so the program can exit */

int cp_args_parse(const struct cp_args *args, int argc, char **argv);

#endif
