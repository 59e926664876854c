// SPDX-License-Identifier: GPL-2.0
/* Test the reasons why a rule hit no packet: a job on leaf-spine, with made counters. */
#include "scenario_text.h"
#include "tools/analysis/analysis.h"

static struct rf_scenario scenario;
static struct rf_rule_tally counters;
static struct rf_port_tally tally;
static struct rf_record *holes;

static void load(const char *fault)
{
	char text[1024];

	snprintf(text, sizeof(text), "name: x\ntitle: X\n"
		 "fabric: {nodes: 8, shape: leaf-spine, spines: 2}\n"
		 "workload: {collective: all_reduce, ranks: 8, size: 1MiB, steps: 60}\n"
		 "cases: [{name: clean}, {name: lossy, faults: [{%s}]}]\n", fault);
	if (load_text(text, &scenario)) {
		ok(false, "\"%s\" is loaded: %s", fault, said);
		exit(done_testing());
	}
}

/* Test the text of the fault @fault with the present counters; "": none */
static void text_is(const char *fault, const char *expected)
{
	struct rf_run run = { .scenario = &scenario };
	struct rf_analysis an = { };
	struct rf_run_case p = { .an = &an };
	char *text;

	load(fault);
	p.test_case = &scenario.cases[1];
	p.rec = (struct rf_record){ .ports = &tally, .nports = 1, .rules = &counters, .nrules = 1 };
	if (holes)
		p.rec.ev.lost = holes->ev.lost;
	text = rf_unhit_text(&run, &p);
	ok(!strcmp(text ? text : "", expected), "\"%s\": \"%s\"", fault, text ? text : "");
	free(text);
	rf_scenario_free(&scenario);
}

static void reasons_ok(void)
{
	tally = (struct rf_port_tally){ .netdev = "l1s2" };
	text_is("do: drop l1s2 tx class write",
		"fault 1: \"drop l1s2 tx class write\" hit no packet: no WRITE of the job passes l1s2: ranks 3→4 use l1s1");
	strcpy(tally.netdev, "v2");
	text_is("do: drop v2 tx all",
		"fault 1: \"drop v2 tx all\" hit no packet: no packet of the job left v2");
	text_is("do: drop rxe2 rx all",
		"fault 1: \"drop rxe2 rx all\" hit no packet: no packet of the job arrived at rxe2");
	tally.tx_packets = 9;
	text_is("do: drop v2 tx qp 99",
		"fault 1: \"drop v2 tx qp 99\" hit no packet: 9 packets left v2, none matched the rule");
	tally.prio[0].packets = 9;
	text_is("do: drop v2 tx priority 3",
		"fault 1: \"drop v2 tx priority 3\" hit no packet: no packet left v2 in the priority of the rule");
	text_is("do: 'drop v2 tx priority 0,3 qp 99'",
		"fault 1: \"drop v2 tx priority 0,3 qp 99\" hit no packet: 9 packets left v2, none matched the rule");
	counters.matched = 7;
	counters.missed[RF_MISS_ORDER] = 6;
	counters.missed[RF_MISS_CHANCE] = 1;
	text_is("do: drop v2 tx class write nth 99 probability 1%",
		"fault 1: \"drop v2 tx class write nth 99 probability 1%\" hit no packet: 7 packets matched, "
		"6 not selected by nth, every or after, 1 not selected by probability or the loss model");
}

/* No reason is given without a rule, and with a record that lacks events. */
static void no_reason_ok(void)
{
	struct rf_record lost = { .ev.lost = 1 };

	text_is("do: pause v2 prio 3 storm for 20ms", "");
	text_is("do: drop v2 tx qp 99, from: 2s, for: 1s", "");	/* did not begin */
	holes = &lost;
	text_is("do: drop v2 tx qp 99", "");
}

int main(void)
{
	reasons_ok();
	no_reason_ok();
	return done_testing();
}
