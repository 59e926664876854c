// SPDX-License-Identifier: GPL-2.0
/*
 * Test parsing and printing of rules: every word is tested with valid and invalid values.
 * Parsing a printed rule must give the same rule.
 */
#include <string.h>

#include "../../kmod/rocev2/opcode.c"
#include "../../tools/base/key.c"
#include "../../tools/base/probability.c"
#include "../../tools/rule/ruleformat.c"
#include "../../tools/rule/rulenames.c"
#include "../../tools/rule/rulewords.c"
#include "../../tools/base/units.c"
#include "../../tools/base/suggest.c"
#include "../../tools/base/text.c"
#include "../../tools/base/why.c"
#include "../../tools/rule/words_kind.c"
#include "../../tools/rule/words_match.c"
#include "../../tools/rule/words_trigger.c"
#include "../../tools/rule/words_rule.c"
#include "../../tools/rule/words_action.c"
#include "golden.h"
#include "tap.h"

static int parse_line(const char *line, struct rf_rule_spec *spec,
		      struct rf_why *why)
{
	char copy[RF_RULE_TEXT_LEN];

	snprintf(copy, sizeof(copy), "%s", line);
	return rf_rule_parse_line(copy, spec, why);
}

/*
 * Parse the rule @line and print it. The printed rule must be @back, or @line itself if @back
 * is NULL.
 */
static void takes(const char *line, const char *back)
{
	char text[RF_RULE_TEXT_LEN] = "";
	struct rf_rule_spec a, b;
	struct rf_why why;
	int err = parse_line(line, &a, &why);

	ok(!err, "the rule \"%s\" is accepted %s", line, err ? why.text : "");
	if (err)
		return;
	rf_rule_format(&a, text, sizeof(text));
	ok(!strcmp(text, back ? back : line), "the rule \"%s\" is printed as \"%s\"", line, text);
	ok(!parse_line(text, &b, &why) &&
	   !memcmp(&a, &b, sizeof(a)), "the printed rule \"%s\" is parsed to the same rule", text);
}

static void refuses(const char *line)
{
	struct rf_rule_spec spec;
	struct rf_why why;
	int err = parse_line(line, &spec, &why);

	ok(err == -EINVAL && why.text[0] && !strchr(why.text, '\n'),
	   "the rule \"%s\" is refused", line);
	golden(why.text, "%s", line);
}

static void words_ok(void)
{
	takes("qp 17 drop", NULL);
	takes("qp 0x11 drop", "qp 17 drop");
	takes("psn 16777215 observe", NULL);
	takes("psn +0 drop", NULL);
	takes("psn +0x10 drop", "psn +16 drop");
	takes("opcode rc-write-middle drop", NULL);
	takes("opcode 0x07 drop", "opcode rc-write-middle drop");
	takes("opcode 129 drop", "opcode cnp drop");
	takes("class nak drop", NULL);
	takes("class rnr,send,nak drop", "class send,nak,rnr drop");
	takes("position last,only drop", NULL);
	takes("cm rep drop", NULL);
	takes("cm drep,req,sidr-req drop", "cm req,drep,sidr-req drop");
	takes("attempt 1 drop", NULL);
	takes("attempt 2+ drop", NULL);
	takes("step 0 drop", NULL);
	takes("step 20 nth 6 count 1 drop", NULL);
	takes("all drop", NULL);
	takes("observe", NULL);
	takes("drop persist count 3 class write",
	      "class write count 3 persist drop");
}

static void match_words_ok(void)
{
	takes("qp 17,18,0x13 drop", "qp 17,18,19 drop");
	takes("qp any drop", "all drop");
	takes("psn 100-200 drop", NULL);
	takes("psn 0xfffff0-15 drop", "psn 16777200-15 drop");
	takes("psn +100-+200 drop", NULL);
	takes("attempt 2-4 drop", NULL);
	takes("attempt 3-3 drop", "attempt 3 drop");
	takes("attempt 4294967295 drop", NULL);
	takes("syndrome 0x60 drop", NULL);
	takes("syndrome 96/0x60 drop", "syndrome 0x60/0x60 drop");
	takes("flow 3 drop", NULL);
	takes("message 1 drop", NULL);
	takes("message 5+ drop", NULL);
	takes("message 5-7 drop", NULL);
	takes("message -1 drop", NULL);
	takes("step-message 1-4294967295 drop", "step-message 1+ drop");
	takes("step-message -2 drop", NULL);
	takes("packet 2+ drop", NULL);
	takes("packet 3-9 drop", NULL);
	takes("priority 3,0 drop", "priority 0,3 drop");
	takes("dscp 0 drop", NULL);
	takes("ecn not-ect,ce drop", NULL);
	takes("src 10.0.0.1 dst 10.0.0.0/8 drop", NULL);
	takes("src fe80::1 drop", NULL);
	takes("dst 2001:db8::/32 drop", NULL);
	takes("src 10.0.0.1/32 drop", NULL);
	takes("dst ::/0 drop", NULL);
	takes("sport 0 drop", NULL);
	takes("payload 0 drop", NULL);
	takes("payload 4096+ drop", NULL);
	takes("payload 1-255 drop", NULL);
	takes("step 5+ drop", NULL);
	takes("step 5-9 drop", NULL);
}

static void trigger_words_ok(void)
{
	takes("qp 1 nth 3 drop", NULL);
	takes("qp 1 every 4294967295 after 5 count 2 drop", NULL);
	takes("qp 1 once flow drop", NULL);
	takes("qp 1 once qp drop", NULL);
	takes("qp 1 once step drop", NULL);
	takes("qp 1 probability 1% drop", NULL);
	takes("qp 1 probability 0.001 drop", "qp 1 probability 0.1% drop");
	takes("qp 1 probability 1e-9 drop", NULL);
	takes("qp 1 probability 0.0000001% drop",
	      "qp 1 probability 1e-9 drop");
	takes("qp 1 probability 0.5 drop", "qp 1 probability 50% drop");
	takes("qp 1 probability 100% drop", NULL);
	takes("qp 1 probability 0 drop", "qp 1 probability 0% drop");
	takes("qp 1 probability 12.3456789% correlation 25% drop", NULL);
	takes("qp 1 probability 1% burst 3 burst-max 1024 drop", NULL);
	takes("qp 1 gemodel 1% drop", NULL);
	takes("qp 1 gemodel 1% 10% 70% 0.1% drop", NULL);
	takes("qp 1 gemodel 1% 10% count 3 drop",
	      "qp 1 count 3 gemodel 1% 10% drop");
	takes("qp 1 state 1% drop", NULL);
	takes("qp 1 state 1% 10% 0% 100% 0.5% drop", NULL);
	takes("qp 1 from 1.5s for 10ms drop", NULL);
	takes("qp 1 from 0ns for 1500us drop", "qp 1 from 0ns for 1.5ms drop");
	takes("qp 1 from step 10 drop", "qp 1 step 10+ drop");
	takes("qp 1 from step 10 for 3 steps drop", "qp 1 step 10-12 drop");
	takes("qp 1 for 1 step from step 10 drop", "qp 1 step 10 drop");
	takes("qp 1 from step 4294967294 for 2 steps drop",
	      "qp 1 step 4294967294+ drop");
	takes("qp 1 from step 4294967295 drop", "qp 1 step 4294967295 drop");
}

static void rule_words_ok(void)
{
	takes("qp 1 seed 18446744073709551615 key 7 drop", NULL);
	takes("qp 1 expires 10s persist drop", NULL);
	takes("comm collperf pid 17 owner-dev rxe1 drop", NULL);
	takes("all seed 0 key 0 drop", "seed 0 key 0 all drop");
	takes("qp 1 key 4294967294 drop", NULL);
}

static void actions_ok(void)
{
	takes("all delay 10ms", NULL);
	takes("all delay 10ms jitter 2ms correlation 25% distribution pareto "
	      "keep-order", NULL);
	takes("all delay 20s jitter 0ns distribution uniform", NULL);
	takes("all reorder 3", NULL);
	takes("all reorder behind psn 17 within 50ms", NULL);
	takes("all reorder behind psn +16777215", NULL);
	takes("all duplicate", NULL);
	takes("all duplicate 16 after 1ms", NULL);
	takes("all corrupt bit", NULL);
	takes("all corrupt byte at 12 value 255 valid-icrc", NULL);
	takes("all corrupt icrc at 31", NULL);
	takes("all corrupt payload valid-icrc", NULL);
	takes("all truncate 0", NULL);
	takes("all truncate 100 valid-icrc", NULL);
	takes("all trim 0", NULL);
	takes("dscp 9 trim 4096 dscp 63", NULL);
	takes("trim 64 dscp 0 where dscp 9", "dscp 9 trim 64 dscp 0");
	takes("all mark", NULL);
	takes("all mark not-ect unless-ect drop", NULL);
	takes("all mark ce unless-ect leave", NULL);
	takes("all rewrite opcode rc-write-last qp 17 psn 0 pkey 0xffff "
	      "rkey 0xffffffff length 4096 syndrome 0x1f msn 5", NULL);
	takes("all rewrite opcode 0x15", NULL);
	takes("all nak psn-sequence", NULL);
	takes("all nak 4 to-qp 33", "all nak invalid-rd to-qp 33");
	takes("all rnr", NULL);
	takes("all rnr 31 to-qp 33", NULL);
	takes("all blackhole 5ms both", NULL);
}

/* In a rule, words of an action belong to the action before them. Other words end the action. */
static void several_actions_ok(void)
{
	takes("all duplicate 2 after 1ms delay 10ms mark", NULL);
	takes("delay 10ms qp 1 duplicate after 3us where after 3 mark",
	      "qp 1 after 3 delay 10ms duplicate after 3us mark");
	takes("rewrite psn 5 where psn +7", "psn +7 rewrite psn 5");
	takes("rewrite psn 5 count 1 psn +7", "psn +7 count 1 rewrite psn 5");
	takes("delay 1ms probability 1% correlation 2% all",
	      "probability 1% correlation 2% all delay 1ms");
	takes("all observe observe observe observe observe observe observe drop", NULL);
}

/* A rule with every word in its longest form */
static void longest_ok(void)
{
	static const char rewrite[] =
		" rewrite opcode rc-read-response-middle qp 16777215 "
		"psn 16777215 pkey 0xffff rkey 0xffffffff length 4294967295 "
		"syndrome 0xff msn 16777215";
	char line[RF_RULE_TEXT_LEN] = "qp 16777215";
	int i;

	for (i = 1; i < RDMAFAULT_QPS_MAX; i++)
		strcat(line, ",16777215");
	strcat(line, " psn +16777214-+16777215 opcode rc-read-response-middle "
	       "class send,write,read-request,read-response,atomic,ack,nak,rnr,"
	       "cnp,cm position first,middle,last,only "
	       "cm req,mra,rej,rep,rtu,dreq,drep,sidr-req,sidr-rep,lap,apr "
	       "attempt 4294967293-4294967294 syndrome 0xff/0xff flow 4294967295 "
	       "message 4294967290-4294967294 "
	       "step-message 4294967290-4294967294 "
	       "packet 4294967290-4294967294 priority 0,1,2,3,4,5,6,7 dscp 63 "
	       "ecn not-ect,ect1,ect0,ce "
	       "src 2001:db8:1111:2222:3333:4444:5555:6666/127 "
	       "dst 2001:db8:1111:2222:3333:4444:5555:6666/127 sport 65535 "
	       "payload 65533-65534 step 4294967293-4294967294 "
	       "nth 4294967295 every 4294967295 after 4294967295 "
	       "count 4294967295 once flow burst 1024 burst-max 1024 "
	       "state 12.3456789012% 12.3456789012% 12.3456789012% "
	       "12.3456789012% 12.3456789012% "
	       "from 18446744073.709551615s for 18446744073.709551615s "
	       "seed 18446744073709551615 key 4294967294 "
	       "expires 18446744073.709551615s all persist");
	for (i = 0; i < RDMAFAULT_ACTIONS_MAX; i++)
		strcat(line, rewrite);
	ok(strlen(line) < RF_RULE_TEXT_LEN / 4 * 3, "the longest rule fits into the buffer: %zu characters",
	   strlen(line));
	takes(line, NULL);
}

static void bad_values_fails(void)
{
	refuses("qp 0x1000000 drop");
	refuses("psn 16777216 drop");
	refuses("psn +0x1000000 drop");
	refuses("psn -1 drop");
	refuses("psn ++1 drop");
	refuses("opcode nonsense drop");
	refuses("opcode 0x15 drop");
	refuses("opcode 256 drop");
	refuses("class foo drop");
	refuses("class send,, drop");
	refuses("class send,send drop");
	refuses("class SEND drop");
	refuses("position mid drop");
	refuses("cm ack drop");
	refuses("cm req,req drop");
	refuses("attempt 0 drop");
	refuses("attempt + drop");
	refuses("attempt 1++ drop");
	refuses("attempt 00000000000000001 drop");
	refuses("nth 0 drop");
	refuses("count 0 drop");
	refuses("all key 4294967295 drop");
	refuses("step -1 drop");
}

static void bad_match_fails(void)
{
	refuses("qp 1, drop");
	refuses("qp ,1 drop");
	refuses("qp 1,any drop");
	refuses("qp 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,"
		"22,23,24,25,26,27,28,29,30,31,32 drop");
	refuses("psn 1- drop");
	refuses("psn 1-+2 drop");
	refuses("psn +1-2 drop");
	refuses("psn 1-0x1000000 drop");
	refuses("psn 1-2-3 drop");
	refuses("attempt 3-2 drop");
	refuses("attempt 0-2 drop");
	refuses("attempt 1-2+ drop");
	refuses("syndrome 0x100 drop");
	refuses("syndrome 1/0 drop");
	refuses("syndrome 1/256 drop");
	refuses("syndrome /1 drop");
	refuses("flow 0 drop");
	refuses("message 0 drop");
	refuses("message -0 drop");
	refuses("message --1 drop");
	refuses("message 7-5 drop");
	refuses("step-message 0+ drop");
	refuses("packet 0 drop");
	refuses("packet -1 drop");
	refuses("priority 8 drop");
	refuses("priority 1,1 drop");
	refuses("priority 1, drop");
	refuses("priority 12 drop");
	refuses("dscp 64 drop");
	refuses("ecn ect drop");
	refuses("ecn 3 drop");
	refuses("src 10.0.0 drop");
	refuses("src 10.0.0.1/33 drop");
	refuses("src ::1/129 drop");
	refuses("src 10.0.0.1/ drop");
	refuses("dst ::ffff:10.0.0.1 drop");
	refuses("dst host drop");
	refuses("sport 65536 drop");
	refuses("payload 65536 drop");
	refuses("payload 2-1 drop");
	refuses("step 3-2 drop");
	refuses("step 4294967296 drop");
}

static void bad_trigger_fails(void)
{
	refuses("qp 1 every 0 drop");
	refuses("qp 1 after 0 drop");
	refuses("qp 1 once packet drop");
	refuses("qp 1 probability 101% drop");
	refuses("qp 1 probability 1 drop");
	refuses("qp 1 probability 0.75 drop");
	refuses("qp 1 probability 5 drop");
	refuses("qp 1 probability 1% correlation 1 drop");
	refuses("qp 1 gemodel 1% 1 drop");
	refuses("qp 1 delay 1ms jitter 1ms correlation 1");
	refuses("qp 1 probability 1.1 drop");
	refuses("qp 1 probability -1% drop");
	refuses("qp 1 probability 1e-13 drop");
	refuses("qp 1 probability 1%% drop");
	refuses("qp 1 correlation 1% drop");
	refuses("qp 1 burst 0 drop");
	refuses("qp 1 burst 1025 drop");
	refuses("qp 1 burst-max 1025 drop");
	refuses("qp 1 gemodel drop");
	refuses("qp 1 gemodel 1% 101% drop");
	refuses("qp 1 gemodel 1% 1% 1% 1% 1% drop");
	refuses("qp 1 state drop");
	refuses("qp 1 state 1% probability 1% drop");
	refuses("qp 1 state 1% gemodel 1% probability 1% drop");
	refuses("qp 1 from 10 drop");
	refuses("qp 1 from step drop");
	refuses("qp 1 from step -1 drop");
	refuses("qp 1 for 0ns drop");
	refuses("qp 1 for 3 drop");
	refuses("qp 1 from step 1 for 0 steps drop");
	refuses("qp 1 for 3 steps drop");
	refuses("qp 1 from 1s for 3 steps drop");
	refuses("qp 1 from step 1 for 1s drop");
	refuses("from step 1 step 2 drop");
	refuses("from step 4294967295 for 2 steps drop");
}

static void bad_rule_fails(void)
{
	refuses("seed rand all drop");
	refuses("seed 18446744073709551616 all drop");
	refuses("key -1 all drop");
	refuses("expires 10 all drop");
	refuses("expires 0s all drop");
	refuses("comm sixteen-letters16 drop");
	refuses("pid 0 drop");
	refuses("pid 2147483648 drop");
	refuses("qp 1 comm collperf drop");
	refuses("qp any pid 1 drop");
}

static void bad_actions_fails(void)
{
	refuses("all delay");
	refuses("all delay 10");
	refuses("all delay 20.1s");
	refuses("all delay 1ms jitter 21s");
	refuses("all delay 1ms jitter 1ms distribution paretonormal");
	refuses("all delay 1ms correlation 1%");
	refuses("all delay 1ms distribution normal");
	refuses("all delay 1ms keep-order keep-order");
	refuses("all reorder");
	refuses("all reorder 0");
	refuses("all reorder 1025");
	refuses("all reorder behind 3");
	refuses("all reorder behind psn");
	refuses("all reorder behind psn 0x1000000");
	refuses("all reorder 1 within 21s");
	refuses("all duplicate 0");
	refuses("all duplicate 17");
	refuses("all duplicate after 3");
	refuses("all corrupt");
	refuses("all corrupt word");
	refuses("all corrupt byte value 0");
	refuses("all corrupt byte value 256");
	refuses("all corrupt bit value 3");
	refuses("all corrupt icrc valid-icrc");
	refuses("all truncate");
	refuses("all truncate 65536");
	refuses("all trim");
	refuses("all trim 4097");
	refuses("all trim 64 dscp 64");
	refuses("all trim 64 valid-icrc");
	refuses("all mark red");
	refuses("all mark unless-ect keep");
	refuses("all rewrite");
	refuses("all rewrite opcode 256");
	refuses("all rewrite pkey 0x10000");
	refuses("all rewrite rkey 0x100000000");
	refuses("all rewrite syndrome 1/2");
	refuses("all rewrite msn 0x1000000");
	refuses("all nak");
	refuses("all nak 5");
	refuses("all nak rnr");
	refuses("all rnr 32");
	refuses("all rnr to-qp 0x1000000");
	refuses("all blackhole");
	refuses("all blackhole 1s bot");
	refuses("all drop at 5");
	refuses("corrupt bit qp 1 at 5");
	refuses("all drop drop drop drop drop drop drop drop drop");
}

static void bad_lines_fails(void)
{
	refuses("");
	refuses("qp 1");
	refuses("drop");
	refuses("count 1 nth 1 drop");
	refuses("persist drop");
	refuses("observe delay 1ms");
	refuses("where drop");
	refuses("qp 1 qp 2 drop");
	refuses("psn 1 psn +2 drop");
	refuses("all all drop");
	refuses("drop qp");
	refuses("dro qp 1");
	refuses("qpn 1 drop");
	refuses("--all drop");
}

static void long_refusal_ok(void)
{
	struct rf_rule_spec spec;
	struct rf_why why;
	char line[3000];
	int err;

	snprintf(line, sizeof(line), "qp %02500d drop", 1);
	err = parse_line(line, &spec, &why);
	ok(err == -EINVAL && strlen(why.text) > 2500 &&
	   strstr(why.text, "01: "),
	   "an error with a long value is not truncated: %zu bytes",
	   strlen(why.text));
}

static void every_opcode_ok(void)
{
	struct rf_rule_spec spec;
	struct rf_why why;
	char line[64];
	int i, bad = 0, known = 0;

	for (i = 0; i < 256; i++) {
		if (!rf_opcode(i))
			continue;
		snprintf(line, sizeof(line), "opcode %s drop",
			 rf_opcode(i)->name);
		known++;
		bad += parse_line(line, &spec, &why) ||
		       spec.match.opcode != (uint32_t)i;
	}
	ok(!bad, "each of %d opcodes is parsed by its name", known);
}

static void short_buffer_ok(void)
{
	struct rf_why why;
	char text[8];
	struct rf_rule_spec spec;

	parse_line("class read-request drop", &spec, &why);
	rf_rule_format(&spec, text, sizeof(text));
	ok(!strcmp(text, "class r"), "rf_rule_format() truncates to a short buffer: \"%s\"", text);
}

static void random_seed_ok(void)
{
	struct rf_rule_spec a, b;
	struct rf_why why;

	ok(!parse_line("all seed random drop", &a, &why) &&
	   !parse_line("all seed random drop", &b, &why) &&
	   a.set & RF_RULE_BIT(SEED) && a.seed != b.seed,
	   "\"seed random\" gives a different seed each time");
}

int main(void)
{
	words_ok();
	match_words_ok();
	trigger_words_ok();
	rule_words_ok();
	actions_ok();
	several_actions_ok();
	longest_ok();
	bad_values_fails();
	bad_match_fails();
	bad_trigger_fails();
	bad_rule_fails();
	bad_actions_fails();
	bad_lines_fails();
	long_refusal_ok();
	every_opcode_ok();
	short_buffer_ok();
	random_seed_ok();
	golden_compare("rulewords.txt");
	return done_testing();
}
