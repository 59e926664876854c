/* SPDX-License-Identifier: GPL-2.0 */
/* Parse command lines from tables of options: values, their range, errors, and the usage text. */
#ifndef RF_OPTS_H
#define RF_OPTS_H

#include <stddef.h>

#include "key.h"

/* The options --help and --version */
extern const struct rf_kind rf_kind_help;
extern const struct rf_kind rf_kind_version;

/**
 * struct rf_opt_table - a group of options
 * @title: heading in the usage text; NULL: same group as the previous table
 * @rows: the options
 * @n: number of @rows
 * @fields: struct for the values
 */
struct rf_opt_table {
	const char *title;
	const struct rf_key *rows;
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

int rf_opts_parse_command(const char *command, const struct rf_key *rows, void *fields,
			  int argc, char **argv);
int rf_opts_parse(const struct rf_opts *args, int argc, char **argv);

#endif
