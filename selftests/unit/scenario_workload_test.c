// SPDX-License-Identifier: GPL-2.0
/* Test the loader of scenarios: workloads and their command lines, and keys of a case. */
#include <math.h>
#include <signal.h>

#include "golden.h"
#include "scenario_text.h"
#include "tools/run/run.h"
#include "tools/scenario/scenario.h"

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

	seeded_is(NULL, TRAINING, "train --json --timeline t.jsonl --parallel tp --steps 60" PLACED);
	seeded_is(&none, TRAINING,
		  "train --json --timeline t.jsonl --parallel tp --steps 60 --seed 0" PLACED);
	seeded_is(&wide, TRAINING,
		  "train --json --timeline t.jsonl --parallel tp --steps 60 --seed 4294967296" PLACED);
	seeded_is(&most, TRAINING,
		  "train --json --timeline t.jsonl --parallel tp --steps 60 --seed 18446744073709551615" PLACED);
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
		    "  options: --lr=0.2 --spin", "train --json --timeline t.jsonl --parallel dp --steps 60 --gradient 1048576 "
		    "--seed 7 -N 2 --compute 0ns --device rxe1,rxe2 --timeout 14 "
		    "--retry-cnt 6 --mtu 4096 --deadline 9ns --lr=0.2 --spin");
	workload_is("collective: barrier\n  ranks: 2\n  steps: 60\n"
		    "  options: --deadline 3s",
		    "collperf barrier -n 60 -w 0 -z 1 --timeline t.jsonl -N 2 "
		    "--compute 0ns --device rxe1,rxe2 --timeout 14 --retry-cnt 6 "
		    "--mtu 4096 --deadline 3s");
	workload_is("collective: barrier\n  ranks: 2\n  rails: 2\n  failover: true\n  steps: 60",
		    "collperf barrier -n 60 -w 0 -z 1 --timeline t.jsonl -N 2 "
		    "--compute 0ns --rails 2 --failover --device rxe1,rxe2 --timeout 14 "
		    "--retry-cnt 6 --mtu 4096 --deadline 9ns");
	workload_is("train: tp\n  ranks: 2\n  steps: 60\n  options: --seed 5",
		    "train --json --timeline t.jsonl --parallel tp --steps 60 -N 2 --compute 0ns "
		    "--device rxe1,rxe2 --timeout 14 --retry-cnt 6 --mtu 4096 "
		    "--deadline 9ns --seed 5");
}

/* Keys of a case override the keys of the scenario. */
static void own_ok(void)
{
	struct rf_scenario s;
	char *text = edited("  - name: lossy\n",
			    "  - name: lossy\n    qp: {timeout: 17}\n"
			    "    workload: {size: 1MiB, steps: 70, options: --algo tree, background: sleep 9, env: {A: 1, B: \"\"}}\n");

	ok(text && !load_text(text, &s), "a case with its own workload is loaded%s",
	   said);
	ok(s.cases[1].qp.timeout == 17 && s.cases[1].qp.mtu == 4096 &&
	   s.cases[1].workload.size == 1 << 20 && s.cases[1].workload.ranks == 4 &&
	   !strcmp(s.cases[1].workload.options, "--algo tree") &&
	   !strcmp(s.cases[1].workload.background, "sleep 9"), "it has it");
	ok(s.cases[1].workload.env.n == 2 && !strcmp(s.cases[1].workload.env.v[0], "A=1") &&
	   !strcmp(s.cases[1].workload.env.v[1], "B=") && !s.cases[1].workload.env.v[2] &&
	   !s.cases[0].workload.env.n, "it alone has its environment variables");
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
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {env: A=1}\n", ":13:21: ");
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {env: {1A: x}}\n", ":13:22: ");
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {env: {A: [x]}}\n", ":13:25: ");
	refused("  - name: lossy\n",
		"  - name: lossy\n    workload: {env: {RF_NODE: 3}}\n", ":13:22: ");
	refused("  steps: 60\n", "  steps: 60\n  env: {A: 1}\n", ":9:3: ");
	refused("  - name: lossy\n", "  - name: lossy\n    qp: {timeout: 99}\n",
		":13:19: ");
}

static void rails_refused(const char *keys, const char *why)
{
	char *words = NULL;

	if (asprintf(&words, "  steps: 60\n%s", keys) < 0)
		abort();
	refused("  steps: 60\n", words, why);
	free(words);
}

static void rails_fail(void)
{
	rails_refused("  rails: 2\n", "rails 2: 4 ranks need 8 nodes; the fabric has 4");
	rails_refused("  rails: 3\n", "rails 3: out of range; 1 to 2");
	rails_refused("  failover: true\n", "failover: no effect, because each rank has one node");
	rails_refused("  rails: 1\n  failover: true\n", "failover: no effect");
	rails_refused("  rails: 1\n  options: --failover\n", "use the key \"workload: failover\" instead");
	rails_refused("  options: --rails 2\n", "use the key \"workload: rails\" instead");
}

/* placed PLACEMENT: the nodes of four ranks on a fabric of eight nodes at four switches */
static char *placed(const char *placement)
{
	static char nodes[64];
	struct rf_scenario s;
	char *text;
	int i, n = 0;

	if (asprintf(&text, "name: x\ntitle: X\nfabric: {nodes: 8, shape: chain, switches: 4}\n"
		     "workload: {collective: all_reduce, ranks: 4, size: 64KiB, steps: 2}\n"
		     "cases:\n  - name: clean\n  - name: other\n    workload: {placement: \"%s\"}\n",
		     placement) < 0)
		abort();
	nodes[0] = '\0';
	if (!load_text(text, &s)) {
		for (i = 0; i < 4; i++)
			n += snprintf(nodes + n, sizeof(nodes) - n, "%s%u", i ? " " : "",
				      rf_workload_node(&s.cases[1].workload, i, 0));
		ok(rf_workload_node(&s.cases[0].workload, 3, 0) == 4 &&
		   rf_same_job(&s.cases[0], &s.cases[1]) == !strcmp(placement, "packed"),
		   "placement %s: the other case stays packed; only equal placements are the same job",
		   placement);
		rf_scenario_free(&s);
	}
	free(text);
	return nodes;
}

/* Each seed of a random placement has its order, in which each node occurs once. */
static void placement_is_drawn(void)
{
	char first[64], *nodes, word[32];
	unsigned int node[4], seen, i, seed, differ = 0, wrong = 0;

	snprintf(first, sizeof(first), "%s", placed("random 0"));
	ok(!strcmp(first, placed("random 0")), "the same seed places the ranks on the same nodes");
	for (seed = 1; seed <= 20; seed++) {
		snprintf(word, sizeof(word), "random %u", seed);
		nodes = placed(word);
		differ += !!strcmp(nodes, first);
		wrong += sscanf(nodes, "%u %u %u %u", &node[0], &node[1], &node[2], &node[3]) != 4;
		for (i = seen = 0; i < 4; i++)
			seen |= node[i] >= 1 && node[i] <= 8 ? 1u << node[i] : 0;
		wrong += __builtin_popcount(seen) != 4;
	}
	ok(differ >= 18 && !wrong, "other seeds place the ranks on other nodes, each node once");
}

static void placement_ok(void)
{
	ok(!strcmp(placed("packed"), "1 2 3 4"), "packed: rank r is on node r + 1");
	ok(!strcmp(placed("spread"), "1 3 5 7"), "spread: the ranks are on four switches");
	ok(!strcmp(placed("8,1,4,3"), "8 1 4 3"), "a list names the nodes");
	placement_is_drawn();
}

static void placement_fails(void)
{
	static const char form[] = ": invalid; packed, spread, random SEED, or a node for each rank, each once, for example 1,5,2,6";
	static const char *const wrong[] = { "1,2,3,3", "wide", "random", "random -1", "1,2,3,", "0,1,2,3" };
	char keys[64];
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(keys, sizeof(keys), "  placement: %s\n", wrong[i]);
		rails_refused(keys, form);
	}
	rails_refused("  placement: 1,2,3\n", "placement: 3 nodes for 4 ranks; name one node for each rank");
	rails_refused("  placement: 1,2,3,9\n", "placement: node 9: not in this fabric; 1 to 4");
	rails_refused("  rails: 2\n  placement: spread\n", "placement: not possible with rails");
}

static void balance_ok(void)
{
	static const char text[] = "name: x\ntitle: X\nseed: 7\nbalance: ecmp\n"
		"fabric: {nodes: 8, shape: leaf-spine, leaves: 2, spines: 2}\n"
		"workload: {collective: all_reduce, ranks: 4, size: 64KiB, steps: 2}\n"
		"cases:\n  - name: clean\n  - {name: fixed, balance: static}\n"
		"  - {name: gap, balance: flowlet 2ms seed 9}\n";
	struct rf_path_info path;
	struct rf_scenario s;

	ok(!load_text(text, &s), "a balance is loaded");
	ok(rf_case_is_balanced(&s.cases[0]) && !strcmp(s.cases[0].balance, "ecmp") &&
	   !rf_case_is_balanced(&s.cases[1]), "a case has the balance of the scenario, or its own");
	ok(!rf_balance_parse(&s, s.cases[0].balance, "l1s1,l1s2", &path) &&
	   path.conf.mode == RDMAFAULT_PATH_MODE_ECMP && path.conf.links == 2 &&
	   path.conf.seed == 7, "the seed of the scenario is that of the hash");
	ok(!rf_balance_parse(&s, s.cases[2].balance, "l1s1,l1s2", &path) &&
	   path.conf.mode == RDMAFAULT_PATH_MODE_FLOWLET && path.conf.gap == 2000000 &&
	   path.conf.seed == 9, "words of a balance: mode, gap and seed");
	rf_scenario_free(&s);
}

static void balance_fails(void)
{
	static const char *const wrong[] = {
		"hash", "flowlet", "flowlet 0ms", "flowlet 30s", "list", "list via l1s1", "ecmp seed x", "ecmp links a,b",
	};
	char keys[64];
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(keys, sizeof(keys), "title: X\nbalance: %s\n", wrong[i]);
		refused("title: X\n", keys, ": invalid; static, ecmp, qp, flowlet GAP");
	}
	refused("title: X\n", "title: X\nbalance: ecmp\n", "balance: no effect, because each pair of nodes has only one path");
}

static void convergence_ok(void)
{
	static const char text[] = "name: x\ntitle: X\nbalance: ecmp\nconvergence: 250ms\n"
		"fabric: {nodes: 8, shape: leaf-spine, leaves: 2, spines: 2}\n"
		"workload: {collective: all_reduce, ranks: 4, size: 64KiB, steps: 2}\n"
		"cases:\n  - name: usual\n  - {name: fixed, balance: static}\n"
		"  - {name: fast, convergence: 1ms}\n";
	struct rf_fault fault = { .kind = RF_FAULT_LINK_DOWN, .port = "s2l1" };
	struct rf_scenario s;
	uint32_t spine = 0;

	ok(!load_text(text, &s), "a convergence time is loaded");
	ok(s.cases[0].convergence_ns == 250000000 && s.cases[2].convergence_ns == 1000000 &&
	   !s.cases[1].convergence_ns,
	   "a balanced case has the convergence time of the scenario, or another one");
	ok(rf_fault_converges(&s, &s.cases[0], &fault, &spine) && spine == 1,
	   "the leaf switches avoid the spine at either end of the link");
	ok(!rf_fault_converges(&s, &s.cases[1], &fault, &spine), "a case without a balance does not converge");
	fault.port = "v1";
	ok(!rf_fault_converges(&s, &s.cases[0], &fault, &spine), "the leaf switches do not avoid the link of a node");
	rf_scenario_free(&s);
}

static void sample_ok(void)
{
	static const char text[] = "name: x\ntitle: X\nsample: 100ms\n"
		"fabric: {nodes: 2}\n"
		"workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 2}\n"
		"cases:\n  - name: clean\n";
	struct rf_scenario s;

	ok(!load_text(text, &s) && s.sample_ns == 100000000, "the time between samples is loaded");
	rf_scenario_free(&s);
}

static void sample_fails(void)
{
	refused("title: X\n", "title: X\nsample: 0ms\n", "sample 0ms: invalid; 10ms to 3600s");
	refused("title: X\n", "title: X\nsample: 9ms\n", "sample 9ms: invalid; 10ms to 3600s");
}

static void convergence_fails(void)
{
	refused("title: X\n", "title: X\nconvergence: 0ms\n", "convergence 0ms: invalid; 1ms to 3600s");
	refused("title: X\n", "title: X\nconvergence: 2h\n", "convergence 2h: invalid; 1ms to 3600s");
	refused("  - name: clean\n", "  - {name: clean, convergence: 1ms}\n", "convergence: no effect, because each destination has a fixed uplink; it needs balance");
}

#define RATE "fabric: {nodes: 4, rate: 20mbit}\n"

static bool has_dcqcn(const struct rf_scenario *s, size_t i, bool np, bool rp, uint32_t scale)
{
	struct rf_queue_change change;
	struct rf_conf conf;

	rf_conf_init(&conf);
	if (rf_case_dcqcn(s, &s->cases[i], &change))
		rf_conf_apply(&conf, &change);
	return conf.dcqcn.np == np && conf.dcqcn.rp == rp && conf.dcqcn.rate.scale == scale;
}

static void dcqcn_ok(void)
{
	static const char text[] = "name: x\ntitle: X\n" RATE
		"dcqcn: np on rp on scale 2000 min-rate 1gbit\n"
		"workload: {collective: reduce, ranks: 4, size: 64KiB, steps: 4}\n"
		"cases:\n  - name: clean\n  - {name: without, dcqcn: off}\n"
		"  - {name: deaf, dcqcn: rp off}\n"
		"  - {name: unfair, faults: [do: dcqcn set v2 rp off, {do: dcqcn off v3, at: step 2}]}\n";
	const struct rf_fault *f;
	struct rf_scenario s;

	ok(!load_text(text, &s), "DCQCN is loaded");
	ok(has_dcqcn(&s, 0, true, true, 2000), "a case has DCQCN of the scenario");
	ok(has_dcqcn(&s, 1, false, false, 2000), "off: neither NP nor RP");
	ok(has_dcqcn(&s, 2, true, false, 2000), "the words of a case change those of the scenario");
	f = s.cases[3].faults;
	ok(f[0].kind == RF_FAULT_CHANGE && !strcmp(f[0].port, "v2") &&
	   f[0].change.dcqcn == RF_DCQCN_BIT(RP) && !f[0].change.conf.dcqcn.rp,
	   "a fault: dcqcn set");
	ok(f[1].kind == RF_FAULT_CHANGE && !strcmp(f[1].port, "v3") &&
	   f[1].change.dcqcn == (RF_DCQCN_BIT(NP) | RF_DCQCN_BIT(RP)), "a fault: dcqcn off");
	ok(has_dcqcn(&s, 3, true, true, 2000), "a fault leaves DCQCN of the case");
	rf_scenario_free(&s);
}

static void dcqcn_fails(void)
{
	static const struct { const char *words, *message; } wrong[] = {
		{ "np maybe", "dcqcn: np maybe: invalid; on or off" },
		{ "on", "dcqcn: unknown word \"on\"" },
		{ "rp on scale 0", "dcqcn: scale 0: out of range; 1 to 1000000" },
		{ "rp on", "dcqcn: v1: ai-rate: greater than the link rate times scale" },
		{ "rp on scale 2000", "dcqcn: v1: min-rate 100mbit with scale 2000: 64 packets take " },
		{ "[np, on]", "dcqcn: expected off, or words of rdmafault dcqcn set" },
		{ "\"\"", "dcqcn: expected off, or the words of rdmafault dcqcn set" },
	};
	char keys[96];
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(keys, sizeof(keys), RATE "dcqcn: %s\n", wrong[i].words);
		refused("fabric: {nodes: 4}\n", keys, wrong[i].message);
	}
	refused("title: X\n", "title: X\ndcqcn: rp on scale 10\n", "dcqcn: v1: rp: the link has no rate");
	refused("rule add v2 tx class write step 20 nth 3 drop", "dcqcn set v2 rp on",
		"do: v2: rp: the link has no rate");
	refused("rule add v2 tx class write step 20 nth 3 drop", "dcqcn off v2 now",
		"do: dcqcn off: expected a port and no further word");
	refused("      - do: rule add v2 tx class write step 20 nth 3 drop\n",
		"      - do: dcqcn set v2 np on\n      - do: dcqcn set rxe2 np off\n", "v2");
}

/* Return: the valid scenario with a list of processes as its job, and with @text after it */
static char *with_processes(const char *processes, const char *cases)
{
	char *text;

	if (asprintf(&text, "name: x\ntitle: X\nfabric: {nodes: 4}\nworkload:\n  command:\n%s\n"
		     "cases:\n  - name: clean\n%s", processes, cases) < 0)
		abort();
	return text;
}

static void processes_ok(void)
{
	char *text = with_processes("    - {name: server, node: 2, run: serve, ready: {port: 9001}, stop: last}\n"
				    "    - {name: log, run: tail, ready: {line: '^up'}, stop: INT, env: {A: 1}}\n"
				    "    - {name: client, run: go, ready: {after: 2s}}\n", "");
	const struct rf_process *p;
	struct rf_scenario s;

	ok(!load_text(text, &s), "a list of processes is loaded%s", said);
	p = s.cases[0].workload.processes.p;
	ok(s.workload.kind == RF_WORK_COMMAND && s.workload.processes.n == 3 &&
	   s.workload.processes.listed && p == s.workload.processes.p,
	   "the job of the scenario and of the case are these processes");
	ok(!strcmp(p[0].name, "server") && !strcmp(p[0].run, "serve") && p[0].node == 2 &&
	   p[0].ready.port == 9001 && p[0].stop == SIGTERM && !strcmp(p[0].log, "server.txt"),
	   "a process has name, node, command line, condition, signal and output");
	ok(!strcmp(p[1].ready.line, "^up") && p[1].stop == SIGINT && p[1].env.n == 1 &&
	   !p[1].node, "a process has a pattern, another signal and variables, and no node");
	ok(p[2].ready.after_ns == 2000000000ull && !p[2].stop,
	   "a process has a time, and the case waits for its end");
	rf_scenario_free(&s);
	free(text);
	text = edited("  collective: all_reduce\n  ranks: 4\n  size: 256KiB\n", "  command: go $HOME\n");
	ok(!load_text(text, &s) && s.workload.processes.n == 1 && !s.workload.processes.listed &&
	   !strcmp(s.workload.processes.p->name, "command") &&
	   !strcmp(s.workload.processes.p->run, "go $HOME") &&
	   !strcmp(s.workload.processes.p->log, "job.txt"), "a command line is the process \"command\"%s",
	   said);
	rf_scenario_free(&s);
	free(text);
}

#define CLIENT "    - {name: client, run: go, metrics: {bw: {json: 'a.b[1]', unit: gbit}, n: {pattern: 'n=(.*)'}}, " \
	"files: {out: /tmp/x}}"

static int load_expectation(const char *line, struct rf_scenario *s)
{
	char *text, *expect;
	int err;

	if (asprintf(&expect, "    expect: %s\n", line) < 0)
		abort();
	text = with_processes(CLIENT, expect);
	err = load_text(text, s);
	free(text);
	free(expect);
	return err;
}

static void values_ok(void)
{
	static const char *const lines[] = {
		"client.exit == 0", "client.time < 5 s", "client.bw >= 90 mbit", "client.n in 1..5",
		"ratio(client.bw, clean) >= 0.9", "equal(client.out)", "client.out == different",
		"client.bw * client.time > 1 MiB",
	};
	const struct rf_process *p;
	struct rf_scenario s;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		ok(!load_expectation(lines[i], &s), "the expectation \"%s\" of a process is valid%s",
		   lines[i], said);
		p = s.workload.processes.p;
		if (!i)
			ok(p->nvalues == 5 && !strcmp(p->values[2].info.name, "client.bw") &&
			   !strcmp(p->values[2].json, "a.b[1]") && fabs(p->values[2].factor - 1e9) < 1 &&
			   p->values[2].info.unit == RF_UNIT_RATE && !strcmp(p->values[3].pattern, "n=(.*)") &&
			   !strcmp(p->values[4].file, "/tmp/x"), "a process has its metrics and files");
		rf_scenario_free(&s);
	}
}

static void values_fails(void)
{
	static const char *const lines[] = {
		"client.lat < 5 ms", "server.exit == 0", "client.bw < 5 ms", "client.n < 5 ms",
		"equal(client.bw)", "equal(client.out) == 1", "equal(client.out", "equal()",
		"client.out == same", "client.out < 3",
	};
	struct rf_scenario s;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		ok(load_expectation(lines[i], &s) == -EINVAL, "the expectation \"%s\" is refused", lines[i]);
		golden(message(), "expect %s", lines[i]);
	}
}

static void processes_refused(const char *processes, const char *where)
{
	char *text = with_processes(processes, "");
	struct rf_scenario s;

	ok(load_text(text, &s) == -EINVAL && strstr(said, where), "the processes \"%s\" are refused at %s",
	   processes, where);
	golden(message(), "processes %s", processes);
	free(text);
}

static void processes_fails(void)
{
	processes_refused("    - {name: a, run: x}\n    - {name: a, run: y}", ":7:14: ");
	processes_refused("    - {name: a}", ":6:7: ");
	processes_refused("    - {run: x}", ":6:7: ");
	processes_refused("    - {name: a-b, run: x}", ":6:14: ");
	processes_refused("    - {name: background, run: x}", ":6:14: ");
	processes_refused("    - {name: a, run: ''}", ":6:22: ");
	processes_refused("    - {name: a, run: x, node: 5}", ":6:31: ");
	processes_refused("    - {name: a, run: x, node: 0}", ":6:31: ");
	processes_refused("    - {name: a, run: x, ready: {port: 1, after: 1s}}", ":6:32: ");
	processes_refused("    - {name: a, run: x, ready: {}}", ":6:32: ");
	processes_refused("    - {name: a, run: x, ready: {port: 65536}}", ":6:39: ");
	processes_refused("    - {name: a, run: x, ready: {line: '(up'}}", ":6:39: ");
	processes_refused("    - {name: a, run: x, ready: {after: 0s}}", ":6:40: ");
	processes_refused("    - {name: a, run: x, stop: yes}", ":6:31: ");
	processes_refused("    - {name: a, run: x, stop: last}", ":6:5: ");
	processes_refused("    - {name: a, run: x, when: now}", ":6:25: ");
	processes_refused("    - {name: step, run: x}", ":6:14: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {pattern: '(x'}}}", ":6:48: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {pattern: 'x'}}}", ":6:48: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {json: 'a..b'}}}", ":6:45: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {json: 'a[x]'}}}", ":6:45: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {json: a, pattern: (b)}}}", ":6:38: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {unit: ms}}}", ":6:38: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {json: a, unit: MB/s}}}", ":6:54: ");
	processes_refused("    - {name: a, run: x, metrics: {exit: {json: a}}}", ":6:35: ");
	processes_refused("    - {name: a, run: x, metrics: {A: {json: a}}}", ":6:35: ");
	processes_refused("    - {name: a, run: x, metrics: {m: {json: a}}, files: {m: y}}", ":6:58: ");
	processes_refused("    - {name: a, run: x, files: y}", ":6:32: ");
	processes_refused("    - {name: a, run: x, mpirun: 5}", ":6:33: ");
	processes_refused("    - {name: a, run: x, mpirun: 2, node: 1}", ":6:33: ");
	processes_refused("    - ls", ":6:7: ");
	processes_refused("    {a: ls}", ":6:5: ");
}

static void setup_refused(const char *keys, const char *where)
{
	struct rf_scenario s;
	char *text, *with;

	if (asprintf(&with, "%s\nqp: {timeout: 14}\n", keys) < 0)
		abort();
	text = edited("qp: {timeout: 14}\n", with);
	ok(load_text(text, &s) == -EINVAL && strstr(said, where), "the scenario with \"%s\" is refused at %s",
	   keys, where);
	golden(message(), "%s", keys);
	free(text);
	free(with);
}

static void setup_ok(void)
{
	char *text = edited("qp: {timeout: 14}\n",
			    "setup: [{name: a, run: x, ready: {port: 7}}, {name: b, run: y}]\nteardown: [z, w]\n");
	struct rf_scenario s;

	ok(!load_text(text, &s) && s.setup.n == 2 && s.setup.p[0].ready.port == 7 &&
	   !strcmp(s.setup.p[1].log, "b.txt") && s.teardown.n == 2 && !strcmp(s.teardown.v[1], "w"),
	   "a scenario has a setup and a teardown%s", said);
	rf_scenario_free(&s);
	free(text);
	setup_refused("setup: ls", ":9:8: ");
	setup_refused("setup: [{name: a, run: x}, {name: a, run: y}]", ":9:35: ");
	setup_refused("setup: [{name: a, run: x, stop: last}]", ":9:27: ");
	setup_refused("setup: [{name: a, run: x, node: 9}]", ":9:33: ");
	setup_refused("teardown: {a: b}", ":9:11: ");
	setup_refused("teardown: ['']", ":9:12: ");
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

int main(void)
{
	workloads_ok();
	train_seeds_ok();
	said_seeds_ok();
	processes_ok();
	processes_fails();
	values_ok();
	values_fails();
	setup_ok();
	workloads_fails();
	sweeps_fails();
	own_ok();
	rails_fail();
	placement_ok();
	placement_fails();
	balance_ok();
	balance_fails();
	convergence_ok();
	convergence_fails();
	sample_ok();
	sample_fails();
	dcqcn_ok();
	dcqcn_fails();
	golden_compare("scenario_workload.txt");
	return done_testing();
}
