// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the options of programs and of commands of rdmafault from tables.
 *
 * A row has the name of an option, the kind and range of its argument, and the
 * member that gets the value. The parser (getopt_long), the error messages and
 * the usage text use the same rows. A program has several tables, for example one for
 * its options and one for the engine's options, each with a separate struct.
 */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "opts.h"
#include "err.h"

#define ROWS_MAX	96
#define LONG_VAL	256	/* getopt_long() returns LONG_VAL + row */

/* All options of all tables, and the arrays that getopt_long() needs */
struct view {
	const struct rf_key *rows[ROWS_MAX];
	void *fields[ROWS_MAX];
	const char *words[ROWS_MAX];	/* argument of each option; NULL: not given */
	struct option longs[ROWS_MAX + 1];
	char letters[2 * ROWS_MAX + 2];
	int n;
};

static void usage_row(const struct rf_key *row)
{
	char left[48];

	snprintf(left, sizeof(left), "--%s%s%s", row->name,
		 row->value ? " " : "", row->value ? row->value : "");
	if (row->letter)
		printf("  -%c, %-22s %s\n", row->letter, left, row->help);
	else
		printf("      %-22s %s\n", left, row->help);
}

static void print_command_usage(const struct rf_opts *opts)
{
	printf("Usage: %s %s\n\n", rf_progname, opts->synopsis);
	if (opts->about)
		opts->about();
	printf("Defaults are in parentheses.\n");
	for (size_t t = 0; t < opts->n; t++) {
		if (opts->tables[t].title)
			printf("\n%s:\n", opts->tables[t].title);
		for (size_t i = 0; i < opts->tables[t].n; i++)
			usage_row(&opts->tables[t].rows[i]);
	}
	printf("\n%s", opts->end);
}

const struct rf_kind rf_kind_help = { };
const struct rf_kind rf_kind_version = { };

/* The name of an option, with its dashes. It is short if the option has a letter. */
static const char *dashed(const struct rf_key *row, char name[48])
{
	if (row->letter)
		snprintf(name, 48, "-%c", row->letter);
	else
		snprintf(name, 48, "--%s", row->name);
	return name;
}

/* Print that the value @word of an option is wrong. */
static int refuse_option(const struct rf_key *row, const char *word)
{
	struct rf_key named = *row;
	struct rf_why why;
	char name[48];

	named.name = dashed(row, name);
	rf_key_refuse(&named, word, &why);
	rf_err("%s", why.text);
	return -EINVAL;
}

/* Process one option. Return: 0, 1 after --help or --version, or -EINVAL after a message. */
static int process_option(const struct rf_opts *opts, const struct rf_key *row,
			  void *fields, const char *word)
{
	if (row->kind == &rf_kind_help)
		print_command_usage(opts);
	else if (row->kind == &rf_kind_version)
		printf("%s %s\n", rf_progname, RF_VERSION);
	else
		return rf_key_take(row, word, fields) ? refuse_option(row, word) : 0;
	return 1;
}

static void add_option_row(struct view *v, const struct rf_key *row, void *fields,
			   char **letter)
{
	assert(v->n < ROWS_MAX);
	v->rows[v->n] = row;
	v->fields[v->n] = fields;
	v->longs[v->n] = (struct option){
		.name = row->name,
		.has_arg = row->value ? required_argument : no_argument,
		.val = LONG_VAL + v->n,
	};
	v->n++;
	if (!row->letter)
		return;
	*(*letter)++ = row->letter;
	if (row->value)
		*(*letter)++ = ':';
}

static void view_tables(struct view *v, const struct rf_opts *opts)
{
	char *letter = v->letters;

	*letter++ = ':';
	for (size_t t = 0; t < opts->n; t++) {
		const struct rf_opt_table *table = &opts->tables[t];

		for (size_t i = 0; i < table->n; i++)
			add_option_row(v, &table->rows[i], table->fields, &letter);
	}
}

static int row_of(const struct view *v, int val)
{
	int i = 0;

	if (val >= LONG_VAL)
		return val - LONG_VAL;
	while (v->rows[i]->letter != val)
		i++;
	return i;
}

/* Return: the row of the option @word; NULL: there is none */
static const struct rf_key *row_named(const struct view *v, const char *word)
{
	int i;

	for (i = 0; i < v->n; i++)
		if ((word[0] && word[1] == v->rows[i]->letter && !word[2]) ||
		    (!strncmp(word, "--", 2) && !strcmp(word + 2, v->rows[i]->name)))
			return v->rows[i];
	return NULL;
}

/* Print that @word is no option, or that its value is missing (@val is ':'). */
static int refuse_unknown(const struct rf_opts *opts, const struct view *v, int val,
			  const char *word)
{
	const struct rf_key *row = val == ':' ? row_named(v, word) : NULL;
	const char *command = opts->command ? opts->command : "";
	const char *colon = opts->command ? ": " : "", *gap = opts->command ? " " : "";

	if (row)
		rf_err("%s%s%s: value missing; --%s %s", command, colon, word, row->name,
		       row->value);
	else
		rf_err("%s%sunknown option \"%s\"; see \"%s%s%s --help\"", command, colon, word,
		       rf_progname, gap, command);
	return -EINVAL;
}

/*
 * Check whether all bits of the field are set. If so, the option was not given and has no
 * default.
 */
static bool has_no_value(const struct rf_key *row, const void *field)
{
	if (row->kind == &rf_kind_u32)
		return *(const uint32_t *)field == UINT32_MAX;
	return (row->kind == &rf_kind_size || row->kind == &rf_kind_time) &&
	       *(const uint64_t *)field == UINT64_MAX;
}

/*
 * Also write values that are the default, so that a rank with "-n 20" and a rank without -n
 * have the same text. @word: the argument on the command line; NULL: the option is not given
 */
static void write_row(FILE *f, const struct rf_key *row, const void *fields, const char *word)
{
	bool has_value = row->kind->put && !has_no_value(row, (const char *)fields + row->at);
	char text[RF_KEY_TEXT_LEN], name[48];

	if (row->personal || row->kind == &rf_kind_help || row->kind == &rf_kind_version)
		return;
	if (has_value)
		row->kind->put(row, fields, text);
	fprintf(f, "%s%s", has_value || word ? "" : "no ", dashed(row, name));
	if (has_value || (row->value && word))
		fprintf(f, " %s", has_value ? text : word);
	fputc('\n', f);
}

static int write_agreed(const struct view *v, char **words, char **text)
{
	size_t len;
	FILE *f = open_memstream(text, &len);

	for (; f && *words; words++)
		fprintf(f, "%s\n", *words);
	for (int i = 0; f && i < v->n; i++)
		write_row(f, v->rows[i], v->fields[i], v->words[i]);
	if (f && !fclose(f))
		return 0;
	rf_err("no memory for the arguments");
	return -ENOMEM;
}

/* Return: the index in @argv of the last parsed option; its value can be the next argument. */
static int option_place(char **argv, const struct option *option)
{
	if (option->has_arg == no_argument || optarg != argv[optind - 1])
		return optind - 1;
	return optind - 2;
}

/*
 * The same as getopt_long(3), but refuse abbreviations of option names. An abbreviation in a
 * script would become ambiguous when a program gets another option with the same first
 * letters. A mistyped option could be mistaken for an abbreviation.
 */
static int next_option(const struct view *v, int argc, char **argv)
{
	int index = -1, place;
	int c = getopt_long(argc, argv, v->letters, v->longs, &index);
	size_t len;

	if (c == -1 || c == '?' || c == ':' || index < 0)
		return c;
	place = option_place(argv, &v->longs[index]);
	len = strcspn(argv[place] + 2, "=");
	if (len == strlen(v->longs[index].name))
		return c;
	optind = place + 1;
	return '?';
}

/**
 * rf_opts_parse() - read the options of a command line
 * @opts: the options of the program, or of the command
 * @argc: argument of main()
 * @argv: argument of main(); getopt moves words that are not options to the end
 *
 * Return: the index in @argv of the first word that is not an option, at least 1;
 * RF_OPTS_DONE after --help or --version; or -errno after a message.
 */
int rf_opts_parse(const struct rf_opts *opts, int argc, char **argv)
{
	struct view v = { .n = 0 };
	int val;

	view_tables(&v, opts);
	optind = 0;		/* forget the command line that was parsed before */
	opterr = 0;
	while ((val = next_option(&v, argc, argv)) != -1) {
		int i, ret;

		if (val == '?' || val == ':')
			return refuse_unknown(opts, &v, val, argv[optind - 1]);
		i = row_of(&v, val);
		v.words[i] = optarg ? optarg : "";
		ret = process_option(opts, v.rows[i], v.fields[i], optarg);
		if (ret)
			return ret < 0 ? ret : RF_OPTS_DONE;
	}
	if (opts->agreed && write_agreed(&v, argv + optind, opts->agreed))
		return -ENOMEM;
	return optind;
}

/**
 * rf_opts_parse_command() - parse the options of a command of a program
 * @command: the command
 * @rows: its options; a NULL name is last
 * @fields: the struct that gets the values
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is @command
 *
 * Return: the index in @argv of the first word that is no option, or -RF_EXIT_USAGE after an
 * error message.
 */
int rf_opts_parse_command(const char *command, const struct rf_key *rows, void *fields,
			  int argc, char **argv)
{
	struct rf_opt_table table = { .rows = rows, .fields = fields };
	const struct rf_opts opts = { .command = command, .tables = &table, .n = 1 };
	int first;

	while (rows[table.n].name)
		table.n++;
	first = rf_opts_parse(&opts, argc, argv);
	return first < 0 ? -RF_EXIT_USAGE : first;
}
