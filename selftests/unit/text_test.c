// SPDX-License-Identifier: GPL-2.0
/*
 * Text of others in lines of ours: what is a character stays as it is, whatever
 * else there is can neither end the line nor break the JSON around it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/lib/err.c"
#include "../../tools/lib/text.c"
#include "tap.h"

static char got[256];

static void becomes(const char *text, const char *want, const char *words)
{
	snprintf(got, sizeof(got), "%s", text);
	ok(rf_text_line(got) == got && !strcmp(got, want), "%s", words);
}

static void stays(const char *text, const char *words)
{
	becomes(text, text, words);
}

static void characters_ok(void)
{
	stays("", "nothing");
	stays(" port \"v1\"~", "ASCII");
	stays("\u00a0\u00e4\u07ff", "characters of two bytes");
	stays("\u0800\u20ac\ud7ff\ue000\uffff", "of three");
	stays("\U00010000\U0001f600\U0010ffff", "and of four");
}

static void utf8_ok(void)
{
	char text[] = "a\n\033 \u20ac\177 \377\342\202";

	ok(rf_text_utf8(text) == text && !strcmp(text, "a\n\033 \u20ac\177 ???"),
	   "JSON has a way to write what would end a line");
}

static void others_fail(void)
{
	becomes("a\nb\r\tc\033[1m\177", "a b  c [1m ", "control characters");
	becomes("\302\205\302\233", "????", "those of Latin-1");
	becomes("a\377\200b", "a??b", "bytes of no character");
	becomes("\300\200 \301\277", "?? ??", "ASCII in two bytes");
	becomes("\340\200\200 \360\200\200\200", "??? ????",
		"more bytes than are needed");
	becomes("\355\240\200", "???", "half of a pair of UTF-16");
	becomes("\364\220\200\200 \365\200\200\200", "???? ????",
		"more than there is in Unicode");
	becomes("a\342\202 \342\202\254", "a?? \u20ac",
		"a character that another one cuts off");
	becomes("a\303", "a?", "one of two bytes that the end cuts off");
	becomes("a\342\202", "a??", "one of three");
	becomes("a\360\237\230", "a???", "and one of four");
}

/* What rf_err() writes to stderr */
static const char *error(bool json, const char *text)
{
	int fds[2], was = dup(STDERR_FILENO);
	ssize_t n;

	if (pipe(fds) || dup2(fds[1], STDERR_FILENO) < 0)
		return "no pipe";
	rf_json = json;
	rf_err("want a port, got \"%s\"", text);
	dup2(was, STDERR_FILENO);
	n = read(fds[0], got, sizeof(got) - 1);
	got[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	close(fds[1]);
	close(was);
	return got;
}

static void errors_ok(void)
{
	ok(!strcmp(error(false, "a\nb"),
		   "rdmafault: want a port, got \"a b\"\n"),
	   "an error is one line");
	ok(!strcmp(error(true, "\377\n"),
		   "{\"error\":\"want a port, got \\\"? \\\"\"}\n"),
	   "and in JSON it is UTF-8: %s", got);
}

int main(void)
{
	characters_ok();
	others_fail();
	utf8_ok();
	errors_ok();
	return done_testing();
}
