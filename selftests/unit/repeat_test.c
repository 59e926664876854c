// SPDX-License-Identifier: GPL-2.0
/*
 * Test the conversion of recorded hits to rules that repeat the hits. Such a rule makes no
 * random decisions: it contains the values that were drawn at random in the recorded run. It
 * contains no value that differs from run to run. The parser accepts the text of the rule. Also
 * test the lines of "rdmafault monitor" and the JSON of events.
 */
#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kmod/rocev2/opcode.c"
#include "../../tools/base/jsonget.c"
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
#include "../../tools/trace/events.c"
#include "../../tools/trace/event_flow.c"
#include "../../tools/trace/repeat.c"
#include "../../tools/trace/ordinals.c"
#include "../../tools/trace/rulefile.c"
#include "golden.h"
#include "tap.h"

/* The rules of the hits in this test. The rule with the number N is rules[N]. */
static struct rf_rule_spec rules[16];

const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id)
{
	(void)book;
	(void)ifindex;
	return rules[id].actions ? &rules[id] : NULL;
}

/* Flows that existed before the recording started. */
static struct rf_flow_info flows[4];

int rf_nl_flow_each(struct rf_nl *nl, uint32_t ifindex, rf_flow_fn fn,
		    void *arg)
{
	int err = 0;
	size_t i;

	(void)nl;
	(void)ifindex;
	for (i = 0; !err && i < sizeof(flows) / sizeof(flows[0]); i++)
		if (flows[i].ordinal)
			err = fn(&flows[i], arg);
	return err;
}

static void parse(const char *line, struct rf_rule_spec *spec)
{
	char copy[RF_RULE_TEXT_LEN];
	struct rf_why why;

	snprintf(copy, sizeof(copy), "%s", line);
	if (rf_rule_parse_line(copy, spec, &why))
		printf("Bail out! \"%s\": %s\n", line, why.text);
}

/* Return: the event of a hit by the rule with the number @id. The rule is parsed from @line. */
static struct rf_event hit(uint32_t id, const char *line)
{
	struct rf_event e = {
		.kind = RF_EVENT_HIT, .t_ns = 12345678901ull, .seq = 9,
		.dev = "v1", .ifindex = 3, .rule = id, .family = AF_INET,
		.saddr = { 10, 77, 0, 1 }, .daddr = { 10, 77, 0, 2 },
		.qp = 17, .psn = 5, .psn_rel = 100, .opcode = 0x07,
		.attempt = 1, .flow = 2, .message = 7, .step = 3, .fault = true,
	};
	uint32_t i;

	parse(line, &rules[id]);
	e.count = rules[id].actions;
	for (i = 0; i < e.count; i++)
		e.types[i] = rules[id].action[i].type;
	e.action = e.types[0];
	return e;
}

#define PACKET "psn +100 opcode rc-write-middle attempt 1 flow 2 src 10.77.0.1 dst 10.77.0.2 count 1 "

/*
 * Convert the hit @e to a rule. The rule must be valid, and its text must be the macro PACKET,
 * followed by @actions.
 */
static void repeats(const struct rf_event *e, const char *actions)
{
	char text[RF_RULE_TEXT_LEN], want[RF_RULE_TEXT_LEN];
	struct rf_rule_spec spec, back = { };

	ok(!rf_event_repeat(e, rf_rulebook_find(NULL, 0, e->rule), &spec),
	   "a hit is converted to the rule that repeats it: %s", actions);
	rf_rule_format(&spec, text, sizeof(text));
	snprintf(want, sizeof(want), PACKET "%s", actions);
	ok(!strcmp(text, want), "the rule that repeats a hit is \"%s\"", text);
	if (strcmp(text, want))
		printf("# expected: %s\n", want);
	parse(text, &back);
	rf_rule_format(&back, want, sizeof(want));
	ok(!strcmp(text, want), "the rule that repeats a hit is valid: %s", text);
}

static void draws_ok(void)
{
	struct rf_event e;

	e = hit(1, "all probability 2% seed 7 drop");
	repeats(&e, "drop");
	e = hit(1, "all delay 10ms jitter 2ms distribution normal keep-order");
	e.values[0] = 10123457;
	repeats(&e, "delay 10.123457ms keep-order");
	e = hit(1, "all corrupt byte valid-icrc");
	e.values[0] = 40 | 0x7full << 32;
	repeats(&e, "corrupt byte at 40 value 127 valid-icrc");
	e = hit(1, "all corrupt bit");
	e.values[0] = 0;
	repeats(&e, "corrupt bit at 0");
	e.unchanged = 1;
	repeats(&e, "corrupt bit");
	e = hit(1, "all reorder behind psn 2");
	e.psn = 0xfffffe;
	repeats(&e, "reorder behind psn +104");
}

static void several_actions_ok(void)
{
	struct rf_event e;

	e = hit(1, "all truncate 64 delay 1ms jitter 1ms duplicate 2 after 5ms");
	e.values[1] = 1500000;
	repeats(&e, "truncate 64 delay 1.5ms duplicate 2 after 5ms");
}

static void other_packets_ok(void)
{
	char text[RF_RULE_TEXT_LEN];
	struct rf_rule_spec spec;
	struct rf_event e;

	e = hit(1, "class cm drop");
	e.qp = 1;
	e.family = AF_INET6;
	ok(!rf_event_repeat(&e, &rules[1], &spec) &&
	   strstr(rf_rule_format(&spec, text, sizeof(text)), "qp 1 ") &&
	   strstr(text, "src a4d:1:: "), "the rule that repeats a hit of a packet to QP 1 names the QP: %s", text);
	e.flow = 0;
	ok(rf_event_repeat(&e, &rules[1], &spec) == -ENODATA,
	   "a hit of an untracked flow cannot be repeated");
	e = hit(1, "all drop");
	ok(!rf_event_repeat(&e, NULL, &spec), "a hit by \"drop\" can be repeated if its rule is unknown");
	e = hit(1, "all truncate 64");
	ok(rf_event_repeat(&e, NULL, &spec) == -ENOENT, "a hit by \"truncate\" cannot be repeated if its rule is unknown");
}

static void line(const struct rf_event *e, const char *what)
{
	char text[RF_EVENT_LINE_LEN];

	rf_event_line(e, rf_rulebook_find(NULL, 0, e->rule), text);
	golden(text, "a line of monitor: %s", what);
}

static void lines_ok(void)
{
	struct rf_event e = hit(4, "all delay 10ms jitter 2ms");

	e.values[0] = 10123457;
	line(&e, "a hit");
	e.unchanged = 1;
	line(&e, "a hit that did not change the packet");
	e.unchanged = 0;
	e.kind = RF_EVENT_RETRANSMIT;
	e.attempt = 2;
	line(&e, "a retransmitted packet");
	e = (struct rf_event){
		.kind = RF_EVENT_HOLD, .t_ns = 12345678901ull, .seq = 9,
		.dev = "v1", .dir = 1, .rule = 4, .ns = 10123457, .qp = 17,
		.psn = 5, .opcode = 7, .attempt = 1,
	};
	line(&e, "a held packet");
	e.kind = RF_EVENT_RELEASE;
	line(&e, "a released packet");
	e = (struct rf_event){
		.kind = RF_EVENT_CNP, .t_ns = 12345678901ull, .dev = "v2", .family = AF_INET,
		.saddr = { 10, 77, 0, 1 }, .daddr = { 10, 77, 0, 2 }, .qp = 18,
	};
	line(&e, "a CNP");
	e.received = 1;
	line(&e, "a received CNP");
	e.kind = RF_EVENT_RATE;
	e.rate = 10000000;
	e.before = 20000000;
	e.target = 20000000;
	e.alpha = 500000000000;
	line(&e, "a rate that a CNP has reduced");
	e.cause = 1;
	e.rate = 15000000;
	e.before = 10000000;
	line(&e, "a rate that the timer has increased");
}

static bool has(const struct rf_event *e, const char *part)
{
	struct json_object *o = rf_event_json(e);
	bool found = strstr(json_object_to_json_string_ext(o,
				JSON_C_TO_STRING_PLAIN), part);

	json_object_put(o);
	return found;
}

static void json_ok(void)
{
	struct rf_event e = hit(4, "all delay 10ms corrupt byte");

	e.values[0] = 10000000;
	e.values[1] = 40 | 3ull << 32;
	ok(has(&e, "\"actions\":[{\"action\":\"delay\",\"delay_ns\":10000000},{\"action\":\"corrupt\",\"offset\":40,\"value\":3}]"),
	   "JSON of a hit has the random values by name");
	ok(has(&e, "\"type\":\"hit\"") && has(&e, "\"fault\":true") &&
	   has(&e, "\"flow\":2") && has(&e, "\"message\":7"),
	   "JSON of a hit has the identity of the packet");
	e.unchanged = 2;
	ok(has(&e, "\"actions\":[{\"action\":\"delay\",\"delay_ns\":10000000},{\"action\":\"corrupt\",\"unchanged\":true}]"),
	   "JSON of a hit says which action did not change the packet");
	e = (struct rf_event){ .kind = RF_EVENT_HOLD, .ns = 5, .rule = 2 };
	ok(has(&e, "\"type\":\"hold\"") && has(&e, "\"hold_ns\":5") &&
	   !has(&e, "psn_rel"), "JSON of a held packet has only its own members");
}

static char *read_file(const char *path)
{
	static char text[4096];
	FILE *f = fopen(path, "r");
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	text[n] = '\0';
	fclose(f);
	return text;
}

static void files_ok(void)
{
	char path[] = "/tmp/rules-XXXXXX";
	struct rf_events ev = { .lost = 3 };
	const struct rf_ordinals o = { };
	struct rf_rulefile *list;
	struct rf_event e;
	char *text;
	size_t n;

	close(mkstemp(path));
	e = hit(1, "all observe");
	e.fault = false;
	rf_events_add(&ev, &e);
	e = hit(2, "all drop");
	rf_events_add(&ev, &e);
	e.flow = 0;
	rf_events_add(&ev, &e);
	e = hit(3, "all truncate 1");
	rules[3].actions = 0;
	rf_events_add(&ev, &e);
	e.dir = 1;
	rf_events_add(&ev, &e);
	ok(!rf_rulefile_list(&ev, &list, &n) && n == 2 && list[0].dir == 0 &&
	   list[1].dir == 1, "rf_rulefile_list() returns one file per direction");
	ok(!rf_rulefile_write(&list[0], path, &ev, NULL, &o), "rf_rulefile_write() writes a file of rules");
	ok(list[0].rules == 1 && list[0].nameless == 1 && list[0].unknown == 1,
	   "rf_rulefile_write() counts hits that can and cannot be repeated");
	text = read_file(path);
	ok(strstr(text, "\n" PACKET "drop\n"), "the file has the rule of the hit that can be repeated");
	ok(!strstr(text, "observe"), "the file has no rule for a packet that was only observed");
	golden(text, "rules that repeat a recording");
	unlink(path);
	free(list);
	rf_events_free(&ev);
}

static struct rf_flow_info flow_before(const struct rf_event *e,
				       uint32_t ordinal, bool response)
{
	struct rf_flow_info f = {
		.ifindex = e->ifindex, .direction = e->dir, .addr_len = 4,
		.ordinal = ordinal, .response = response,
	};

	memcpy(f.saddr, e->saddr, sizeof(f.saddr));
	memcpy(f.daddr, e->daddr, sizeof(f.daddr));
	return f;
}

static void ordinals_ok(void)
{
	struct rf_event old = hit(1, "all drop"), new = old;
	struct rf_events ev = { .e = &new, .n = 1 };
	struct rf_ordinals o;

	new.flow = 5;
	flows[0] = flow_before(&old, 3, false);
	flows[1] = flow_before(&old, 2, false);
	flows[2] = flow_before(&old, 4, true);
	ok(!rf_ordinals_learn(&o, NULL) && o.n == 2,
	   "rf_ordinals_learn() reads the flows that existed before the recording");
	rf_ordinals_settle(&o, &ev);
	ok(rf_ordinals_flow(&o, &new) == 2, "flows that existed before are not counted in the number of a flow");
	new.dir = 1;
	ok(rf_ordinals_flow(&o, &new) == 5, "flows of another direction do not change the number of a flow");
	new.dir = 0;
	new.flow = 0;
	ok(rf_ordinals_flow(&o, &new) == 0, "the number of an unknown flow is 0");
	new.flow = 5;
	new.opcode = 0x11;
	ok(rf_ordinals_flow(&o, &new) == 1, "flows of responses are numbered separately");
	new.opcode = 7;
	ev.e = &old;
	rf_ordinals_settle(&o, &ev);
	ok(rf_ordinals_flow(&o, &new) == 5 && rf_ordinals_flow(&o, &old) == 2,
	   "flows that existed before are counted if one of them was hit");
	rf_ordinals_free(&o);
}

int main(void)
{
	ordinals_ok();
	draws_ok();
	several_actions_ok();
	other_packets_ok();
	lines_ok();
	json_ok();
	files_ok();
	golden_compare("repeat.txt");
	return done_testing();
}
