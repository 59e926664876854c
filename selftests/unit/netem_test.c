// SPDX-License-Identifier: GPL-2.0
/*
 * Test the conversion of netem words (see tc-netem(8)) to rules: valid words, invalid words,
 * and files of rules.
 */
#include <string.h>

static char said[1024];

#include "../../kmod/rocev2/opcode.c"
#include "../../tools/rule/netem.c"
#include "../../tools/base/key.c"
#include "../../tools/base/probability.c"
#include "../../tools/rule/ruleformat.c"
#include "../../tools/rule/rulefile.c"
#include "../../tools/rule/rulelist.c"
#include "../../tools/rule/rulenames.c"
#include "../../tools/rule/rulewords.c"
#include "../../tools/base/units.c"
#include "../../tools/base/suggest.c"
#include "../../tools/base/text.c"
#include "../../tools/base/why.c"
#include "../../tools/rule/words_action.c"
#include "../../tools/rule/words_kind.c"
#include "../../tools/rule/words_match.c"
#include "../../tools/rule/words_rule.c"
#include "../../tools/rule/words_trigger.c"
#include "golden.h"
#include "tap.h"

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

static int parse(const char *line, struct rf_rule_list *list,
		 struct rf_why *why)
{
	char copy[RF_RULE_TEXT_LEN];

	snprintf(copy, sizeof(copy), "%s", line);
	return rf_rules_parse_line(copy, list, why);
}

/*
 * @line, in the words of netem, must be converted to @rules (one rule per line). Parsing
 * @rules must give rules with the same text.
 */
static void is(const char *line, const char *rules)
{
	char text[RF_RULE_TEXT_LEN], all[8 * RF_RULE_TEXT_LEN] = "";
	struct rf_rule_list list = {}, again = {};
	struct rf_why why;
	bool same = true;
	size_t i;
	int err = parse(line, &list, &why);

	ok(!err, "\"%s\" is accepted %s", line, err ? why.text : "");
	for (i = 0; i < list.n; i++) {
		rf_rule_format(&list.rule[i], text, sizeof(text));
		strcat(strcat(all, i ? "\n" : ""), text);
		same = same && !parse(text, &again, &why) &&
		       !memcmp(&list.rule[i], &again.rule[i], sizeof(*list.rule));
	}
	ok(!strcmp(all, rules), "\"%s\" makes the expected rules", line);
	ok(same, "the rules printed for \"%s\" are parsed to the same rules", line);
	rf_rules_free(&list);
	rf_rules_free(&again);
}

static void refuses(const char *line)
{
	struct rf_rule_list list = {};
	struct rf_why why;
	int err = parse(line, &list, &why);

	ok(err == -EINVAL && !list.n && why.text[0] &&
	   !strchr(why.text, '\n'), "\"%s\" is refused", line);
	golden(why.text, "%s", line);
	rf_rules_free(&list);
}

static void lines_ok(void)
{
	is("netem \"delay 10ms 2ms loss 1% 25%\"",
	   "probability 1% correlation 25% all drop\n"
	   "all delay 10ms jitter 2ms");
	is("qp 17 netem loss 0.1", "qp 17 probability 0.1% drop");
	is("netem loss random 100% 0", "probability 100% all drop");
	is("netem drop 3%", "probability 3% all drop");
	is("netem loss 1% ecn",
	   "probability 1% all mark ce unless-ect drop");
	is("netem loss state 1% 10% 20% 30% 5%",
	   "state 1% 10% 20% 30% 5% all drop");
	is("netem loss gemodel 1% 10", "gemodel 1% 10% all drop");
	is("netem loss gemodel 1% 10% 70% 0.1% ecn",
	   "gemodel 1% 10% 70% 0.1% all mark ce unless-ect drop");
}

static void delays_ok(void)
{
	is("netem latency 1500USEC", "all delay 1.5ms");
	is("netem delay 10msecs 0", "all delay 10ms");
	is("netem delay 10ms 0 25%", "all delay 10ms");
	is("netem delay 10ms 2ms 25% distribution normal",
	   "all delay 10ms jitter 2ms correlation 25% distribution normal");
	is("netem distribution pareto delay 1s 10ms",
	   "all delay 1s jitter 10ms distribution pareto");
	is("netem delay 10ms reorder 25% 50%",
	   "probability 75% correlation 50% all delay 10ms");
	is("netem delay 10ms reorder 25% gap 1",
	   "probability 75% all delay 10ms");
}

static void order_ok(void)
{
	is("netem corrupt 0.1% delay 1ms duplicate 2% 3 loss 1% seed 7",
	   "probability 1% seed 7 all drop\n"
	   "probability 2% correlation 3% seed 7 all duplicate\n"
	   "probability 0.1% seed 7 all corrupt bit\n"
	   "seed 7 all delay 1ms");
	is("class write seed 3 count 5 expires 1s netem 'delay 1ms duplicate 1%'",
	   "class write count 5 probability 1% seed 3 expires 1s duplicate\n"
	   "class write count 5 seed 3 expires 1s delay 1ms");
}

static void lines_fails(void)
{
	refuses("netem");
	refuses("netem fuzz");
	refuses("netem delay 100");
	refuses("netem delay 21s");
	refuses("netem delay 10ms 5");
	refuses("netem delay 10ms 5ms 101%");
	refuses("netem delay");
	refuses("netem delay 10ms latency 10ms");
	refuses("netem delay 10ms distribution normal");
	refuses("netem delay 10ms 1ms distribution paretonormal");
	refuses("netem delay 10ms 1ms distribution");
	refuses("netem loss");
	refuses("netem loss all");
	refuses("netem loss 1e-9");
	refuses("netem loss 1%%");
	refuses("netem loss 1% loss 2%");
	refuses("netem loss 1% drop 2%");
	refuses("netem loss gemodel");
	refuses("netem loss gemodel 1 1 1 1 1");
	refuses("netem loss state 200");
	refuses("netem ecn");
	refuses("netem reorder 25%");
	refuses("netem delay 1ms gap 5");
	refuses("netem delay 1ms gap 1");
	refuses("netem delay 1ms reorder 1% gap 5");
	refuses("netem delay 1ms reorder 1% gap 0");
	refuses("netem delay 1ms seed x");
	refuses("seed 1 netem delay 1ms seed 2");
	refuses("netem delay 1ms limit 1000");
	refuses("netem rate 1mbit");
	refuses("netem delay 1ms slot 20ms");
	refuses("all drop netem loss 1%");
	refuses("probability 1% netem loss 1%");
	refuses("qp x netem loss 1%");
}

static int read_text(const char *text, struct rf_rule_list *list)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int err;

	said[0] = '\0';
	err = rf_rules_read(f, "a.rules", list);
	fclose(f);
	return err;
}

static void files_ok(void)
{
	struct rf_rule_list list = {};

	ok(!read_text("# of a run\n\n  qp 1 drop # one\r\n\tqp 2 observe\n"
		      "netem \"loss 1% delay 1ms\"\nqp 3 drop", &list) &&
	   list.n == 5, "rf_rules_read() reads a file of 5 rules%s", said);
	ok(list.rule[0].match.qp[0] == 1 && list.rule[4].match.qp[0] == 3,
	   "rf_rules_read() keeps the order of rules");
	ok(read_text("qp 4 drop\n\nqp 5 dorp\n", &list) &&
	   !strncmp(said, "a.rules:3: ", 11), "rf_rules_read() reports file and line of an invalid rule");
	golden(said, "a file with a wrong line");
	ok(list.n == 5, "rf_rules_read() adds no rule of a file with an invalid line");
	rf_rules_free(&list);
}

static void large_files_ok(void)
{
	static char text[(RDMAFAULT_RULES_MAX + 1) * 16];
	struct rf_rule_list list = {};
	size_t used = 0;
	int i;

	for (i = 0; i < RDMAFAULT_RULES_MAX; i++)
		used += sprintf(text + used, "qp %d drop\n", i);
	ok(!read_text(text, &list) && list.n == RDMAFAULT_RULES_MAX,
	   "rf_rules_read() reads %d rules%s", RDMAFAULT_RULES_MAX, said);
	rf_rules_free(&list);
	sprintf(text + used, "all observe\n");
	ok(read_text(text, &list), "rf_rules_read() refuses one rule more than the maximum");
	golden(said, "a file with one rule too many");
	rf_rules_free(&list);
}

int main(void)
{
	lines_ok();
	delays_ok();
	order_ok();
	lines_fails();
	files_ok();
	large_files_ok();
	golden_compare("netem.txt");
	return done_testing();
}
