// SPDX-License-Identifier: GPL-2.0
/*
 * Test the program rdmafault without the module. Options like --help and --version are
 * accepted at any place before "--". After "--", such options belong to the user's command.
 * Also test long command lines and the option -batch.
 */
#include <stdlib.h>
#include <unistd.h>

#define main rdmafault
#include "tools/cli/main.c"
#undef main
#include "golden.h"
#include "said.h"
#include "tap.h"

#define WORDS_MAX 1024

static char out[256];

static int outside;	/* the original stdout */

static FILE *catch_stdout(void)
{
	FILE *f = tmpfile();

	fflush(stdout);
	outside = dup(STDOUT_FILENO);
	dup2(fileno(f), STDOUT_FILENO);
	return f;
}

/* Restore stdout, and copy the start of the captured output to @out. */
static void let_stdout_go(FILE *f)
{
	size_t n;

	fflush(stdout);
	dup2(outside, STDOUT_FILENO);
	close(outside);
	rewind(f);
	n = fread(out, 1, sizeof(out) - 1, f);
	out[n] = '\0';
	fclose(f);
}

static int run_words(int argc, char **argv)
{
	FILE *f = catch_stdout();
	int status;

	said[0] = '\0';
	status = rdmafault(argc, argv);
	let_stdout_go(f);
	return status;
}

/*
 * Run the command line @line, split at spaces and followed by @n times @more. Return: the exit
 * status
 */
static int run_line(const char *line, const char *more, int n)
{
	char copy[256], *argv[WORDS_MAX] = { (char *)"rdmafault" }, *at, *word;
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (at = copy; (word = strsep(&at, " "));)
		argv[argc++] = word;
	while (n-- > 0)
		argv[argc++] = (char *)more;
	return run_words(argc, argv);
}

static void prints(const char *line, const char *begin)
{
	int status = run_line(line, NULL, 0);

	ok(!status && !strncmp(out, begin, strlen(begin)),
	   "\"rdmafault %s\" exits with 0 and prints \"%s...\"", line, begin);
	if (status)
		printf("# status %d, error \"%s\"\n", status, said);
}

static void says(const char *line)
{
	ok(run_line(line, NULL, 0) && *said, "\"rdmafault %s\" fails with an error", line);
	golden(said, "rdmafault %s", line);
}

static void options_ok(void)
{
	static const char help[] = "Usage: rdmafault", version[] = "rdmafault ";

	prints("-h", help);
	prints("-?", help);
	prints("--help", help);
	prints("stat -h", "Usage: rdmafault stat ");
	prints("help stat", "Usage: rdmafault stat ");
	prints("rule add v99 tx drop --help", "Usage: rdmafault rule add ");
	prints("pause v99 prio 3 storm -h", "Usage: rdmafault pause DEV prio PRIO storm ");
	prints("pause --help", "Usage: rdmafault pause DEV prio PRIO xoff ");
	prints("version -h", "Usage: rdmafault version");
	prints("-q -V", version);
	prints("-V", version);
	prints("--version", version);
	prints("stat -V", version);
	prints("run x.yaml --version", version);
	prints("stat --json -V", "{");
	says("drop v99 tx all -- command -h -V --help");
	says("puase v1");
	says("fabric dwon");
	says("help nonsense");
}

/* A command line can be very long, because the shell can expand a pattern to many words. */
static void many_words(const char *line, const char *word)
{
	const int n = 600;

	ok(run_line(line, word, n) && *said, "\"rdmafault %s\" with %d times \"%s\" fails with an error", line,
	   n, word);
	golden(said, "rdmafault %s, and %d times %s", line, n, word);
}

static void many_words_ok(void)
{
	many_words("drop v99 tx all -- command", "a.c");
	many_words("rule add v99 tx drop all -- command", "a.c");
	many_words("drop v99 tx all", "persist");
}

/* Run a file of commands (-batch) that contains @text. Return: the exit status */
static int run_batch(const char *options, const char *text)
{
	char name[] = "/tmp/cmd_test.XXXXXX", line[128];
	int fd = mkstemp(name), status;
	FILE *f = fdopen(fd, "w");

	fputs(text, f);
	fclose(f);
	snprintf(line, sizeof(line), "%s%s", options, name);
	status = run_line(line, NULL, 0);
	unlink(name);
	return status;
}

static void batch_ok(void)
{
	ok(!run_batch("-batch ", "# first\n\n\tversion # second\nver\\\nsion\n'version'\nversion") &&
	   !strcmp(out, "rdmafault " RF_VERSION "\nrdmafault " RF_VERSION "\nrdmafault " RF_VERSION "\nrdmafault " RF_VERSION "\n"),
	   "-batch accepts blank lines, comments, continued lines, quotes and a last line without newline");
	ok(!run_batch("--json -b ", "version\n") && out[0] == '{',
	   "--json -b prints results in JSON");
	ok(!run_batch("--quiet -b ", "-q version\nversion\n") && rf_quiet,
	   "--quiet -b is quiet in each command");
	ok(run_batch("-batch ", "version\nnone\nversion\n") == RF_EXIT_USAGE &&
	   !strcmp(out, "rdmafault " RF_VERSION "\n"),
	   "-batch ends at the first error");
	ok(run_batch("-force -batch ", "none\nversion\n") == RF_EXIT_USAGE &&
	   !strcmp(out, "rdmafault " RF_VERSION "\n"),
	   "-force -batch continues after an error, and exits with its status");
	ok(run_batch("-batch ", "version 'x\n") == RF_EXIT_USAGE &&
	   strstr(said, "has no closing quote"), "-batch refuses an unclosed quote: %s", said);
	ok(run_batch("-batch ", "-batch -\n") == RF_EXIT_USAGE,
	   "-batch refuses -batch inside a batch file");
	says("-batch /none");
	says("-batch");
	says("-force version");
	says("-batch x version");
}

static void file_names_ok(void)
{
	FILE *f = catch_stdout();

	rf_json = true;
	rf_out_begin_object();
	rf_out_str("file", NULL, "\303\244\377.yaml");
	rf_out_end();
	rf_json = false;
	let_stdout_go(f);
	ok(strstr(out, "\"\303\244?.yaml\""), "a file name in JSON output is valid UTF-8");
}

int main(void)
{
	options_ok();
	many_words_ok();
	batch_ok();
	file_names_ok();
	golden_compare("cmd.txt");
	return done_testing();
}
