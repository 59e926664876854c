// SPDX-License-Identifier: GPL-2.0
/*
 * Test the plan of a run on a fabric with several switches: which ranks send over which link, and
 * which rules no packet can reach; and the plan of storms and of the settings of ports.
 */
#include "scenario_text.h"

#define LEAF_SPINE "fabric: {nodes: 8, shape: leaf-spine, spines: 2}\n"
#define RING "workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60, compute: 10ms}\n"

static const char *built(const char *fabric, const char *workload, const char *fault)
{
	static char text[2048];

	snprintf(text, sizeof(text), "name: x\ntitle: X\n%s%scases:\n  - name: clean\n"
		 "  - name: lossy\n    faults: [{%s}]\n", fabric, workload, fault);
	return text;
}

static void plan_is(const char *fabric, const char *workload, const char *fault,
		    const char *what)
{
	struct rf_scenario s = { };
	char *text = NULL;
	size_t len;
	FILE *f;

	if (load_text(built(fabric, workload, fault), &s)) {
		ok(false, "%s is loaded: %s", what, said);
		return;
	}
	f = open_memstream(&text, &len);
	rf_plan_write(f, &s);
	fclose(f);
	golden(text, "the plan of %s", what);
	free(text);
	rf_scenario_free(&s);
}

static void plans_ok(void)
{
	plan_is(LEAF_SPINE, RING, "do: drop l1s2 tx class write", "a ring on leaf-spine");
	plan_is("fabric: {nodes: 64, shape: leaf-spine, leaves: 4, spines: 4, rate: 1gbit}\n",
		"workload: {train: dp, ranks: 64, size: 1MiB, steps: 9}\n",
		"do: drop v1 tx class write", "64 nodes and an unknown algorithm");
	plan_is("fabric: {nodes: 8}\nports: [{port: v3, prio: prio-pfc 3:on}, {port: v1, prio: prio-pfc 3:on}, "
		"{port: v8, prio: prio-pfc 4:on}]\n", RING,
		"do: pause v2 prio 3 storm for 500ms", "a storm from the begin");
	plan_is("fabric: {nodes: 8, rate: 1gbit}\n", RING,
		"do: pause v2 prio 3 storm for 100ms, at: step 30", "a storm of some steps");
	plan_is("fabric: {nodes: 8}\n", RING,
		"do: pause v2 prio 3 storm for 9s, at: step 30", "a storm longer than the job");
	plan_is("fabric: {nodes: 8}\n", RING,
		"do: link down v2 for 100ms, at: step 30", "a link that goes down in a step");
	plan_is("fabric: {nodes: 8}\n", RING,
		"do: link down p2 for 2s, at: 1s", "a link that goes down at a time");
	plan_is("fabric: {nodes: 8}\n",
		"workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60}\n",
		"do: pause v2 prio 3 storm for 1s, at: step 30", "a storm of an unknown number of steps");
}

static void reason_is(const char *workload, const char *fault, const char *expected)
{
	struct rf_scenario s = { };
	char *why = NULL;

	if (load_text(built(LEAF_SPINE, workload, fault), &s)) {
		ok(false, "\"%s\" is loaded: %s", fault, said);
		return;
	}
	why = rf_fault_passed_by(&s, &s.cases[1], &s.cases[1].faults[0]);
	ok(!strcmp(why ? why : "", expected), "\"%s\" with %.60s: \"%s\"", fault, workload,
	   why ? why : "");
	free(why);
	rf_scenario_free(&s);
}

static void unreachable_rules_ok(void)
{
	reason_is(RING, "do: drop l1s2 tx class write",
		  "no WRITE of the job passes l1s2: ranks 3→4 use l1s1");
	reason_is(RING, "do: drop s2l1 rx opcode rc-write-middle",
		  "no WRITE of the job passes s2l1: ranks 3→4 use s1l1");
	reason_is(RING, "do: drop l2s2 tx class write",
		  "no WRITE of the job passes l2s2: ranks 7→0 use l2s1");
	reason_is(RING, "do: drop l1s1 tx class write", "");
	reason_is(RING, "do: drop l1s2 tx all", "");		/* ACKs from rank 0 to 7 */
	reason_is(RING, "do: drop v2 tx class write", "");
	reason_is(RING, "do: \"drop v2 tx class read-response,atomic\"",
		  "the job sends no READ and no atomic, its --protocol is write");
	reason_is(RING, "do: \"drop v2 tx class read-response,write\"", "");
	reason_is("workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 9, options: --protocol read}\n",
		  "do: drop v2 tx class read-response", "");
}

/* Without a known way of the data, there is no reason. */
static void unknown_ways_ok(void)
{
	static const char few[] =
		"workload: {collective: all_reduce, ranks: 4, size: 1MiB, steps: 60}\n";

	reason_is("workload: {train: dp, ranks: 8, size: 1MiB, steps: 60}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is("workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60, options: --algo direct}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is("workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60, options: --algo none}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is("workload: {collective: broadcast, ranks: 8, size: 1MiB, steps: 60, options: --root 99}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is("workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60, options: --protocol=send}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is("workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60, background: sleep 9}\n",
		  "do: drop l1s2 tx class write", "");
	reason_is(few, "do: drop v7 tx all", "no packet of the job passes v7");
	reason_is(few, "do: drop p7 tx all", "no packet of the job passes p7");
	reason_is(few, "do: drop l1s1 tx all", "no packet of the job passes l1s1");
}

int main(void)
{
	plans_ok();
	unreachable_rules_ok();
	unknown_ways_ok();
	golden_compare("scenario_plan.txt");
	return done_testing();
}
