// SPDX-License-Identifier: GPL-2.0
/*
 * Test how the analysis classifies a packet that a fault changed: the receiver drops it,
 * accepts it with wrong data, or accepts it with wrong headers. Each rule hits an RDMA WRITE
 * middle packet: its BTH of 12 bytes is followed by the payload. The run is made by hand: in
 * the case "tail", a rule hits such a packet in step STEP_HIT.
 */
#include <string.h>

#include "tools/analysis/analysis.h"
#include "tools/analysis/wire.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"
#include "tools/scenario/load.h"

#define FAULTS_MAX 2

static struct made_run m;
static struct rf_fault faults[FAULTS_MAX];

static void forget_rules(void)
{
	struct rf_fault *f;

	for (f = faults; f < faults + FAULTS_MAX; f++) {
		free(f->port);
		free(f->words);
		*f = (struct rf_fault){ };
	}
	m.cases[1].nfaults = 0;
}

static void add_rule(const char *words)
{
	struct rf_fault *f = &faults[m.cases[1].nfaults++];
	struct rf_why why;

	if (rf_fault_command_parse(words, f, &why))
		ok(false, "%s: %s", words, why.text);
	m.cases[1].faults = faults;
}

/*
 * Change the event @e: the first rule has hit its packet. @drawn is the random value that
 * action 0 of this rule used.
 */
static void hit(struct rf_event *e, uint64_t drawn)
{
	const struct rf_rule_spec *spec = &faults[0].spec;
	uint32_t i;

	e->count = spec->actions;
	e->action = spec->action[0].type;
	for (i = 0; i < e->count; i++)
		e->types[i] = spec->action[i].type;
	e->values[0] = drawn;
}

static enum rf_taken taken(uint64_t drawn)
{
	struct rf_run_case *p = &m.run.cases[1];

	hit(&p->rec.ev.e[0], drawn);
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	return p->rec.ev.e[0].taken;
}

static void is(const char *words, uint64_t drawn, enum rf_taken want)
{
	forget_rules();
	add_rule(words);
	ok(taken(drawn) == want, "the receiver's handling of \"%s\" is classified, with the random byte or bit %llu", words,
	   (unsigned long long)drawn);
}

static void one_rule_ok(void)
{
	is("corrupt v2 tx payload all", 0, RF_TAKEN_NOT);
	is("corrupt v2 tx payload valid-icrc all", 0, RF_TAKEN_DATA);
	is("corrupt rxe2 tx payload at 103 value 64 valid-icrc all", 103,
	   RF_TAKEN_DATA);
	is("corrupt v2 tx icrc all", 0, RF_TAKEN_NOT);
	is("corrupt v2 tx byte all", 11, RF_TAKEN_NOT);
	is("corrupt v2 tx byte valid-icrc all", 11, RF_TAKEN_FORGED);
	is("corrupt v2 tx byte valid-icrc all", 12 | 0x80ull << 32, RF_TAKEN_DATA);
	is("corrupt v2 tx bit valid-icrc all", 95, RF_TAKEN_FORGED);
	is("corrupt v2 tx bit valid-icrc all", 96, RF_TAKEN_DATA);
	is("truncate v2 tx 8 all", 0, RF_TAKEN_NOT);
	is("truncate v2 tx 8 valid-icrc all", 0, RF_TAKEN_FORGED);
	is("trim v2 tx 8 all", 0, RF_TAKEN_FORGED);
	is("drop v2 tx all", 0, RF_TAKEN_NOT);
}

static void several_actions_ok(void)
{
	is("rule add v2 tx all corrupt payload valid-icrc mark", 0, RF_TAKEN_DATA);
	is("rule add v2 tx all corrupt payload valid-icrc truncate 8", 0,
	   RF_TAKEN_NOT);
	is("rule add v2 tx all truncate 8 corrupt payload valid-icrc", 0,
	   RF_TAKEN_FORGED);
	is("rule add v2 tx all corrupt byte rewrite qp 78", 0, RF_TAKEN_FORGED);
	is("rule add v2 tx all rewrite qp 78 corrupt byte", 0, RF_TAKEN_NOT);
	is("rule add v2 tx all corrupt payload trim 8", 0, RF_TAKEN_FORGED);
	is("rule add v2 tx all trim 8 corrupt payload", 0, RF_TAKEN_NOT);
	is("rule add v2 tx all corrupt payload valid-icrc delay 1ms", 0,
	   RF_TAKEN_FORGED);
}

/*
 * A packet is hit by the first of two rules; @words is the second rule. Return: the class of
 * the packet
 */
static enum rf_taken taken_beside(const char *words)
{
	forget_rules();
	add_rule("corrupt v2 tx payload valid-icrc all");
	add_rule(words);
	return taken(0);
}

static void unchanged_ok(void)
{
	struct rf_event *e = &m.run.cases[1].rec.ev.e[0];

	e->unchanged = 1;
	is("corrupt v2 tx payload all", 0, RF_TAKEN_DATA);
	ok(!rf_event_damages(e), "\"corrupt payload\" of a packet without payload is no loss");
	is("rule add v2 tx all corrupt payload truncate 8", 0, RF_TAKEN_NOT);
	ok(rf_event_damages(e), "a packet is lost if one of two actions damages it");
	e->unchanged = 0;
}

static void several_rules_ok(void)
{
	ok(taken_beside("corrupt v3 tx payload all") == RF_TAKEN_DATA,
	   "a hit is classified without rules of another port");
	ok(taken_beside("corrupt v2 rx payload all") == RF_TAKEN_DATA,
	   "a hit is classified without rules of the other direction");
	ok(taken_beside("drop v2 tx all") == RF_TAKEN_DATA,
	   "a hit is classified without rules that have other actions");
	ok(taken_beside("corrupt v2 tx payload all") == RF_TAKEN_FORGED,
	   "a hit that two different rules can have made is classified as forged");
}

static uint64_t lost_bytes(void)
{
	const struct rf_run_case *p = &m.run.cases[1];
	struct rf_impact impact;

	rf_impact_of(&p->rec, p->an, &impact);
	return impact.lost_bytes;
}

static void of_a_run_ok(void)
{
	const struct rf_gbn *gbn = &m.run.cases[1].an->gbn;

	is("corrupt v2 tx payload all", 0, RF_TAKEN_NOT);
	ok(gbn->flows[0].lost == 1 && lost_bytes() == 4140,
	   "a corrupted packet without a valid ICRC is counted as lost");
	is("corrupt v2 tx payload valid-icrc all", 0, RF_TAKEN_DATA);
	ok(!gbn->flows[0].lost && !lost_bytes() &&
	   gbn->flows[0].verdict == RF_GBN_CONFORMS, "a packet with a corrupted payload and a valid ICRC is not counted as lost");
	is("corrupt v2 tx bit valid-icrc all", 0, RF_TAKEN_FORGED);
	ok(!lost_bytes() && gbn->flows[0].why == RF_GBN_FORGED,
	   "a packet with corrupted headers and a valid ICRC is not counted as lost, and its flow is not judged");
}

int main(void)
{
	make_run(&m, 4, 40);
	one_rule_ok();
	several_actions_ok();
	unchanged_ok();
	several_rules_ok();
	of_a_run_ok();
	forget_rules();
	free_run(&m);
	return done_testing();
}
