// SPDX-License-Identifier: GPL-2.0
/*
 * Words to a rule, every word right and wrong, and back to words: what is
 * printed must make the same rule again.
 */
#include <string.h>

#include "../../kmod/opcode.c"
#include "../../tools/lib/ruleformat.c"
#include "../../tools/lib/rulewords.c"
#include "../../tools/lib/units.c"
#include "tap.h"

#define WORDS_MAX 32

static int parse_line(const char *line, struct rf_rule_spec *spec, char *why,
		      size_t len)
{
	char *argv[WORDS_MAX], copy[512], *save, *word;
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok_r(copy, " ", &save); word && argc < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	return rf_rule_parse(argc, argv, spec, why, len);
}

/* @back: what is printed, NULL when it is the line itself. */
static void takes(const char *line, const char *back)
{
	char why[256] = "", text[256] = "";
	struct rf_rule_spec a, b;
	int err = parse_line(line, &a, why, sizeof(why));

	ok(!err, "\"%s\" is taken %s", line, why);
	if (err)
		return;
	rf_rule_format(&a, text, sizeof(text));
	ok(!strcmp(text, back ? back : line), "and reads \"%s\"", text);
	ok(!parse_line(text, &b, why, sizeof(why)) &&
	   !memcmp(&a, &b, sizeof(a)), "and makes the same rule again");
}

static void refuses(const char *line, const char *because)
{
	struct rf_rule_spec spec;
	char why[256] = "";

	ok(parse_line(line, &spec, why, sizeof(why)) == -EINVAL &&
	   strstr(why, because) && !strchr(why, '\n'),
	   "\"%s\" is refused: %s", line, why);
}

static void words_ok(void)
{
	takes("qp 17 drop", NULL);
	takes("qp 0x11 drop", "qp 17 drop");
	takes("psn 16777215 watch", NULL);
	takes("psn +0 drop", NULL);
	takes("psn +0x10 drop", "psn +16 drop");
	takes("opcode rc-write-middle drop", NULL);
	takes("opcode 0x07 drop", "opcode rc-write-middle drop");
	takes("opcode 129 drop", "opcode cnp drop");
	takes("class nak drop", NULL);
	takes("class rnr,send,nak drop", "class send,nak,rnr drop");
	takes("position last,only drop", NULL);
	takes("pass 1 drop", NULL);
	takes("pass 2+ drop", NULL);
	takes("step 0 drop", NULL);
	takes("step 20 nth 6 count 1 drop", NULL);
	takes("all drop", NULL);
	takes("watch", NULL);
	takes("drop persist count 3 class write",
	      "class write count 3 persist drop");
	takes("qp 16777215 psn +16777215 opcode rc-read-response-middle "
	      "class send,write,read-request,read-response,atomic,ack,nak,rnr,"
	      "cnp,cm position first,middle,last,only pass 4294967295 "
	      "step 4294967295 nth 4294967295 count 4294967295 all persist drop",
	      NULL);
}

static void bad_values_fails(void)
{
	refuses("qp 0x1000000 drop", "qp: want 0 to 0xffffff");
	refuses("psn 16777216 drop", "got \"16777216\"");
	refuses("psn +0x1000000 drop", "psn: want");
	refuses("psn -1 drop", "psn: want");
	refuses("psn ++1 drop", "psn: want");
	refuses("opcode nonsense drop", "got \"nonsense\"");
	refuses("opcode 0x15 drop", "opcode: want a known opcode");
	refuses("opcode 256 drop", "opcode: want a known opcode");
	refuses("class foo drop", "class: want");
	refuses("class send,, drop", "class: want");
	refuses("class send,send drop", "class: want");
	refuses("class SEND drop", "class: want");
	refuses("position mid drop", "position: want");
	refuses("pass 0 drop", "pass: want");
	refuses("pass + drop", "pass: want");
	refuses("pass 1++ drop", "pass: want");
	refuses("pass 00000000000000001 drop", "pass: want");
	refuses("nth 0 drop", "nth: want 1");
	refuses("count 0 drop", "count: want 1");
	refuses("step -1 drop", "step: want 0");
}

static void bad_lines_fails(void)
{
	refuses("", "want an action");
	refuses("qp 1", "want an action");
	refuses("drop", "empty match would drop everything");
	refuses("count 1 nth 1 drop", "empty match would drop everything");
	refuses("persist drop", "empty match would drop everything");
	refuses("qp 1 drop watch", "want one action");
	refuses("drop drop all", "want one action");
	refuses("qp 1 qp 2 drop", "qp: want it once");
	refuses("psn 1 psn +2 drop", "psn: want it once");
	refuses("all all drop", "all: want it once");
	refuses("drop qp", "qp: want 0 to 0xffffff, got nothing");
	refuses("dro qp 1", "got \"dro\"");
	refuses("qpn 1 drop", "got \"qpn\"");
	refuses("--all drop", "got \"--all\"");
}

static void every_opcode_ok(void)
{
	struct rf_rule_spec spec;
	char line[64], why[256];
	int i, bad = 0, known = 0;

	for (i = 0; i < 256; i++) {
		if (!rf_opcode(i))
			continue;
		snprintf(line, sizeof(line), "opcode %s drop",
			 rf_opcode(i)->name);
		known++;
		bad += parse_line(line, &spec, why, sizeof(why)) ||
		       spec.match.opcode != (uint32_t)i;
	}
	ok(!bad, "each of %d opcodes is found by its name", known);
}

static void short_buffer_ok(void)
{
	char text[8], why[256];
	struct rf_rule_spec spec;

	parse_line("class read-request drop", &spec, why, sizeof(why));
	rf_rule_format(&spec, text, sizeof(text));
	ok(!strcmp(text, "class r"), "a short buffer cuts: \"%s\"", text);
}

int main(void)
{
	words_ok();
	bad_values_fails();
	bad_lines_fails();
	every_opcode_ok();
	short_buffer_ok();
	return done_testing();
}
