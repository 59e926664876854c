// SPDX-License-Identifier: GPL-2.0
/*
 * Test scenarios of a bridge between other machines: what is loaded and refused, the plan, and a
 * case without a packet, whose counters of rxe are not known.
 */
#include "scenario_text.h"
#include "tools/analysis/analysis.h"

#define SLEEP "workload: {command: sleep 10}"

static const char *built(const char *fabric, const char *workload, const char *rest)
{
	static char text[2048];

	snprintf(text, sizeof(text), "name: x\ntitle: X\nfabric: {%s}\n%s\ncases:\n  - name: clean\n%s",
		 fabric, workload, rest);
	return text;
}

static void bridge_loads_ok(void)
{
	struct rf_scenario s;
	struct rf_case *p;
	char name[16];

	ok(!load_text(built("bridge: [eth2, enp1s0f0], rate: 1gbit, delay: 3ms, pfc: 3", SLEEP,
			    "  - name: drop\n    faults: [{do: drop enp1s0f0 rx class write}]\n"), &s),
	   "a bridge is loaded%s", said);
	p = &s.cases[1];
	ok(rf_fabric_is_remote(&s.fabric) && s.fabric.nodes == 2 &&
	   rf_port_number(&s, "eth2") == 1 && rf_port_number(&s, "enp1s0f0") == 2,
	   "its netdevs are the ports next to node 1 and node 2");
	ok(!rf_port_number(&s, "v1") && !rf_port_number(&s, "rxe1") && !rf_port_number(&s, "p1") &&
	   !rf_fabric_port(&s.fabric, 0, name), "it has no other port");
	ok(s.nsettings == 4 && !strcmp(s.settings[0].port, "eth2") &&
	   !strcmp(s.settings[1].port, "enp1s0f0") && s.settings[2].change.conf.prio[3].pfc,
	   "rate, delay and PFC of the fabric are those of both ports");
	ok(rf_case_round_trip_ns(&s, p) == 6000000, "a round trip passes each port once");
	rf_scenario_free(&s);
}

static void bridge_refused(const char *text, const char *what)
{
	struct rf_scenario s = { };
	bool refused = load_text(text, &s) == -EINVAL;
	const char *line = strrchr(what, '\n');

	what = line ? line + 1 : what;
	ok(refused, "%s: refused%s", what, refused ? "" : ", but it is loaded");
	golden(refused ? message() : "valid", "%s", what);
	rf_scenario_free(&s);
}

static void fault_refused(const char *fault)
{
	char rest[512];

	snprintf(rest, sizeof(rest), "  - {name: bad, faults: [{%s}]}\n", fault);
	bridge_refused(built("bridge: [eth2, eth3]", SLEEP, rest), fault);
}

static void fabrics_fail(void)
{
	static const char *const fabrics[] = {
		"bridge: eth2", "bridge: [eth2]", "bridge: [eth2, eth3, eth4]", "bridge: [eth2, eth2]",
		"bridge: [eth2, \"eth 3\"]", "bridge: [eth2, an-interface-name]", "bridge: [eth2, {}]",
		"bridge: [eth2, eth3], nodes: 2", "bridge: [eth2, eth3], shape: chain",
		"bridge: [eth2, eth3], cm: true", "shape: star",
	};
	size_t i;

	for (i = 0; i < sizeof(fabrics) / sizeof(*fabrics); i++)
		bridge_refused(built(fabrics[i], SLEEP, ""), fabrics[i]);
}

static void jobs_fail(void)
{
	static const char *const jobs[] = {
		"workload: {collective: all_reduce, ranks: 2, size: 1MiB, steps: 60}",
		"workload: {train: dp, ranks: 2, steps: 60}",
		"workload: {command: sleep 10, steps: 9}",
		"workload: {command: sleep 10, ranks: 2}",
		"workload: {command: [{name: a, run: sleep 10, node: 1}]}",
		"workload: {command: [{name: a, run: sleep 10, mpirun: 2}]}",
		SLEEP "\nsetup: [{name: a, run: sleep 10, node: 1, ready: {after: 1s}}]",
		SLEEP "\nports: [{port: switch, link: rate 1gbit}]",
		SLEEP "\nports: [{port: v1, link: rate 1gbit}]",
	};
	size_t i;

	for (i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		bridge_refused(built("bridge: [eth2, eth3]", jobs[i], ""), jobs[i]);
	bridge_refused(built("bridge: [eth2, eth3]", SLEEP, "  - {name: a, workload: {steps: 3}}\n"),
		       "steps of a case");
	bridge_refused(built("bridge: [eth2, eth3]", SLEEP,
			     "  - {name: a, expect: \"port[v1].tx.packets == 0\"}\n"),
		       "an expectation on another port");
}

static void faults_fail(void)
{
	fault_refused("do: drop v1 tx class write");
	fault_refused("do: drop eth2 rx class write step 3");
	fault_refused("do: drop eth2 rx class write message -1");
	fault_refused("do: drop eth2 rx class write, at: step 3");
	fault_refused("do: link set eth2 rate 1gbit, from: step 3, for: 2 steps");
	fault_refused("do: link down eth2 for 10ms, at: 1s");
	fault_refused("do: drop eth2 rx comm ib_write_bw");
}

/* Each kind of fault that needs no step is possible. */
static void faults_ok(void)
{
	struct rf_scenario s;
	struct rf_fault *f;
	char *text = NULL;
	size_t len;
	FILE *out;

	ok(!load_text(built("bridge: [eth2, eth3]", SLEEP, "  - name: all\n    faults:\n"
			    "      - do: drop eth2 rx class write position middle nth 100 count 1\n"
			    "      - do: drop eth3 tx class write gemodel 1% 30%\n"
			    "      - do: mark eth3 tx class write every 10\n"
			    "      - do: delay eth2 tx 2ms all\n"
			    "      - {do: link set eth3 rate 20mbit, from: 2s, for: 1s}\n"
			    "      - {do: pause eth2 prio 3 storm forever frames, from: 4s, for: 1s}\n"
			    "      - {do: pause eth3 prio 3 xoff, at: 6s}\n"
			    "      - do: ecn set eth3 prio 3 kmin 10kb kmax 20kb\n"
			    "    expect: [faults.hit >= 1, \"port[eth3].pause.time > 0ms\"]\n"), &s),
	   "faults on the ports of a bridge are loaded%s", said);
	out = open_memstream(&text, &len);
	rf_plan_write(out, &s);
	fclose(out);
	golden(text, "the plan");
	free(text);
	for (f = s.cases[1].faults; f < s.cases[1].faults + s.cases[1].nfaults; f++)
		ok(f->kind != RF_FAULT_STORM || !rf_storm_warning(&s, &s.cases[1], f),
		   "%s: no warning", f->words);
	rf_scenario_free(&s);
}

static void values_ok(void)
{
	struct rf_run_case p = { };
	struct rf_scenario s;
	struct rf_run run = { .scenario = &s, .cases = &p, .ncases = 1 };
	const char *why;
	double v;

	ok(!load_text(built("bridge: [eth2, eth3]", SLEEP, ""), &s), "control: the scenario is loaded");
	p.test_case = s.cases;
	p.rec.tl.ranks = 1;
	p.rec.tl.end[0].seen = true;
	p.rec.traffic.known = true;
	ok(!rf_run_analyse(&run, &p) && p.verdict == RF_VERDICT_BROKEN,
	   "a case in which no packet passed the bridge is broken");
	golden(p.reason[0], "no packet");
	why = rf_metric_value(&run, &p, "rxe.retry", &v);
	ok(why && rf_metric_value(&run, &p, "rank[0].rxe.retry", &v) &&
	   rf_metric_value(&run, &p, "send_errors", &v), "counters of rxe have no value: %s", why);
	ok(!rf_metric_value(&run, &p, "retransmitted", &v), "control: another metric has a value");
	rf_reasons_free(&p);
	rf_analysis_free(p.an);
	free(p.an);
	rf_scenario_free(&s);
}

/* data/bridge is the run of a real bridge: ib_write_bw from 10.77.0.2 behind eth2 to 10.77.0.3 */
static void recorded_run_ok(void)
{
	static const struct {
		const char *metric;
		double value;
	} metrics[] = {
		{ "faults.hit", 1 }, { "detected_by", RF_DETECTED_NAK }, { "naks", 1 }, { "timeouts", 0 },
		{ "retransmitted", 14 }, { "naks.ignored", 0 }, { "gbn.violations", 0 },
		{ "gbn.conforming", 1 },
	};
	const struct rf_loss *l;
	struct rf_run run;
	const char *why;
	uint64_t ns;
	double v;
	size_t i;

	ok(!rf_run_load("selftests/unit/data/bridge", &run) && run.verdict == RF_VERDICT_PASS,
	   "a recorded run of a bridge is loaded, and passes%s", said);
	for (i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		why = rf_metric_value(&run, &run.cases[1], metrics[i].metric, &v);
		ok(!why && v == metrics[i].value, "%s is %g%s", metrics[i].metric, v, why ? why : "");
	}
	l = rf_first_loss(run.cases[1].an);
	ok(l->hit->saddr[3] == 2 && l->hit->daddr[3] == 3 && !strcmp(l->hit->dev, "eth2"),
	   "the lost packet is of the machine behind eth2");
	ok(l->nak_sent && !strcmp(l->nak_sent->dev, "eth3") && !strcmp(l->nak->dev, "eth2") &&
	   rf_loss_nak_reaction(l, &ns) && !strcmp(l->first->dev, "eth2"),
	   "the NAK passes eth3, then eth2, and the retransmission arrives at eth2");
	rf_run_free(&run);
}

int main(void)
{
	bridge_loads_ok();
	fabrics_fail();
	jobs_fail();
	faults_fail();
	faults_ok();
	values_ok();
	recorded_run_ok();
	golden_compare("scenario_bridge.txt");
	return done_testing();
}
