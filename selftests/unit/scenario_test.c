// SPDX-License-Identifier: GPL-2.0
/*
 * Test the loader of scenarios: valid files are loaded. A file with an error is refused; for
 * each kind of error, the message has file, line, column, object, value and the valid form.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/run_analysis.h"
#include "tools/render/render.h"
#include "tools/scenario/load.h"
#include "tools/scenario/plan.h"

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
	"cases:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - do: rule add v2 tx class write step 20 nth 3 drop\n"
	"    expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]\n";

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

/* Return: the valid scenario with @from replaced by @to */
static char *edited(const char *from, const char *to)
{
	const char *at = strstr(good, from);
	char *text = NULL;

	if (at && asprintf(&text, "%.*s%s%s", (int)(at - good), good, to,
			   at + strlen(from)) < 0)
		text = NULL;
	return text;
}

/* Return: the error message without file, line and column */
static const char *message(void)
{
	return said[0] ? strchrnul(said, ' ') + 1 : said;
}

static void refused(const char *from, const char *to, const char *where)
{
	char *text = edited(from, to);
	struct rf_scenario s = { };
	int err = text ? load_text(text, &s) : 0;

	ok(err == -EINVAL && strstr(said, where), "the scenario with \"%s\" instead of \"%s\" is refused at %s", to, from, where);
	golden(message(), "\"%s\" instead of \"%s\"", to, from);
	free(text);
}

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

/* ---- faults in the words of the command line ---- */

/* Load the scenario with @fault, in YAML flow style, as the fault of the case "lossy". */
static int load_fault(const char *fault, struct rf_scenario *s)
{
	const char *from = strstr(good, "      - do: rule add v2");
	const char *to = strstr(good, "    expect:");
	char *text;
	int err;

	if (asprintf(&text, "%.*s      - {%s}\n%s", (int)(from - good), good,
		     fault, to) < 0)
		return -ENOMEM;
	err = load_text(text, s);
	free(text);
	return err;
}

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
	understood("do: pause v2 watchdog prio 3 detect 200ms");
	understood("do: link set v2 rate 1mbit delay 1ms, from: step 60, for: 1 step");
	understood("do: ecn set p4 prio 3 kmin 10kb kmax 20kb pmax 100%, at: 1s");
	understood("do: prio set v2 prio-pfc 3:on prio-xoff 3:64KiB prio-limit 3:64KiB");
}

static void moments_ok(void)
{
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
}

/* ---- workloads, settings ---- */

/*
 * Format the command line of the job with the seed @seed (NULL: no seed). The result must be
 * @want.
 */
static void seeded_is(const uint64_t *seed, const char *words, const char *want)
{
	const struct rf_places places = {
		.devices = "rxe1,rxe2", .timeline = "t.jsonl", .deadline_ns = 9,
		.seed = seed,
	};
	struct rf_qp_attr qp = { 14, 6, 4096 };
	struct rf_scenario s = { };
	char *text, got[512] = "", **argv = NULL, **word;
	const char *from = strstr(good, "  collective:");
	const char *to = strstr(good, "qp:");
	int err;

	if (asprintf(&text, "%.*s  %s\n%s", (int)(from - good), good, words,
		     to) < 0)
		return;
	err = load_text(text, &s);
	free(text);
	if (err) {
		ok(false, "workload: %.*s: %s", (int)strcspn(words, "\n"),
		   words, said);
		return;
	}
	rf_workload_argv(&s.workload, &qp, &places, &argv);
	for (word = argv; word && *word; word++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s",
			 got[0] ? " " : "", *word);
	ok(!strcmp(got, want), "the command line of the workload \"%.*s\" is: %s",
	   (int)strcspn(words, "\n"), words, got);
	rf_workload_argv_free(argv);
	rf_scenario_free(&s);
}

static void workload_is(const char *words, const char *want)
{
	static const uint64_t seed = 7;

	seeded_is(&seed, words, want);
}

#define TRAINING	"train: tp\n  ranks: 2\n  steps: 60"
#define PLACED		" -N 2 --compute 0ns --device rxe1,rxe2 --timeout 14 " \
			"--retry-cnt 6 --mtu 4096 --deadline 9ns"

static void train_seeds_ok(void)
{
	static const uint64_t none = 0, wide = 1ull << 32, most = UINT64_MAX;

	seeded_is(NULL, TRAINING, "train --json --parallel tp --steps 60" PLACED);
	seeded_is(&none, TRAINING,
		  "train --json --parallel tp --steps 60 --seed 0" PLACED);
	seeded_is(&wide, TRAINING,
		  "train --json --parallel tp --steps 60 --seed 4294967296" PLACED);
	seeded_is(&most, TRAINING,
		  "train --json --parallel tp --steps 60 --seed 18446744073709551615" PLACED);
}

/* A seed of 0 is a valid seed. It is not the same as no seed. */
static void said_seeds_ok(void)
{
	struct rf_scenario s = { };
	char *text = edited("qp: {timeout: 14}", "seed: 0");

	ok(!load_text(good, &s) && !rf_scenario_seed(&s), "rf_scenario_seed() is NULL without a seed%s",
	   said);
	rf_scenario_free(&s);
	ok(text && !load_text(text, &s) && rf_scenario_seed(&s) &&
	   !*rf_scenario_seed(&s), "a seed of 0 is%s", said);
	rf_scenario_free(&s);
	free(text);
}

static void workloads_ok(void)
{
	workload_is("collective: alltoall\n  ranks: 2\n  size: 1MiB\n  steps: 60\n"
		    "  warmup: 2\n  compute: 1ms\n  options: --algo direct -d half",
		    "collperf alltoall -b 1048576 -e 1048576 -n 60 -w 2 -z 1 "
		    "--timeline t.jsonl -N 2 --compute 1000000ns --device rxe1,rxe2 "
		    "--timeout 14 --retry-cnt 6 --mtu 4096 --deadline 9ns "
		    "--algo direct -d half");
	workload_is("collective: barrier\n  ranks: 2\n  steps: 60",
		    "collperf barrier -n 60 -w 0 -z 1 --timeline t.jsonl -N 2 "
		    "--compute 0ns --device rxe1,rxe2 --timeout 14 --retry-cnt 6 "
		    "--mtu 4096 --deadline 9ns");
	workload_is("train: dp\n  ranks: 2\n  steps: 60\n  size: 1MiB\n"
		    "  options: --lr=0.2 --spin", "train --json --parallel dp --steps 60 --gradient 1048576 "
		    "--seed 7 -N 2 --compute 0ns --device rxe1,rxe2 --timeout 14 "
		    "--retry-cnt 6 --mtu 4096 --deadline 9ns --lr=0.2 --spin");
	workload_is("collective: barrier\n  ranks: 2\n  steps: 60\n"
		    "  options: --deadline 3s",
		    "collperf barrier -n 60 -w 0 -z 1 --timeline t.jsonl -N 2 "
		    "--compute 0ns --device rxe1,rxe2 --timeout 14 --retry-cnt 6 "
		    "--mtu 4096 --deadline 3s");
	workload_is("train: tp\n  ranks: 2\n  steps: 60\n  options: --seed 5",
		    "train --json --parallel tp --steps 60 -N 2 --compute 0ns "
		    "--device rxe1,rxe2 --timeout 14 --retry-cnt 6 --mtu 4096 "
		    "--deadline 9ns --seed 5");
	workload_is("command: ib_write_bw -d rxe1\n  steps: 60",
		    "/bin/sh -c ib_write_bw -d rxe1");
}

/* Keys of a case override the keys of the scenario. */
static void own_ok(void)
{
	struct rf_scenario s;
	char *text = edited("  - name: lossy\n",
			    "  - name: lossy\n    qp: {timeout: 17}\n"
			    "    workload: {size: 1MiB, steps: 70, options: --algo tree, background: sleep 9}\n");

	ok(text && !load_text(text, &s), "a case with its own workload is loaded%s",
	   said);
	ok(s.cases[1].qp.timeout == 17 && s.cases[1].qp.mtu == 4096 &&
	   s.cases[1].workload.size == 1 << 20 && s.cases[1].workload.ranks == 4 &&
	   !strcmp(s.cases[1].workload.options, "--algo tree") &&
	   !strcmp(s.cases[1].workload.background, "sleep 9"), "it has it");
	ok(s.cases[0].qp.timeout == 14 && s.cases[0].workload.size == 1 << 18 &&
	   !s.cases[0].workload.options && !s.cases[0].workload.background,
	   "other cases keep the workload of the scenario");
	rf_scenario_free(&s);
	free(text);
	refused("  steps: 60\n", "  steps: 60\n  background: []\n", ":9:15: ");
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {ranks: 2}\n", ":13:16: ");
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {steps: 10}\n", ":15:13: ");
	refused("  - name: lossy\n", "  - name: lossy\n    qp: {timeout: 99}\n",
		":13:19: ");
}

static void options_refused(const char *options)
{
	char *text = NULL;

	if (asprintf(&text, "  steps: 60\n  options: %s\n", options) > 0)
		refused("  steps: 60\n", text, ":9:12: ");
	free(text);
}

static void sweeps_fails(void)
{
	options_refused("-o all");
	options_refused("--op all");
	options_refused("--op=all");
	options_refused("-d all");
	options_refused("--datatype=all");
	options_refused("-r all");
	options_refused("--root=all");
	options_refused("--place both");
	options_refused("--algo ring --place=both -d half");
	options_refused("-oall");
	options_refused("-o=sum");
	options_refused("--pla both");
}

static void workloads_fails(void)
{
	refused("all_reduce", "all_redcue", ":5:15: ");
	refused("  size: 256KiB\n", "", ":5:3: ");
	refused("  collective: all_reduce\n", "", ":5:3: ");
	refused("  ranks: 4\n", "  train: dp\n  ranks: 4\n", ":5:3: ");
	refused("all_reduce\n", "barrier\n", ":7:9: ");
	refused("  steps: 60\n", "  steps: 60\n  options: --alg ring\n",
		":9:12: ");
	refused("  steps: 60\n", "  steps: 60\n  options: --iters 7\n",
		":9:12: ");
	refused("  steps: 60\n", "  steps: 60\n  options: -b 7\n", ":9:12: ");
	refused("  steps: 60\n", "  steps: 60\n  options: --algo\n", ":9:12: ");
	refused("  steps: 60\n", "  steps: 60\n  options: --lr 0.1\n",
		":9:12: ");
	refused("  collective: all_reduce\n", "  train: dp\n  warmup: 2\n",
		":6:11: ");
	refused("  collective: all_reduce\n", "  train: xp\n", ":5:10: ");
}

static void settings_refused(const char *ports, const char *where)
{
	char *text = NULL;

	if (asprintf(&text, "ports: [%s]\nqp:", ports) > 0)
		refused("qp:", text, where);
	free(text);
}

static void settings_ok(void)
{
	const struct rf_setting *set;
	struct rf_scenario s;
	char *text = edited("{nodes: 4}\n",
		"{nodes: 4, rate: 1gbit, delay: 5us}\n"
		"ports:\n"
		"  - {port: all, link: jitter 1us, watchdog: prio 3 detect 200ms}\n"
		"  - {port: switch, ecn: prio 3 kmin 10kb kmax 20kb}\n"
		"  - {port: p2, prio: prio-pfc 3:on prio-xoff 3:64KiB}\n"
		"  - {port: p2, link: seed 5}\n");

	ok(text && !load_text(text, &s), "settings of ports are loaded%s", said);
	set = s.settings;
	ok(s.nsettings == 4 + 4 + 4 + 4 + 4 + 1 + 1, "there is one setting per port and kind");
	ok(!strcmp(set[0].port, "v1") && !strcmp(set[4].port, "p1") &&
	   set[7].change.conf.link.rate == 1000000000 &&
	   set[7].change.conf.link.delay == 5000,
	   "rate and delay of the fabric are set at both ends of its links");
	ok(!strcmp(set[11].port, "v4") && set[11].change.conf.link.jitter == 1000 &&
	   set[11].change.link & RF_LINK_BIT(SEED), "a setting with jitter gets the scenario's seed");
	ok(set[19].change.link == RF_LINK_BIT(SEED) &&
	   set[17].change.link == 0 && set[17].change.conf.link.seed == 0,
	   "a setting with ECN marks gets the scenario's seed, unless the port has its own");
	ok(set[15].change.conf.watchdog.detect == 200000000 &&
	   !strcmp(set[19].port, "p4") && set[19].change.ecn[3] &&
	   !strcmp(set[20].port, "p2") && set[20].change.conf.prio[3].pfc == 1,
	   "settings of watchdog, ECN and PFC are loaded");
	rf_scenario_free(&s);
	free(text);
}

static void settings_fails(void)
{
	settings_refused("{port: v5, link: rate 1gbit}", ":9:16: ");
	settings_refused("{port: all}", ":9:9: ");
	settings_refused("{link: rate 1gbit}", ":9:9: ");
	settings_refused("{port: all, link: rate 1 gbit}", ":9:27: ");
	settings_refused("{port: all, prio: prio-pfc 9:on}", ":9:27: ");
	settings_refused("{port: all, ecn: kmin 3}", ":9:26: ");
	settings_refused("{port: all, watchdog: poll 1}", ":9:31: ");
	refused("{nodes: 4}", "{nodes: 4, rate: 5}", ":3:26: ");
}

/* ---- fabrics of several switches ---- */

#define FABRIC(fabric, ports) \
	edited("{nodes: 4}\n", fabric "\nports: [" ports "]\n")

static void chain_ok(void)
{
	struct rf_scenario s;
	char *text = FABRIC("{nodes: 4, shape: chain, delay: 5us}",
			    "{port: fabric-link, link: rate 10mbit}, "
			    "{port: s2s1, ecn: prio 3 kmin 10kb kmax 20kb}, "
			    "{port: switch, prio: 'prio-pfc 3:on prio-xoff 3:64KiB'}");
	const struct rf_setting *set;

	ok(text && !load_text(text, &s), "a fabric of shape chain is loaded%s", said);
	free(text);
	set = s.settings;
	ok(s.fabric.shape == RF_SHAPE_CHAIN && s.fabric.switches == 2,
	   "a chain has two switches by default");
	ok(s.nsettings == 10 + 2 + 1 + 6, "a chain has a setting for each port");
	ok(!strcmp(set[7].port, "p4") && !strcmp(set[8].port, "s1s2") &&
	   !strcmp(set[9].port, "s2s1") && set[9].change.conf.link.delay == 5000,
	   "the delay of the fabric is set at every link of a chain");
	ok(!strcmp(set[10].port, "s1s2") && !strcmp(set[11].port, "s2s1") &&
	   set[11].change.conf.link.rate == 10000000, "\"fabric-link\" stands for both ports between the switches");
	ok(!strcmp(set[13].port, "p1") && !strcmp(set[18].port, "s2s1"),
	   "\"switch\" stands for every port of both switches");
	ok(rf_port_number(&s, "v2") == rf_port_number(&s, "rxe2") &&
	   rf_port_number(&s, "s1s2") != rf_port_number(&s, "s2s1") &&
	   rf_port_number(&s, "s1s2") && !rf_port_number(&s, "s2s3") &&
	   !rf_port_number(&s, "s1"), "rf_port_number() distinguishes ports and knows both names of a port");
	rf_scenario_free(&s);
}

static void leaf_spine_ok(void)
{
	struct rf_scenario s;
	char *text = FABRIC("{nodes: 4, shape: leaf-spine, leaves: 2, spines: 2}",
			    "{port: fabric-link, link: rate 10mbit}");

	ok(text && !load_text(text, &s), "a fabric of shape leaf-spine is loaded%s", said);
	free(text);
	ok(s.fabric.leaves == 2 && s.fabric.spines == 2 && s.nsettings == 8,
	   "each leaf has a link to each spine, with a setting at both ends");
	ok(!strcmp(s.settings[0].port, "l1s1") &&
	   !strcmp(s.settings[7].port, "s2l2"), "fabric links of leaf-spine are named l1s1 to s2l2");
	rf_scenario_free(&s);
}

static void fabric_fails(void)
{
	static const char nodes[] = "{nodes: 4}";
	struct rf_scenario s;
	char *text;

	refused(nodes, "{nodes: 4, shape: ring}", ":3:27: ");
	refused(nodes, "{nodes: 4, switches: 2}", ":3:30: ");
	refused(nodes, "{nodes: 4, shape: chain, switches: 5}", ":3:44: ");
	refused(nodes, "{nodes: 4, shape: chain, switches: 1}", ":3:44: ");
	refused(nodes, "{nodes: 4, shape: chain, spines: 2}", ":3:42: ");
	refused(nodes, "{nodes: 4, shape: leaf-spine, spines: 5}", ":3:47: ");
	settings_refused("{port: fabric-link, link: rate 1gbit}", ":9:16: ");
	text = FABRIC("{nodes: 4, shape: chain}", "{port: s1s3, link: rate 1gbit}");
	ok(text && load_text(text, &s) == -EINVAL, "a port of a fabric link that does not exist is refused");
	golden(message(), "a port between switches that have no link");
	free(text);
}

/* ---- lines, matrix ---- */

static void lines_ok(void)
{
	struct rf_scenario s;
	char *text = edited("[naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]\n",
			    "\n      - step.time.p99 < 5 ms\n"
			    "      - ratio(step.time.p50, clean) < 1.5\n"
			    "expect: \"rank[*].wrong == 0\"\n");

	ok(text && !load_text(text, &s), "expectations as comparisons are loaded%s", said);
	ok(s.cases[0].nchecks == 1 && s.cases[1].nchecks == 3 &&
	   !strcmp(s.cases[0].checks[0].text, "rank[*].wrong == 0") &&
	   !strcmp(s.cases[1].checks[1].text, "step.time.p99 < 5 ms"),
	   "expectations of the scenario apply to each case");
	rf_scenario_free(&s);
	free(text);
}

/* The examples of the manual must be valid. */
static void manual_ok(void)
{
	FILE *f = fopen("Documentation/man/rdmafault-scenario.5", "re");
	unsigned int column, n = 0;
	struct rf_check check;
	bool within = false;
	struct rf_why why;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "An expectation is an expression", 31))
			within = true;
		if (within && !strncmp(line, ".Ed", 3))
			break;
		if (!within || line[0] == '.' || line[0] == 'A')
			continue;
		ok(++n && !rf_check_parse(line, &rf_metrics, &check, &why,
					  &column), "the example \"%s\" of rdmafault-scenario(5) is valid", line);
		rf_check_free(&check);
	}
	if (f)
		fclose(f);
	ok(n >= 5, "control: rdmafault-scenario(5) has at least 5 examples of comparisons");
}

static void lines_fails(void)
{
	refused("expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"expect: |\n      naks == 1\n      retransmitted == 1", ":15:13: ");
	refused("expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"expect: [step.time.p99 < 5]", ":15:30: ");
	refused("expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"expect: [\"step.time.p99 < 5\"]", ":15:31: ");
	refused("expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"expect: step.tiem.p99 < 5 ms", ":15:13: ");
	refused("expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"expect: \"ratio(step.time.p50, klean) < 2\"", ":15:13: ");
	refused("[naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"{naks: 1, retransmitted: 1..128}", ":15:13: ");
	refused("[naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"{}", ":15:13: ");
	refused("[naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]",
		"[naks: 1]", ":15:14: ");
	refused("cases:\n", "expect: {naks: 0}\ncases:\n", ":10:9: ");
}

static const char sweep[] =
	"matrix: {loss: [0.1%, 1%], seed: [1, 2, 3], n: [7]}\n"
	"name: x\ntitle: X\nfabric: {nodes: 2}\n"
	"workload: {collective: all_reduce, ranks: 2, size: 1MiB, steps: 9}\n"
	"cases:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - {do: 'drop v2 tx all probability $loss seed ${seed}'}\n"
	"  - name: at-$n\n"
	"    faults:\n"
	"      - {do: drop v2 tx all nth $n, at: step $n}\n"
	"    expect: faults.hit == $n\n";

static void matrix_ok(void)
{
	const struct rf_case *p;
	struct rf_scenario s;

	ok(!load_text(sweep, &s), "a matrix is loaded%s", said);
	ok(s.ncases == 1 + 6 + 1, "a matrix makes a case for each combination of the variables that a case uses");
	p = &s.cases[1];
	ok(!strcmp(p->name, "lossy-0.1%-1") && p->faults->spec.seed == 1 &&
	   p->faults->spec.trigger.probability == RDMAFAULT_PROBABILITY_ONE / 1000,
	   "the first case of a matrix is %s", p->name);
	p = &s.cases[6];
	ok(!strcmp(p->name, "lossy-1%-3") && p->faults->spec.seed == 3 &&
	   p->faults->spec.trigger.probability == RDMAFAULT_PROBABILITY_ONE / 100,
	   "the last case of a matrix is %s", p->name);
	p = &s.cases[7];
	ok(!strcmp(p->name, "at-7") && p->faults->spec.trigger.nth == 7 &&
	   p->faults->spec.match.step_min == 7 &&
	   p->checks[0].right->value == 7, "a case whose name has all variables keeps its name %s",
	   p->name);
	rf_scenario_free(&s);
}

static const char sizes[] =
	"matrix: {size: [64KiB, 1MiB]}\n"
	"name: x\ntitle: X\nfabric: {nodes: 2}\n"
	"workload: {collective: all_reduce, ranks: 2, size: 1KiB, steps: 9}\n"
	"cases:\n"
	"  - name: x\n"
	"    workload: {size: $size}\n";

/*
 * If a matrix has sizes, each case is named after its size. The unit in the name has capital
 * letters.
 */
static void sizes_ok(void)
{
	struct rf_scenario s = { };

	ok(!load_text(sizes, &s), "a matrix of sizes is loaded%s", said);
	ok(s.ncases == 2 && !strcmp(s.cases[0].name, "x-64KiB") &&
	   s.cases[0].workload.size == 64 << 10 &&
	   !strcmp(s.cases[1].name, "x-1MiB") &&
	   s.cases[1].workload.size == 1 << 20, "each size of a matrix is in the name of its case");
	rf_scenario_free(&s);
}

static void matrix_refused(const char *matrix, const char *where)
{
	char *text;
	int err;

	if (asprintf(&text, "matrix: %s%s", matrix, strchr(sweep, '\n')) < 0)
		return;
	err = load_text(text, &(struct rf_scenario){ });
	ok(err == -EINVAL && strstr(said, where), "the matrix is refused at %s: %s", where, matrix);
	golden(message(), "matrix: %s", matrix);
	free(text);
}

static void matrix_fails(void)
{
	matrix_refused("{loss: [6%%], seed: [1], n: [7]}", ":10:14: ");
	matrix_refused("{loss: [6%], seed: [1], n: [10]}", ":13:41: ");
	matrix_refused("{loss: [6%], seed: [1], n: [7], m: [7]}", ":1:41: ");
	matrix_refused("{loss: 6%, seed: [1], n: [7]}", ":1:16: ");
	matrix_refused("{loss: [6%], seed: [[1]], n: [7]}", ":1:29: ");
	matrix_refused("[1]", ":1:9: ");
	matrix_refused("{loss: [6%, 6%], seed: [1], n: [7]}", ":8:11: ");
}

/* ---- a job that writes no timeline ---- */

static const char shell[] =
	"name: x\ntitle: X\nfabric: {nodes: 2}\n"
	"workload: {command: 'ib_write_bw -d rxe1'}\n"
	"cases:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - {do: drop v2 tx all probability 1%, from: 1s, for: 1s}\n"
	"    expect: naks == 0\n";

static const char shell_fails[] =
	"name: x\ntitle: X\nfabric: {nodes: 2}\n"
	"workload: {command: 'ib_write_bw -d rxe1'}\n"
	"cases:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - {do: drop v2 tx all probability 1%, from: 1s, for: 1s}\n"
	"    expect: [ranks.failed == 1, 'rank[0].status == 1']\n";

/* Was the fault done? */
static bool has_come = true;

static int case_shell(const struct rf_scenario *s, struct rf_run *run,
		      int status)
{
	struct rf_run_case *p;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < s->ncases; i++) {
		p = &run->cases[run->ncases++];
		*p = (struct rf_run_case){ .kase = &s->cases[i], .round = 1 };
		rf_run_label(run, p);
		err = rf_timeline_of_command(&p->rec.tl, i ? status : 0,
					     "Failed status 12");
		if (!err && i && has_come) {
			rf_record_done(&p->rec, &(struct rf_done){ 100, 0, false });
			rf_record_done(&p->rec, &(struct rf_done){ 200, 0, true });
		}
		if (!err)
			err = rf_run_analyse(run, p);
	}
	return err;
}

/*
 * Run a job that is a command and ends with @status. Then judge the run, save it, render it
 * and load it.
 */
static void shell_ends(const char *dir, const char *text, int status,
		       enum rf_verdict want)
{
	struct rf_run_case cases[2];
	struct rf_run run = { .cases = cases, .rounds = 1 }, again;
	struct rf_scenario s;

	if (load_text(text, &s)) {
		ok(false, "a scenario with a command is loaded: %s", said);
		return;
	}
	run.scenario = &s;
	run.price = &s.price;
	snprintf(run.dir, sizeof(run.dir), "%s", dir);
	ok(!case_shell(&s, &run, status), "a command with exit status %d is analysed", status);
	rf_run_set_verdict(&run);
	ok(run.verdict == want, "a command is judged by its exit status: %s%s", rf_verdict_name(run.verdict),
	   want ? strchr(cases[1].reason[0], ':') : "");
	ok(!rf_run_save(&run) && !rf_run_render(&run, RF_FORMATS_ALL),
	   "the run of a command is saved and rendered%s", said);
	ok(!rf_run_load(dir, &again) && again.verdict == want &&
	   !strcmp(again.scenario->workload.command, "ib_write_bw -d rxe1"),
	   "the saved run of a command is loaded with the same verdict%s", said);
	ok(again.ncases == 2 && !again.cases[0].rec.ndone &&
	   again.cases[1].rec.ndone == (has_come ? 2 : 0) && (!has_come ||
	   (again.cases[1].rec.done[1].t_ns == 200 &&
	    again.cases[1].rec.done[1].undo && !again.cases[1].rec.done[0].undo)),
	   "the loaded run of a command has the times of its faults");
	rf_run_free(&again);
	for (size_t i = 0; i < run.ncases; i++) {
		rf_reasons_free(&cases[i]);
		rf_analysis_free(cases[i].an);
		free(cases[i].an);
		rf_record_free(&cases[i].rec);
	}
	rf_scenario_free(&s);
}

static void shell_ok(void)
{
	char dir[] = "/tmp/scenarios-XXXXXX", command[64];

	if (!mkdtemp(dir)) {
		ok(false, "control: a directory for the reports can be made");
		return;
	}
	shell_ends(dir, shell, 0, RF_VERDICT_PASS);
	shell_ends(dir, shell, 1, RF_VERDICT_FAIL);
	shell_ends(dir, shell_fails, 1, RF_VERDICT_PASS);
	shell_ends(dir, shell_fails, 0, RF_VERDICT_FAIL);
	has_come = false;
	shell_ends(dir, shell, 0, RF_VERDICT_FAIL);
	has_come = true;
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ok(!system(command), "control: the reports can be removed");
}

/* ---- the schema and the printed plan ---- */

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
	deeds_ok();
	moments_ok();
	folded_ok();
	seeds_ok();
	port_seeds_ok();
	deeds_fails();
	when_fails();
	conflicts_fails();
	workloads_ok();
	train_seeds_ok();
	said_seeds_ok();
	workloads_fails();
	sweeps_fails();
	own_ok();
	settings_ok();
	settings_fails();
	chain_ok();
	leaf_spine_ok();
	fabric_fails();
	lines_ok();
	manual_ok();
	lines_fails();
	matrix_ok();
	sizes_ok();
	matrix_fails();
	shell_ok();
	schema_ok();
	plan_json_ok();
	plan_ok();
	yaml_fails();
	golden_compare("scenario.txt");
	return done_testing();
}
