// SPDX-License-Identifier: GPL-2.0
/*
 * Test the loader of scenarios: faults in the words of the command line, their times, their
 * seeds, and faults that contradict each other.
 */
#include "golden.h"
#include "scenario_text.h"

static void understood(const char *fault)
{
	struct rf_scenario s = { };
	int err = load_fault(fault, &s);

	ok(!err, "the fault \"%s\" is loaded%s", fault, said);
	if (!err)
		rf_scenario_free(&s);
}

static void fault_refused(const char *fault, const char *where)
{
	struct rf_scenario s = { };
	int err = load_fault(fault, &s);

	ok(err == -EINVAL && strstr(said, where), "the fault is refused at %s: %s", where, fault);
	golden(message(), "%s", fault);
}

static void deeds_ok(void)
{
	understood("do: rule add v2 tx class write step 20 drop");
	understood("do: drop rxe2 tx class write nth 3, at: step 20");
	understood("do: delay v2 rx 1ms jitter 1us all, from: step 2, for: 5 steps");
	understood("do: drop p2 tx probability 1% all, from: 2s, for: 500ms");
	understood("do: pause v2 prio 3 storm for 200ms, at: step 20");
	understood("do: pause v2 prio 3 storm forever frames, from: 1s, for: 1s");
	understood("do: \"pause v2 prio 3,4 xoff quanta 7\", at: 2s");
	understood("do: pause v2 prio 3 xon, at: step 60");
	understood("do: pause v2 stop, at: 0ms");
	understood("do: link down v2 for 300ms, at: step 20");
	understood("do: link down rxe2 for 1ms, at: 2s");
	understood("do: link down p2 for 86400s, at: 0ms");
	understood("do: pause v2 watchdog prio 3 detect 200ms");
	understood("do: link set v2 rate 1mbit delay 1ms, from: step 60, for: 1 step");
	understood("do: ecn set p4 prio 3 kmin 10kb kmax 20kb pmax 100%, at: 1s");
	understood("do: prio set v2 prio-pfc 3:on prio-xoff 3:64KiB prio-limit 3:64KiB");
}

static void moments_ok(void)
{
	const struct rf_fault *f;
	const struct rf_when *w;
	struct rf_scenario s;

	ok(!load_fault("do: drop v2 tx all, from: 2s, for: 500ms", &s),
	   "a rule with times is loaded%s", said);
	w = &s.cases[1].faults->when;
	ok(w->clock == RF_CLOCK_TIME && w->begin == 2000000000 &&
	   w->end == 2500000000, "from 2 s to 2.5 s");
	rf_scenario_free(&s);
	ok(!load_fault("do: link set v2 rate 1mbit, from: step 3, for: 2 steps",
		       &s), "a change by steps loads%s", said);
	w = &s.cases[1].faults->when;
	ok(w->clock == RF_CLOCK_STEP && w->begin == 3 && w->end == 5 &&
	   s.cases[1].faults->change.conf.link.rate == 1000000,
	   "a fault \"from step 3 for 2 steps\" lasts until step 5 starts");
	rf_scenario_free(&s);
	ok(!load_fault("do: pause v2 prio 3 storm for 1s, at: 1.5s", &s),
	   "a storm is loaded%s", said);
	w = &s.cases[1].faults->when;
	ok(w->begin == 1500000000 && !w->end &&
	   s.cases[1].faults->storm.duration == 1000000000 &&
	   s.cases[1].faults->storm.prios == 1 << 3, "with its own end");
	rf_scenario_free(&s);
	ok(!load_fault("do: link down v2 for 300ms, at: step 20", &s), "a link down is loaded%s", said);
	f = s.cases[1].faults;
	ok(f->when.begin == 20 && !f->when.end && rf_fault_length(f) == 300000000 &&
	   f->spec.match.step_min == 20 && f->spec.match.step_max == 21,
	   "it has its own end, and the packets of two steps are recorded");
	rf_scenario_free(&s);
}

static void folded_ok(void)
{
	const struct rf_fault *f;
	struct rf_scenario s;

	ok(!load_fault("do: drop rxe2 tx class write, at: step 20", &s),
	   "a rule \"at step 20\" is loaded%s", said);
	f = s.cases[1].faults;
	ok(RF_ASKS(&f->spec.match, STEP_MIN) && f->spec.match.step_min == 20 &&
	   !RF_ASKS(&f->spec.match, STEP_MAX) && f->when.clock == RF_CLOCK_NONE,
	   "a rule \"at step 20\" gets a match of steps");
	ok(!strcmp(f->port, "rxe2") && !strcmp(f->words, "drop rxe2 tx class write") &&
	   f->dir == RDMAFAULT_DIRECTION_TX, "with its port, direction, words");
	rf_scenario_free(&s);
	ok(!load_fault("do: drop v2 rx all, from: step 2, for: 5 steps", &s),
	   "so does one for some steps%s", said);
	f = s.cases[1].faults;
	ok(f->spec.match.step_min == 2 && f->spec.match.step_max == 6 &&
	   f->dir == RDMAFAULT_DIRECTION_RX, "as those steps");
	rf_scenario_free(&s);
}

static void seeds_ok(void)
{
	const struct rf_rule_spec *spec;
	struct rf_scenario s;
	char *text = edited("class write step 20 nth 3 drop",
			    "all probability 1% drop\n"
			    "      - {do: drop v3 tx all probability 1% seed 5 key 9}\n"
			    "      - {do: drop v4 tx all nth 1}");

	ok(text && !load_text(text, &s), "rules with probabilities are loaded%s", said);
	spec = &s.cases[1].faults[0].spec;
	ok(spec->set & RF_RULE_BIT(SEED) && spec->seed == 0 && spec->key == 1,
	   "rules with probabilities get the scenario's seed and different keys");
	spec = &s.cases[1].faults[1].spec;
	ok(spec->seed == 5 && spec->key == 9, "a rule with its own seed and key keeps them");
	ok(!(s.cases[1].faults[2].spec.set & RF_RULE_BIT(SEED)),
	   "a rule without random decisions gets no seed");
	rf_scenario_free(&s);
	free(text);
	text = edited("nth 3 drop", "probability 1% drop");
	memcpy(strstr(text, "title: X"), "seed: 42", 8);
	ok(load_text(text, &s) == -EINVAL, "a scenario without a title is refused");
	golden(message(), "a scenario without a title");
	free(text);
	text = edited("qp: {timeout: 14}\n",
		      "seed: 42\nrepeat: 3\ndeadline: 90s\n");
	ok(text && !load_text(text, &s) && s.seed == 42 && s.repeat == 3 &&
	   s.deadline_ns == 90000000000, "seed, rounds and deadline are read%s",
	   said);
	rf_scenario_free(&s);
	free(text);
}

/*
 * Return: true if fault @i of the case "lossy" sets the seed of its port to the seed of the
 * scenario
 */
static bool is_seeded(const struct rf_scenario *s, size_t i)
{
	const struct rf_fault *f = &s->cases[1].faults[i];

	return f->seeded && f->change.link & RF_LINK_BIT(SEED) &&
	       f->change.conf.link.seed == s->seed;
}

/* All random decisions at a port use the same seed. */
static void port_seeds_ok(void)
{
	struct rf_scenario s;

	ok(!load_fault("do: ecn set v2 prio 3 kmin 10kb kmax 20kb pmax 10%}\n"
		       "      - {do: ecn set v2 prio 4 kmin 10kb kmax 20kb pmax 10%}\n"
		       "      - {do: link set v2 jitter 1us, from: 1s, for: 1s}\n"
		       "      - {do: link set v3 rate 1gbit", &s),
	   "faults with random decisions at one port are loaded%s", said);
	ok(is_seeded(&s, 0) && is_seeded(&s, 1) && is_seeded(&s, 2) &&
	   !is_seeded(&s, 3), "each with the scenario's seed");
	rf_scenario_free(&s);
	ok(!load_fault("do: link set v2 jitter 1us seed 0}\n"
		       "      - {do: ecn set rxe2 prio 4 kmin 10kb kmax 20kb pmax 10%",
		       &s),
	   "faults at a port with an explicit seed are loaded%s", said);
	ok(!s.cases[1].faults[0].seeded && !is_seeded(&s, 1),
	   "an explicit seed of a port is its only seed");
	rf_scenario_free(&s);
	ok(!load_fault("do: link set v2 jitter 1us, from: 1s, for: 1s}\n"
		       "      - {do: link set v2 jitter 2us seed 7, from: 3s, for: 1s}\n"
		       "      - {do: ecn set rxe2 prio 4 kmin 10kb kmax 20kb pmax 10%, from: 3s, for: 2s",
		       &s),
	   "faults with an explicit seed at another time are loaded%s", said);
	ok(is_seeded(&s, 0) && !is_seeded(&s, 1) && !is_seeded(&s, 2),
	   "an explicit seed applies only to faults that overlap in time");
	rf_scenario_free(&s);
}

static void deeds_fails(void)
{
	refused("qp: {timeout: 14}", "repeat: 0", ":9:9: ");
	refused("qp: {timeout: 14}", "seed: -1", ":9:7: ");
	refused("qp: {timeout: 14}", "deadline: 90", ":9:11: ");
	refused("qp: {timeout: 14}", "deadline: 2h", ":9:11: ");
	fault_refused("do: drp v2 tx nth 3", ":14:14: ");
	fault_refused("do: rdmafault drop v2 tx nth 3", ":14:14: ");
	fault_refused("do: xyzzy", ":14:14: ");
	fault_refused("do: rule del v2 3", ":14:14: ");
	fault_refused("do: drop v2", ":14:14: ");
	fault_refused("do: drop v2 up nth 3", ":14:14: ");
	fault_refused("do: drop v9 tx all nth 3", ":14:14: ");
	fault_refused("do: drop v2 tx all persist", ":14:14: ");
	fault_refused("do: pause v2 prio 3 storm", ":14:14: ");
	fault_refused("do: pause v2 prio 3 storm forever persist", ":14:14: ");
	fault_refused("do: pause v2 prio 9 xon, at: 1s", ":14:14: ");
	fault_refused("do: pause v2 xoff, at: 1s", ":14:14: ");
	fault_refused("do: pause v2 prio 3 xon", ":14:14: ");
	fault_refused("do: pause v2 stop, from: 1s, for: 1s", ":14:14: ");
	fault_refused("do: link v2 rate 1mbit", ":14:14: ");
	fault_refused("do: link down, at: 1s", ":14:14: ");
	fault_refused("do: link down v2, at: 1s", ":14:14: ");
	fault_refused("do: link down v2 300ms, at: 1s", ":14:14: ");
	fault_refused("do: link down v2 for 999us, at: 1s", ":14:14: ");
	fault_refused("do: link down v2 for 86401s, at: 1s", ":14:14: ");
	fault_refused("do: link down v9 for 1s, at: 1s", ":14:14: ");
	fault_refused("do: link down v2 for 1s", ":14:14: ");
	fault_refused("do: link down v2 for 1s, from: 1s, for: 1s", ":14:14: ");
	fault_refused("do: link down v2 for 1s, at: step 61", ":14:39: ");
	fault_refused("do: link set v2 rate 1", ":14:14: ");
	fault_refused("do: drop v2 tx all, port: v3", ":14:30: ");
	fault_refused("at: step 2", ":14:9: ");
}

static void when_fails(void)
{
	fault_refused("do: drop v2 tx all, at: 20", ":14:34: ");
	fault_refused("do: drop v2 tx all, at: step 0", ":14:34: ");
	fault_refused("do: drop v2 tx all, at: 2 s", ":14:34: ");
	fault_refused("do: drop v2 tx all, at: step 61", ":14:34: ");
	fault_refused("do: drop v2 tx all, from: 2s", ":14:36: ");
	fault_refused("do: drop v2 tx all, for: 2s", ":14:35: ");
	fault_refused("do: drop v2 tx all, at: 1s, for: 2s", ":14:34: ");
	fault_refused("do: drop v2 tx all, from: step 2, for: 2s", ":14:49: ");
	fault_refused("do: drop v2 tx all, from: 2s, for: 2 steps", ":14:45: ");
	fault_refused("do: drop v2 tx all, from: 2s, for: 0s", ":14:45: ");
	fault_refused("do: drop v2 tx all, from: step 59, for: 3 steps",
		      ":14:36: ");
	fault_refused("do: drop v2 tx all, from: step 20, for: 4294967290 steps",
		      ":14:50: ");
	fault_refused("do: drop v2 tx step 3, at: step 2", ":14:37: ");
	fault_refused("do: link set v2 rate 1mbit, from: step 60, for: 2 steps",
		      ":14:58: ");
}

/*
 * Load the case "lossy" with the two faults @a and @b. If @contradict is true, the scenario must
 * be refused; otherwise it must be accepted.
 */
static void fight(const char *a, const char *b, bool contradict)
{
	struct rf_scenario s = { };
	char both[512];
	int err;

	snprintf(both, sizeof(both), "%s}\n      - {%s", a, b);
	err = load_fault(both, &s);
	ok(contradict ? err == -EINVAL && strstr(said, ":15:9: ") : !err,
	   "the faults \"%s\" and \"%s\" %s", a, b, contradict ? "contradict each other and are refused" : "are loaded together");
	if (err)
		golden(message(), "\"%s\", \"%s\"", a, b);
	if (!err)
		rf_scenario_free(&s);
}

static void conflicts_fails(void)
{
	fight("do: drop v2 tx all nth 3", "do: delay v2 tx 1ms all nth 3", true);
	fight("do: drop v2 tx all nth 3", "do: drop rxe2 tx all nth 3", true);
	fight("do: delay v2 tx 2ms all", "do: delay v2 tx 1ms all", true);
	fight("do: delay v2 tx 2ms all", "do: mark v2 tx all", false);
	fight("do: drop v2 tx all nth 3", "do: drop v2 tx all nth 4", false);
	fight("do: drop v2 tx all nth 3", "do: drop v2 rx all nth 3", false);
	fight("do: drop v2 tx all nth 3", "do: drop p2 tx all nth 3", false);
	fight("do: drop v2 tx all nth 3", "do: drop v3 tx all nth 3", false);
	fight("do: link set v2 rate 1mbit", "do: link set v2 rate 2mbit, at: 1s", true);
	fight("do: link set v2 rate 1mbit", "do: link set v2 delay 2ms", false);
	fight("do: link set v2 rate 1mbit, from: 1s, for: 1s",
	      "do: link set v2 rate 2mbit, from: 2s, for: 1s", false);
	fight("do: link set v2 rate 1mbit, from: 1s, for: 2s",
	      "do: link set v2 rate 2mbit, from: 2s, for: 1s", true);
	fight("do: link set v2 jitter 1us seed 1", "do: link set v2 delay 2ms seed 2", true);
	fight("do: link set v2 rate 1mbit, from: step 5, for: 1 step",
	      "do: link set v2 rate 2mbit, from: 9s, for: 1s", true);
	fight("do: link set v2 rate 1mbit, from: 9s, for: 1s",
	      "do: link set v2 rate 2mbit, at: step 5", true);
	fight("do: link set v2 rate 1mbit, from: step 5, for: 1 step",
	      "do: link set v2 delay 2ms, from: 9s, for: 1s", false);
	fight("do: link set v2 rate 1mbit, from: step 5, for: 1 step",
	      "do: link set v2 rate 2mbit, from: step 6, for: 1 step", false);
	fight("do: pause v2 prio 3 storm for 1s", "do: 'pause v2 prio 3,4 storm for 1s'", true);
	fight("do: pause v2 prio 3 storm for 1s", "do: pause v2 prio 4 storm for 1s", false);
	fight("do: pause v2 prio 3 xoff, at: 1s", "do: pause v2 prio 3 xon, at: 1s", true);
	fight("do: link down v2 for 2s, at: 1s", "do: link down v2 for 1s, at: 2s", true);
	fight("do: link down v2 for 1s, at: 2s", "do: link down p2 for 2s, at: 1s", true);
	fight("do: link down v2 for 1s, at: step 5", "do: link down rxe2 for 1s, at: step 5", true);
	fight("do: link down v2 for 1s, at: 1s", "do: link down v2 for 1s, at: 3s", false);
	fight("do: link down v2 for 2s, at: 1s", "do: link down v3 for 2s, at: 1s", false);
	fight("do: link down v2 for 1s, at: step 5", "do: link down v2 for 1s, at: step 6", false);
	fight("do: link down v2 for 1s, at: 1s", "do: drop v2 tx all", false);
}

int main(void)
{
	deeds_ok();
	moments_ok();
	folded_ok();
	seeds_ok();
	port_seeds_ok();
	deeds_fails();
	when_fails();
	conflicts_fails();
	golden_compare("scenario_fault.txt");
	return done_testing();
}
