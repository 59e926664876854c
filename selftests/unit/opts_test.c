// SPDX-License-Identifier: GPL-2.0
/*
 * Before a job, ranks compare their options as text. Test what this text contains, and which
 * command lines have equal texts.
 */
#include <stdlib.h>
#include <string.h>

#include "../../tools/base/opts.c"
#include "../../tools/base/err.c"
#include "../../tools/base/key.c"
#include "../../tools/base/waiting.c"
#include "../../tools/base/why.c"
#include "../../tools/base/probability.c"
#include "../../tools/base/suggest.c"
#include "../../tools/base/text.c"
#include "../../tools/base/units.c"
#include "tap.h"

struct fields {
	uint32_t number, psn, own;
	uint64_t size, time, open, wide;
	const char *text, *file;
	bool flag, verbose;
};

#define F(member)	.at = offsetof(struct fields, member)

static int any_take(const struct rf_key *key, const char *word, void *fields)
{
	(void)key;
	((struct fields *)fields)->own = (uint32_t)strlen(word);
	return 0;
}

static const struct rf_kind any_kind = { .take = any_take };

static const struct rf_key rows[] = {
	{ "number", NULL, &rf_kind_u32, F(number), 0, 100, .letter = 'n', .value = "N" },
	{ "bytes", NULL, &rf_kind_size, F(size), .letter = 'b', .value = "SIZE" },
	{ "open", NULL, &rf_kind_size, F(open), .value = "SIZE" },
	{ "time", NULL, &rf_kind_time, F(time), 0, UINT64_MAX, .value = "TIME" },
	{ "psn", NULL, &rf_kind_hex, F(psn), 0, 0xffffff, .value = "PSN" },
	{ "own", NULL, &any_kind, .letter = 'o', .value = "WORD" },
	{ "wide", NULL, &rf_kind_u64, F(wide), 0, UINT64_MAX, .value = "N" },
	{ "text", NULL, &rf_kind_text, F(text), .value = "TEXT" },
	{ "file", NULL, &rf_kind_text, F(file), .letter = 'J', .value = "FILE", .personal = true },
	{ "flag", NULL, &rf_kind_bool, F(flag) },
	{ "verbose", NULL, &rf_kind_bool, F(verbose), .letter = 'v', .personal = true },
	{ "help", NULL, &rf_kind_help, .letter = 'h' },
};

/*
 * Return: the text that ranks compare for a command line (to be freed), NULL if the command
 * line is refused
 */
static char *agreed(const char *const *words)
{
	struct fields fields = { .number = 7, .size = 3 << 20, .psn = 0x1000,
				 .open = UINT64_MAX };
	const struct rf_opt_table table = {
		.rows = rows, .n = sizeof(rows) / sizeof(rows[0]), .fields = &fields,
	};
	char *argv[32] = { (char *)"test" }, *text = NULL;
	const struct rf_opts args = {
		.synopsis = "", .end = "", .tables = &table, .n = 1,
		.agreed = &text,
	};
	int argc = 1;

	while (words[argc - 1]) {
		argv[argc] = (char *)words[argc - 1];
		argc++;
	}
	optind = 0;
	return rf_opts_parse(&args, argc, argv) > 0 ? text : NULL;
}

#define WORDS(...)	((const char *const[]){ __VA_ARGS__, NULL })

static void is_text(const char *what, const char *const *words,
		    const char *wanted)
{
	char *text = agreed(words);

	ok(text && !strcmp(text, wanted), "%s", what);
	free(text);
}

static void same(const char *what, const char *const *a, const char *const *b,
		 bool wanted)
{
	char *ta = agreed(a), *tb = agreed(b);

	ok(ta && tb && !strcmp(ta, tb) == wanted, "%s", what);
	free(ta);
	free(tb);
}

int main(void)
{
	static const char *const none[] = { NULL };

	rf_progname = "test";
	is_text("the text of an empty command line has the defaults", none,
		"-n 7\n-b 3MiB\nno --open\n--time 0ns\n--psn 0x1000\nno -o\n--wide 0\nno --text\nno --flag\n");
	is_text("the text has all options except those that can differ between ranks",
		WORDS("word", "-n", "8", "-b", "1025", "--open", "2", "--time", "1500us",
		      "--psn", "0x20", "-o", "sum", "--wide", "18446744073709551615",
		      "--text", "t", "--flag", "-J", "f", "-v"),
		"word\n-n 8\n-b 1025B\n--open 2B\n--time 1.5ms\n--psn 0x20\n-o sum\n--wide 18446744073709551615\n--text t\n--flag\n");
	same("the text is the same if a default is given explicitly", none, WORDS("-n", "7", "-b", "3072K"), true);
	same("the text is the same for two spellings of a value", WORDS("-b", "1M"),
	     WORDS("--bytes=1048576"), true);
	same("the text is the same for another order of options", WORDS("-n", "1", "-b", "2"),
	     WORDS("-b", "2", "-n", "1"), true);
	same("the text is the same for other output files", WORDS("-J", "a"), WORDS("-J", "b"), true);
	same("the text differs with another number", WORDS("-b", "1M"), WORDS("-b", "2M"), false);
	same("the text differs with another word of an option", WORDS("-o", "sum"), WORDS("-o", "max"), false);
	same("the text differs with a flag", WORDS("--flag"), none, false);
	same("the text differs with another argument", WORDS("a"), WORDS("b"), false);
	ok(!agreed(WORDS("--wide", "18446744073709551616")),
	   "rf_opts_parse() refuses a number of more than 64 bits");
	ok(!agreed(WORDS("-n", "101")), "rf_opts_parse() refuses a number out of range");
	ok(!agreed(WORDS("--numb", "8")) && !agreed(WORDS("--numb=8")) &&
	   !agreed(WORDS("--fla")), "rf_opts_parse() refuses an abbreviated option");
	same("the text is the same with the argument before or after the options", WORDS("a", "--number", "8"),
	     WORDS("--number=8", "a"), true);
	return done_testing();
}
