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
#include "units.h"

#define ROWS_MAX	96
#define LONG_VAL	256	/* getopt_long() returns LONG_VAL + row */

/* All options of all tables, and the arrays that getopt_long() needs */
struct view {
	const struct rf_opt *rows[ROWS_MAX];
	void *fields[ROWS_MAX];
	const char *words[ROWS_MAX];	/* argument of each option; NULL: not given */
	struct option longs[ROWS_MAX + 1];
	char letters[2 * ROWS_MAX + 2];
	int n;
};

static void usage_row(const struct rf_opt *row)
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

/* Print that the value @given of an option is wrong. */
static int refuse_option(const struct rf_opt *row, const char *given, const char *valid)
{
	struct rf_why why;
	char name[48];

	if (row->letter)
		snprintf(name, sizeof(name), "-%c", row->letter);
	else
		snprintf(name, sizeof(name), "--%s", row->name);
	rf_why_value(&why, name, given, valid);
	rf_err("%s", why.text);
	return -EINVAL;
}

static int take_number64(uint64_t *field, const struct rf_opt *row,
			 const char *word)
{
	char valid[64];
	uint64_t v;

	if (rf_parse_u64(word, &v) || v < row->min || v > row->max) {
		snprintf(valid, sizeof(valid), "%llu to %llu",
			 (unsigned long long)row->min,
			 (unsigned long long)row->max);
		return refuse_option(row, word, valid);
	}
	*field = v;
	return 0;
}

/* The range of @row must fit into 32 bits. */
static int take_uint32(uint32_t *field, const struct rf_opt *row,
		       const char *word)
{
	uint64_t v;
	int ret = take_number64(&v, row, word);

	if (!ret)
		*field = (uint32_t)v;
	return ret;
}

static bool is_in_range(const struct rf_opt *row, uint64_t v)
{
	return v >= row->min && (!row->max || v <= row->max);
}

static int take_size(uint64_t *field, const struct rf_opt *row,
		     const char *word)
{
	char valid[64 + 2 * RF_FMT_LEN], min[RF_FMT_LEN], max[RF_FMT_LEN];
	uint64_t v;

	if (!rf_parse_size(word, &v) && is_in_range(row, v)) {
		*field = v;
		return 0;
	}
	if (row->max)
		snprintf(valid, sizeof(valid), "%s to %s, for example 16MiB",
			 rf_exact_size(row->min, min), rf_exact_size(row->max, max));
	else
		snprintf(valid, sizeof(valid), "%s, for example 4096, 256K, 1M",
			 row->min ? "1 byte or more" : "bytes");
	return refuse_option(row, word, valid);
}

static int take_time(uint64_t *field, const struct rf_opt *row,
		     const char *word)
{
	char valid[32 + 2 * RF_FMT_LEN], min[RF_FMT_LEN], max[RF_FMT_LEN];
	uint64_t v = 0;

	if (!rf_parse_time(word, &v) && is_in_range(row, v)) {
		*field = v;
		return 0;
	}
	if (!row->max)
		snprintf(valid, sizeof(valid), "%s or more, for example 20ms",
			 rf_exact_time(row->min, min));
	else if (row->min)
		snprintf(valid, sizeof(valid), "%s to %s%s",
			 rf_exact_time(row->min, min), rf_exact_time(row->max, max),
			 row->min <= 20000000 ? ", for example 20ms" : "");
	else
		snprintf(valid, sizeof(valid), "up to %s, for example 80ms",
			 rf_exact_time(row->max, max));
	return refuse_option(row, word, valid);
}

static int take_psn(uint32_t *field, const struct rf_opt *row,
		    const char *word)
{
	if (rf_parse_psn(word, field))
		return refuse_option(row, word, "0 to 0xffffff");
	return 0;
}

static int take_by_row(void *fields, const struct rf_opt *row, const char *word)
{
	const char *valid = row->take(fields, word);

	return valid ? refuse_option(row, word, valid) : 0;
}

/* Process one option. Return: 0, 1 after --help or --version, or -EINVAL after a message. */
static int process_option(const struct rf_opts *opts, const struct rf_opt *row,
			  void *fields, const char *word)
{
	void *field = (char *)fields + row->field;

	switch ((enum rf_opt_kind)(row->kind & ~RF_OPT_PERSONAL)) {
	case RF_OPT_NUMBER:	return take_uint32(field, row, word);
	case RF_OPT_NUMBER64:	return take_number64(field, row, word);
	case RF_OPT_SIZE:	return take_size(field, row, word);
	case RF_OPT_TIME:	return take_time(field, row, word);
	case RF_OPT_PSN:	return take_psn(field, row, word);
	case RF_OPT_OWN:	return take_by_row(fields, row, word);
	case RF_OPT_TEXT:
		*(const char **)field = word;
		return 0;
	case RF_OPT_FLAG:
		*(bool *)field = true;
		return 0;
	case RF_OPT_HELP:
		print_command_usage(opts);
		return 1;
	case RF_OPT_VERSION:
		printf("%s %s\n", rf_progname, RF_VERSION);
		return 1;
	}
	return -EINVAL;
}

static void add_option_row(struct view *v, const struct rf_opt *row, void *fields,
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
static const struct rf_opt *row_named(const struct view *v, const char *word)
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
	const struct rf_opt *row = val == ':' ? row_named(v, word) : NULL;
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

static void write_size(FILE *f, uint64_t v)
{
	static const char *const units[] = { "", "K", "M", "G" };
	int i = 0;

	for (; v && v % 1024 == 0 && i < 3; i++)
		v /= 1024;
	fprintf(f, " %llu%s", (unsigned long long)v, units[i]);
}

static void write_value(FILE *f, const struct rf_opt *row, const void *field)
{
	char text[RF_FMT_LEN];

	switch (row->kind) {
	case RF_OPT_NUMBER:
		fprintf(f, " %u", *(const uint32_t *)field);
		break;
	case RF_OPT_NUMBER64:
		fprintf(f, " %llu",
			(unsigned long long)*(const uint64_t *)field);
		break;
	case RF_OPT_PSN:
		fprintf(f, " 0x%x", *(const uint32_t *)field);
		break;
	case RF_OPT_SIZE:
		write_size(f, *(const uint64_t *)field);
		break;
	case RF_OPT_TIME:
		fprintf(f, " %s", rf_exact_time(*(const uint64_t *)field, text));
		break;
	}
}

/*
 * Check whether all bits of the field are set. If so, the option was not given and has no
 * default.
 */
static bool has_no_value(const struct rf_opt *row, const void *field)
{
	switch (row->kind) {
	case RF_OPT_NUMBER:
		return *(const uint32_t *)field == UINT32_MAX;
	case RF_OPT_SIZE:
	case RF_OPT_TIME:
		return *(const uint64_t *)field == UINT64_MAX;
	default:
		return false;
	}
}

/*
 * Also write values that are the default, so that a rank with "-n 20" and a rank without -n
 * have the same text.
 */
static void write_row(FILE *f, const struct rf_opt *row, const void *field,
		      const char *word)
{
	bool is_word = row->kind == RF_OPT_OWN || row->kind == RF_OPT_TEXT;
	bool has_value = !is_word && row->kind != RF_OPT_FLAG &&
			 !has_no_value(row, field);

	if (row->kind >= RF_OPT_HELP)
		return;
	if (!has_value && !word)
		fprintf(f, "no ");
	if (row->letter)
		fprintf(f, "-%c", row->letter);
	else
		fprintf(f, "--%s", row->name);
	if (has_value)
		write_value(f, row, field);
	else if (is_word && word)
		fprintf(f, " %s", word);
	fputc('\n', f);
}

static int write_agreed(const struct view *v, char **words, char **text)
{
	size_t len;
	FILE *f = open_memstream(text, &len);

	for (; f && *words; words++)
		fprintf(f, "%s\n", *words);
	for (int i = 0; f && i < v->n; i++)
		write_row(f, v->rows[i],
			  (char *)v->fields[i] + v->rows[i]->field, v->words[i]);
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
int rf_opts_parse_command(const char *command, const struct rf_opt *rows, void *fields,
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
