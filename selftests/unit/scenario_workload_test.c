// SPDX-License-Identifier: GPL-2.0
/* Test the loader of scenarios: workloads and their command lines, and keys of a case. */
#include "golden.h"
#include "scenario_text.h"
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
	workload_is("train: tp\n  ranks: 2\n  steps: 60\n  options: --seed 5",
		    "train --json --timeline t.jsonl --parallel tp --steps 60 -N 2 --compute 0ns "
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
	workloads_fails();
	sweeps_fails();
	own_ok();
	golden_compare("scenario_workload.txt");
	return done_testing();
}
