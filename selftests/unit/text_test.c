// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_text_line() and rf_text_utf8(), which make text of other programs safe for a line of
 * output and for JSON: printable characters are kept, all other bytes are replaced.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/base/err.c"
#include "../../tools/base/waiting.c"
#include "../../tools/base/text.c"
#include "tap.h"

static char got[256];

static void becomes(const char *text, const char *want, const char *words)
{
	snprintf(got, sizeof(got), "%s", text);
	ok(rf_text_line(got) == got && !strcmp(got, want), "rf_text_line() %s %s", text == want ? "keeps" : "replaces", words);
}

static void stays(const char *text, const char *words)
{
	becomes(text, text, words);
}

static void characters_ok(void)
{
	stays("", "an empty text");
	stays(" port \"v1\"~", "ASCII");
	stays("\u00a0\u00e4\u07ff", "characters of two bytes");
	stays("\u0800\u20ac\ud7ff\ue000\uffff", "characters of three bytes");
	stays("\U00010000\U0001f600\U0010ffff", "characters of four bytes");
}

static void utf8_ok(void)
{
	char text[] = "a\n\033 \u20ac\177 \377\342\202";

	ok(rf_text_utf8(text) == text && !strcmp(text, "a\n\033 \u20ac\177 ???"),
	   "rf_text_utf8() keeps control characters, because JSON escapes them, and replaces invalid UTF-8");
}

static void others_fail(void)
{
	becomes("a\nb\r\tc\033[1m\177", "a b  c [1m ", "control characters");
	becomes("\302\205\302\233", "????", "control characters of Latin-1");
	becomes("a\377\200b", "a??b", "bytes that are not part of a character");
	becomes("\300\200 \301\277", "?? ??", "ASCII encoded in two bytes");
	becomes("\340\200\200 \360\200\200\200", "??? ????",
		"characters encoded in more bytes than needed");
	becomes("\355\240\200", "???", "half of a surrogate pair");
	becomes("\364\220\200\200 \365\200\200\200", "???? ????",
		"code points beyond Unicode");
	becomes("a\342\202 \342\202\254", "a?? \u20ac",
		"a character truncated by another one");
	becomes("a\303", "a?", "a character of two bytes truncated by the end");
	becomes("a\342\202", "a??", "a character of three bytes truncated by the end");
	becomes("a\360\237\230", "a???", "a character of four bytes truncated by the end");
}

/* Return: the line that rf_err() prints on stderr for the error @text */
static const char *error(bool json, const char *text)
{
	int fds[2], was = dup(STDERR_FILENO);
	ssize_t n;

	if (pipe(fds) || dup2(fds[1], STDERR_FILENO) < 0)
		return "no pipe";
	rf_json = json;
	rf_err("port \"%s\": no such port", text);
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
		   "rdmafault: port \"a b\": no such port\n"),
	   "rf_err() prints an error with a newline in it as one line");
	ok(!strcmp(error(true, "\377\n"),
		   "{\"error\":\"port \\\"? \\\": no such port\"}\n"),
	   "rf_err() prints an error in JSON as UTF-8: %s", got);
}

int main(void)
{
	characters_ok();
	others_fail();
	utf8_ok();
	errors_ok();
	return done_testing();
}
