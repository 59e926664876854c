/* SPDX-License-Identifier: GPL-2.0 */
/* Parse command lines from tables of options: values, their range, errors, and the usage text. */
#ifndef RF_OPTS_H
#define RF_OPTS_H

#include <stddef.h>
#include <stdint.h>

enum rf_opt_kind {
	RF_OPT_NUMBER,		/* uint32_t, from min to max */
	RF_OPT_NUMBER64,	/* uint64_t, from min to max */
	RF_OPT_SIZE,		/* uint64_t, bytes, from min to max; max 0: no limit */
	RF_OPT_TIME,		/* uint64_t, time in ns, from min to max; max 0: no limit */
	RF_OPT_PSN,		/* uint32_t */
	RF_OPT_TEXT,		/* const char * */
	RF_OPT_FLAG,		/* bool, no argument */
	RF_OPT_OWN,		/* parsed by @take */
	RF_OPT_HELP, RF_OPT_VERSION,
};

/* ORed with a kind: the ranks of a job can have different values for this option */
#define RF_OPT_PERSONAL	0x100

/**
 * struct rf_opt - an option
 * @letter: one letter, or 0
 * @name: the long name, without dashes
 * @kind: type of its argument; can be ORed with RF_OPT_PERSONAL
 * @field: offset of the member that gets the value, in the struct of the table (@fields)
 * @min: smallest number, size or time
 * @max: largest number or time
 * @value: the argument's name in the usage text; NULL: no argument
 * @help: meaning, range and default, as in "ranks; 1 to 64 (2)"; at most
 *	RF_OPT_HELP_MAX characters
 * @take: RF_OPT_OWN: parse the argument into the struct. Returns NULL, or the
 *	valid form if the argument is invalid
 */
struct rf_opt {
	char letter;
	const char *name;
	unsigned int kind;
	size_t field;
	uint64_t min, max;
	const char *value;
	const char *help;
	const char *(*take)(void *fields, const char *word);
};

#define RF_OPT_HELP_MAX	51	/* longest help text for usage lines of at most 80 columns */

/**
 * struct rf_opt_table - a group of options
 * @title: heading in the usage text; NULL: same group as the previous table
 * @rows: the options
 * @n: number of @rows
 * @fields: struct for the values
 */
struct rf_opt_table {
	const char *title;
	const struct rf_opt *rows;
	size_t n;
	void *fields;
};

/**
 * struct rf_opts - the command line of a program, or of one of its commands
 * @command: the command; its help is printed by the program, so @synopsis, @about and @end are
 *	not used. NULL: the program has no commands
 * @synopsis: text after the program's name in the usage line
 * @about: function that prints text between the synopsis and the options, or NULL
 * @end: the last lines of the usage text
 * @tables: tables of options, in the order of the usage text
 * @n: number of @tables
 * @agreed: gets the arguments that must be the same in all ranks of a job, one
 *	per line; the caller frees it. NULL: not needed
 */
struct rf_opts {
	const char *command;
	const char *synopsis;
	void (*about)(void);
	const char *end;
	const struct rf_opt_table *tables;
	size_t n;
	char **agreed;
};

#define RF_OPTS_DONE	0	/* --help or --version was given, so the program can exit */

int rf_opts_parse_command(const char *command, const struct rf_opt *rows, void *fields,
			  int argc, char **argv);
int rf_opts_parse(const struct rf_opts *args, int argc, char **argv);

#endif
