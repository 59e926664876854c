// SPDX-License-Identifier: GPL-2.0
/*
 * Test the loader of scenarios: valid files are loaded. A file with an error is refused; for
 * each kind of error, the message has file, line, column, object, value and the valid form.
 * Also test the schema and the printed plan.
 */
#include <json-c/json.h>

#include "golden.h"
#include "scenario_text.h"
#include "tools/analysis/analysis.h"
#include "tools/scenario/scenario.h"

static void good_loads_ok(void)
{
	const struct rf_fault *f;
	const struct rf_check *c;
	struct rf_scenario s;

	ok(!load_text(good, &s), "the valid scenario is loaded%s", said);
	ok(s.fabric.nodes == 4 && s.workload.ranks == 4 && s.workload.steps == 60 &&
	   s.workload.size == 262144 && s.qp.timeout == 14,
	   "numbers of the scenario are loaded");
	ok(s.qp.mtu == 4096 && s.qp.retry_cnt == 6 && s.price.ngpus == 3 &&
	   s.price.rate == 30 && s.price.every_ns == RF_STALL_EVERY_NS,
	   "missing keys have their defaults");
	f = s.cases[1].faults;
	ok(s.ncases == 2 && !s.cases[0].nfaults && s.cases[1].nfaults == 1 &&
	   !strcmp(f->port, "v2") && f->dir == RDMAFAULT_DIRECTION_TX &&
	   f->spec.match.step_min == 20 && f->spec.trigger.nth == 3, "its cases and faults too");
	c = s.cases[1].checks;
	ok(!s.cases[0].nchecks && s.cases[1].nchecks == 4 &&
	   !strcmp(c[0].text, "naks == 1") && c[0].right->value == 1 &&
	   c[1].cmp == RF_CMP_IN && c[1].right->value == 1 && c[1].to->value == 128 &&
	   c[2].cmp == RF_CMP_GE && c[2].right->value == 60000000 &&
	   c[3].right->value == RF_DETECTED_NAK,
	   "expectations of the cases are loaded");
	rf_scenario_free(&s);
}

/* A fault can be a rule in the words of the command line, or in the words of netem. */
static void rules_load_ok(void)
{
	const struct rf_rule_spec *spec;
	struct rf_scenario s;
	char *text = edited("step 20 nth 3 drop",
			    "from step 20 for 3 steps delay 1ms mark");

	ok(text && !load_text(text, &s), "a rule with several actions is loaded%s", said);
	spec = &s.cases[1].faults->spec;
	ok(spec->match.step_min == 20 && spec->match.step_max == 22 &&
	   spec->actions == 2 && spec->action[0].delay == 1000000,
	   "a rule \"from step 20 for 3 steps\" is for steps 20 to 22");
	rf_scenario_free(&s);
	free(text);
	text = edited("class write step 20 nth 3 drop",
		      "class write netem loss 1% 25%");
	ok(text && !load_text(text, &s), "a rule with netem words is loaded%s", said);
	spec = &s.cases[1].faults->spec;
	ok(spec->trigger.probability == RDMAFAULT_PROBABILITY_ONE / 100 &&
	   spec->action[0].type == RDMAFAULT_ACTION_DROP, "as a rule");
	rf_scenario_free(&s);
	free(text);
}

static void lab_loads_ok(void)
{
	struct rf_scenario s;

	said[0] = '\0';
	ok(!rf_scenario_load("labs/01-one-drop.yaml", &s), "labs/01-one-drop.yaml is loaded%s",
	   said);
	rf_scenario_free(&s);
}

static void keys_fails(void)
{
	refused("  size:", "  sise:", ":7:3: ");
	refused("qp:", "frobnicate:", ":9:1: ");
	refused("  steps: 60\n", "", ":5:3: ");
	refused("  ranks: 4\n", "  ranks: 4\n  ranks: 4\n", ":7:3: ");
	refused("{nodes: 4}", "4", ":3:9: ");
	refused("    faults:\n", "    faults: {}\n    x:\n", ":14:5: ");
}

static void values_fails(void)
{
	refused("256KiB", "256KB", ":7:9: ");
	refused("256KiB", "262144", ":7:9: ");
	refused("60\n", "sixty\n", ":8:10: ");
	refused("60\n", "\"60\"\n", ":8:10: ");
	refused("60\n", "-1\n", ":8:10: ");
	refused("timeout: 14", "retry-cnt: 7", ":9:17: ");
	refused("timeout: 14", "mtu: 3000", ":9:11: ");
	refused("all_reduce", "all_sum", ":5:15: ");
	refused("60ms", "60", ":15:59: ");
	refused("1..128", "128..1", ":15:42: ");
	refused("detected_by == nak", "detected_by == luck", ":15:80: ");
	refused("v2 tx", "v2 up", ":14:13: ");
}

static void rules_fails(void)
{
	refused("class write", "clas write", ":14:13: ");
	refused("nth 3 drop", "nth 3", ":14:13: ");
	refused("nth 3 drop", "persist drop", ":14:13: ");
	refused("step 20", "step 61", ":14:13: ");
	refused("class write step 20 nth 3 drop", "psn 0x1000000 drop",
		":14:13: ");
	refused("step 20", "from step 59 for 3 steps", ":14:13: ");
	refused("class write step 20", "comm collperf", ":14:13: ");
	refused("class write step 20 nth 3 drop", "netem delay 1ms loss 1%",
		":14:13: ");
}

static void whole_fails(void)
{
	refused("add v2", "add v5", ":14:13: ");
	refused("ranks: 4", "ranks: 5", ":6:10: ");
	refused("name: lossy", "name: clean", ":12:11: ");
	refused("name: lossy", "name: Clean", ":12:11: ");
	refused("name: lossy", "name: los/sy", ":12:11: ");
	refused("  - name: clean\n", "", ":11:5: ");
}

static void schema_ok(void)
{
	struct json_object *o = rf_schema_json();
	const char *text = json_object_to_json_string_ext(o,
				JSON_C_TO_STRING_PRETTY |
				JSON_C_TO_STRING_SPACED |
				JSON_C_TO_STRING_NOSLASHESCAPE);
	char file[65536] = "";
	FILE *f = fopen("Documentation/scenario.schema.json", "re");
	size_t n = f ? fread(file, 1, sizeof(file) - 1, f) : 0;

	if (f)
		fclose(f);
	while (n && file[n - 1] == '\n')
		file[--n] = '\0';
	ok(n && !strcmp(file, text),
	   "Documentation/scenario.schema.json is the output of rdmafault validate --schema");
	json_object_put(o);
}

static void plan_json_ok(void)
{
	struct rf_scenario s = { };
	char *text = edited("qp: {timeout: 14}",
			    "seed: 18446744073709551615");
	struct json_object *o;

	if (!text || load_text(text, &s)) {
		ok(false, "a seed of 64 bits is loaded%s", said);
		return;
	}
	o = rf_plan_json(&s);
	ok(strstr(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN),
		  "\"seed\":18446744073709551615,"),
	   "the plan in JSON has a seed of 64 bits exactly");
	json_object_put(o);
	rf_scenario_free(&s);
	free(text);
}

static void plan_has_the_workload(const char *path)
{
	struct rf_scenario s = { };
	struct json_object *o;

	if (rf_scenario_load(path, &s)) {
		ok(false, "%s is loaded%s", path, said);
		return;
	}
	o = rf_plan_json(&s);
	json_object_object_del(o, "cases");
	golden(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY),
	       "the plan of %s in JSON without its cases", path);
	json_object_put(o);
	rf_scenario_free(&s);
}

static void plan_is(const char *fault)
{
	struct rf_scenario s = { };
	char *text = NULL;
	size_t len;
	FILE *f;

	if (load_fault(fault, &s)) {
		ok(false, "the fault \"%s\" is loaded: %s", fault, said);
		return;
	}
	f = open_memstream(&text, &len);
	rf_plan_write(f, &s);
	fclose(f);
	golden(text, "the plan of %s", fault);
	free(text);
	rf_scenario_free(&s);
}

static void plan_ok(void)
{
	plan_is("do: drop v2 tx all, at: step 1");
	plan_is("do: drop v2 tx step 60");
	plan_is("do: drop v2 tx all, from: step 30, for: 31 steps");
	plan_is("do: drop v2 tx all, from: 2s, for: 2s");
	plan_is("do: pause v2 prio 3 xoff, at: step 60");
	plan_is("do: drop v2 tx all");
	plan_is("do: drop v2 tx all");
	plan_is("do: drop v2 tx all");
}

static void yaml_fails(void)
{
	refused("{nodes: 4}", "{nodes: 4", ":4:");
	refused("title: X\n", "title: !secret X\n", ":2:8: ");
	refused("cases:\n", "---\ncases:\n", ":11:");
	refused("title: X\n", "title:\n", ":2:7: ");
	refused("title: X\n", "title: &a [*a]\n", ":2:");
	refused("title: X\n", "title: X\nexpect: [rank[*].wrong == 0]\n", ":3:");
	ok(load_text("", &(struct rf_scenario){ }) == -EINVAL &&
	   strstr(said, ":1:1: "), "a scenario in an empty file is refused");
	golden(message(), "an empty file");
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
	schema_ok();
	plan_json_ok();
	plan_has_the_workload("labs/11-pytorch.yaml");
	plan_has_the_workload("labs/programs/rping.yaml");
	plan_has_the_workload("labs/01-one-drop.yaml");
	plan_ok();
	yaml_fails();
	golden_compare("scenario.txt");
	return done_testing();
}
