// SPDX-License-Identifier: GPL-2.0
/*
 * Run commands from a file, one per line. The syntax is that of tc, ip and bridge: words
 * are separated by spaces and can be quoted, "#" starts a comment, and a backslash at the
 * end of a line continues the line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"

#define BLANKS " \t\r\n"

struct batch {
	FILE *f;
	const char *name;
	char *line;		/* the command, of one or more lines of the file */
	unsigned long number;	/* line number of the command's first line */
	unsigned long lines;	/* number of lines read so far */
};

/* Append the next line of the file. Return: 1, 0 at the end of the file, or -errno. */
static int append_line(struct batch *b)
{
	size_t used = b->line ? strlen(b->line) : 0, room = 0;
	char *more = NULL, *line;
	ssize_t n;

	errno = 0;
	n = getline(&more, &room, b->f);
	if (n < 0) {
		free(more);
		return -errno;
	}
	b->lines++;
	line = realloc(b->line, used + n + 1);
	if (!line) {
		free(more);
		return -ENOMEM;
	}
	memcpy(line + used, more, n + 1);
	free(more);
	b->line = line;
	return 1;
}

/* Remove a backslash at the end of the line. Return: true if there was one. */
static bool continues(char *line)
{
	size_t n = strlen(line);

	if (n < 2 || strcmp(line + n - 2, "\\\n"))
		return false;
	line[n - 2] = '\0';
	return true;
}

static int next_command(struct batch *b)
{
	int ret;

	free(b->line);
	b->line = NULL;
	b->number = b->lines + 1;
	do {
		ret = append_line(b);
	} while (ret > 0 && continues(b->line));
	return b->line && !ret ? 1 : ret;
}

/* Split a line into words, in place; argv[0] is the program. Return: argc, or -EINVAL. */
static int split_words(char *line, char **argv)
{
	int argc = 1;

	for (line += strspn(line, BLANKS); *line && *line != '#';
	     line += strspn(line, BLANKS)) {
		char quote = *line == '"' || *line == '\'' ? *line++ : 0;
		char *end = quote ? strchr(line, quote) :
				    line + strcspn(line, BLANKS);

		if (!end)
			return -EINVAL;
		argv[argc++] = line;
		line = end + !!*end;
		*end = '\0';
	}
	argv[argc] = NULL;
	return argc;
}

static int run_command(struct batch *b, int (*run)(int argc, char **argv))
{
	char **argv = calloc(strlen(b->line) / 2 + 3, sizeof(*argv));
	int argc, status = RF_EXIT_OK;

	if (!argv) {
		rf_err("%s: %s", b->name, strerror(ENOMEM));
		return RF_EXIT_FAILED;
	}
	argv[0] = (char *)rf_progname;
	argc = split_words(b->line, argv);
	if (argc > 1) {
		status = run(argc, argv);
	} else if (argc < 0) {
		rf_err("a quoted word has no closing quote");
		status = RF_EXIT_USAGE;
	}
	free(argv);
	fflush(stdout);
	return status;
}

static void say_failed(const struct batch *b)
{
	if (rf_json)
		rf_err("Command failed %s:%lu", b->name, b->number);
	else
		fprintf(stderr, "Command failed %s:%lu\n", b->name, b->number);
}

static int run_commands(struct batch *b, bool force,
			int (*run)(int argc, char **argv))
{
	const bool json = rf_json, quiet = rf_quiet;
	int first = RF_EXIT_OK, ret;

	while ((ret = next_command(b)) > 0) {
		int status = run_command(b, run);

		rf_json = json;
		rf_quiet = quiet;
		if (!status)
			continue;
		say_failed(b);
		if (!first)
			first = status;
		if (!force)
			return first;
	}
	if (!ret)
		return first;
	rf_err("%s: %s", b->name, strerror(-ret));
	return RF_EXIT_FAILED;
}

/**
 * rf_batch - run the commands of a file
 * @name: the file, or "-" for stdin
 * @force: continue after a command that fails
 * @run: runs one command, with the program as its first word
 *
 * Return: the exit status of the first command that failed, or RF_EXIT_OK.
 */
int rf_batch(const char *name, bool force,
	     int (*run)(int argc, char **argv))
{
	bool is_stdin = !strcmp(name, "-");
	struct batch b = { .name = name };
	int status;

	b.f = is_stdin ? stdin : fopen(name, "re");
	if (!b.f) {
		rf_err("%s: %s", name, strerror(errno));
		return RF_EXIT_NO_RESULT;
	}
	status = run_commands(&b, force, run);
	free(b.line);
	if (!is_stdin)
		fclose(b.f);
	return status;
}
