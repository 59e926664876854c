// SPDX-License-Identifier: GPL-2.0
/*
 * Scenarios: the lab's own loads, and each way to write it wrong is refused
 * with file, line and column, the thing, the legal form and the value given.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char said[1024];

#include "../../tools/lib/opcode.c"
#include "../../tools/lib/netem.c"
#include "../../tools/lib/probability.c"
#include "../../tools/lib/ruleformat.c"
#include "../../tools/lib/rulelist.c"
#include "../../tools/lib/rulenames.c"
#include "../../tools/lib/rulewords.c"
#include "../../tools/lib/units.c"
#include "../../tools/lib/words_action.c"
#include "../../tools/lib/words_kind.c"
#include "../../tools/lib/words_match.c"
#include "../../tools/lib/words_rule.c"
#include "../../tools/lib/words_trigger.c"
#include "../../tools/scenario/suggest.c"
#define parse_value measure_value
#include "../../tools/scenario/expect.c"
#include "../../tools/scenario/doc.c"
#include "../../tools/scenario/take.c"
#include "../../tools/scenario/price.c"
#define dir_names scenario_dir_names
#define take_qp section_take_qp
#include "../../tools/scenario/load.c"
#include "../../tools/scenario/check.c"
#include "tap.h"

const char *rf_progname = "test";
bool rf_json;

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

static const char good[] =
	"name: x\n"
	"title: X\n"
	"fabric: {nodes: 4}\n"
	"workload:\n"
	"  collective: all_reduce\n"
	"  ranks: 4\n"
	"  size: 256KiB\n"
	"  steps: 60\n"
	"qp: {timeout: 14}\n"
	"plays:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - port: v2\n"
	"        direction: tx\n"
	"        rule: class write step 20 nth 3 drop\n"
	"    expect: {naks: 1, resent: 1..128, stall: 60ms.., found-by: nak}\n";

static int load_text(const char *text, struct rf_scenario *s)
{
	char path[] = "/tmp/scenario-XXXXXX";
	int fd = mkstemp(path), err;

	said[0] = '\0';
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return -EIO;
	close(fd);
	err = rf_scenario_load(path, s);
	unlink(path);
	return err;
}

/* The good one with @from replaced by @to. */
static char *edited(const char *from, const char *to)
{
	const char *at = strstr(good, from);
	char *text = NULL;

	if (at && asprintf(&text, "%.*s%s%s", (int)(at - good), good, to,
			   at + strlen(from)) < 0)
		text = NULL;
	return text;
}

static void refused(const char *from, const char *to, const char *where,
		    const char *want)
{
	char *text = edited(from, to);
	struct rf_scenario s = { };
	int err = text ? load_text(text, &s) : 0;

	ok(err == -EINVAL && strstr(said, where) && strstr(said, want),
	   "refused: %s", strchrnul(said, ':') + 1);
	free(text);
}

static void good_loads_ok(void)
{
	const struct rf_fault *f;
	const struct rf_range *r;
	struct rf_scenario s;

	ok(!load_text(good, &s), "a scenario loads%s", said);
	ok(s.nodes == 4 && s.workload.ranks == 4 && s.workload.steps == 60 &&
	   s.workload.size == 262144 && s.qp.timeout == 14,
	   "its numbers are read");
	ok(s.qp.mtu == 4096 && s.qp.retry_cnt == 6 && s.price.ngpus == 3 &&
	   s.price.rate == 30, "what it doesn't say has defaults");
	f = s.plays[1].faults;
	ok(s.nplays == 2 && !s.plays[0].nfaults && s.plays[1].nfaults == 1 &&
	   !strcmp(f->port, "v2") && f->dir == RDMAFAULT_DIRECTION_TX &&
	   f->spec.match.step_min == 20 && f->spec.trigger.nth == 3, "its plays and faults too");
	r = s.plays[1].expect.range;
	ok(r[RF_NAKS].min == 1 && r[RF_NAKS].max == 1 &&
	   r[RF_RESENT].min == 1 && r[RF_RESENT].max == 128 &&
	   r[RF_STALL].min == 60000000 && r[RF_STALL].max == UINT64_MAX &&
	   r[RF_FOUND_BY].min == RF_FOUND_NAK && !r[RF_HITS].set,
	   "and what they are expected to show");
	rf_scenario_free(&s);
}

/* Words of the command line, steps as they are said, and netem's. */
static void rules_load_ok(void)
{
	const struct rf_rule_spec *spec;
	struct rf_scenario s;
	char *text = edited("step 20 nth 3 drop",
			    "from step 20 for 3 steps delay 1ms mark");

	ok(text && !load_text(text, &s), "several actions load%s", said);
	spec = &s.plays[1].faults->spec;
	ok(spec->match.step_min == 20 && spec->match.step_max == 22 &&
	   spec->actions == 2 && spec->action[0].delay == 1000000,
	   "in steps 20 to 22");
	rf_scenario_free(&s);
	free(text);
	text = edited("class write step 20 nth 3 drop",
		      "class write netem loss 1% 25%");
	ok(text && !load_text(text, &s), "a line of netem loads%s", said);
	spec = &s.plays[1].faults->spec;
	ok(spec->trigger.probability == RDMAFAULT_PROBABILITY_ONE / 100 &&
	   spec->action[0].type == RDMAFAULT_ACTION_DROP, "as a rule");
	rf_scenario_free(&s);
	free(text);
}

static void lab_loads_ok(void)
{
	struct rf_scenario s;

	said[0] = '\0';
	ok(!rf_scenario_load("labs/01-one-drop.yaml", &s), "the lab loads%s",
	   said);
	rf_scenario_free(&s);
}

static void keys_fails(void)
{
	refused("  size:", "  sise:", ":7:3: ", "did you mean \"size\"?");
	refused("naks:", "nacks:", ":17:14: ", "did you mean \"naks\"?");
	refused("qp:", "frobnicate:", ":9:1: ",
		"want a key of name, title, fabric");
	refused("  steps: 60\n", "", ":5:3: ", "want the key steps, got none");
	refused("  ranks: 4\n", "  ranks: 4\n  ranks: 4\n", ":7:3: ",
		"want ranks once, got it twice");
	refused("{nodes: 4}", "4", ":3:9: ", "want keys and values, got 4");
	refused("    faults:\n", "    faults: {}\n    x:\n", ":13:13: ",
		"faults: want a list");
}

static void values_fails(void)
{
	refused("256KiB", "256KB", ":7:9: ", "got \"256KB\"");
	refused("256KiB", "262144", ":7:9: ", "want a size with its unit");
	refused("60\n", "sixty\n", ":8:10: ",
		"steps: want a number from 1 to 100000, got \"sixty\"");
	refused("60\n", "\"60\"\n", ":8:10: ", "want a number");
	refused("60\n", "-1\n", ":8:10: ", "got \"-1\"");
	refused("timeout: 14", "retry-cnt: 7", ":9:17: ",
		"want a number from 0 to 6");
	refused("timeout: 14", "mtu: 3000", ":9:11: ",
		"want 256, 512, 1024, 2048 or 4096");
	refused("all_reduce", "all_sum", ":5:15: ", "want all_reduce");
	refused("60ms..", "60..", ":17:46: ", "want a time or a range of times");
	refused("1..128", "128..1", ":17:31: ", "want a count or a range");
	refused("found-by: nak", "found-by: luck", ":17:64: ",
		"want nak or timeout");
	refused("direction: tx", "direction: up", ":15:20: ",
		"want one of tx, rx, got \"up\"");
}

static void rules_fails(void)
{
	refused("class write", "clas write", ":16:15: ", "got \"clas\"");
	refused("nth 3 drop", "nth 3", ":16:15: ", "want an action");
	refused("nth 3 drop", "persist drop", ":16:15: ",
		"want one that ends with its play");
	refused("step 20", "step 61", ":16:15: ", "want a step up to 60");
	refused("class write step 20 nth 3 drop", "psn 0x1000000 drop",
		":16:15: ", "psn");
	refused("step 20", "from step 59 for 3 steps", ":16:15: ",
		"want steps up to 60, got \"61\"");
	refused("class write step 20", "comm collperf", ":16:15: ",
		"known before the job starts");
	refused("class write step 20 nth 3 drop",
		"netem delay 1ms loss 1%", ":16:15: ", "want one rule, got 2");
}

static void whole_fails(void)
{
	refused("port: v2", "port: v5", ":14:15: ",
		"want v1 to v4 or rxe1 to rxe4, got \"v5\"");
	refused("ranks: 4", "ranks: 5", ":6:10: ", "at most one a node, up to 4");
	refused("name: lossy", "name: clean", ":12:11: ",
		"want another one for each play");
	refused("  - name: clean\n", "", ":11:5: ",
		"want the first one without faults");
}

static void yaml_fails(void)
{
	refused("{nodes: 4}", "{nodes: 4", ":4:", "want YAML");
	refused("title: X\n", "title: !secret X\n", ":2:8: ", "want no tag");
	refused("plays:\n", "---\nplays:\n", ":11:", "want one document");
	refused("title: X\n", "title:\n", ":2:7: ", "want one line of text");
	ok(load_text("", &(struct rf_scenario){ }) == -EINVAL &&
	   strstr(said, ":1:1: want a scenario"), "an empty file is refused");
}

int main(void)
{
	good_loads_ok();
	lab_loads_ok();
	rules_load_ok();
	keys_fails();
	values_fails();
	rules_fails();
	whole_fails();
	yaml_fails();
	return done_testing();
}
