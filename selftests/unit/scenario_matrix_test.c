// SPDX-License-Identifier: GPL-2.0
/* Test the loader of scenarios: blocks of lines, and cases that a matrix makes. */
#include "golden.h"
#include "scenario_text.h"

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

/* Return: 0 if a scenario whose case has this name is loaded */
static int load_named(const char *name, struct rf_scenario *s)
{
	const char *end = strstr(sizes, "x\n    workload");
	char *text;
	int err;

	if (asprintf(&text, "%.*s%s%s", (int)(end - sizes), sizes, name, end + 1) < 0)
		return -ENOMEM;
	err = load_text(text, s);
	free(text);
	return err;
}

/* Without braces, a hyphen belongs to the name. */
static void hyphen_fails(void)
{
	struct rf_scenario s = { };

	ok(load_named("x-$size-b", &s) == -EINVAL && strstr(said, ":7:11: "),
	   "a name of the matrix without braces is refused before a hyphen%s", said);
	golden(message(), "name: x-$size-b");
	ok(!load_named("x-${size}-b", &s) && s.ncases == 2 && !strcmp(s.cases[0].name, "x-64KiB-b"),
	   "with braces, a name of the matrix is replaced before a hyphen%s", said);
	rf_scenario_free(&s);
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
	hyphen_fails();
}

int main(void)
{
	lines_ok();
	manual_ok();
	lines_fails();
	matrix_ok();
	sizes_ok();
	matrix_fails();
	golden_compare("scenario_matrix.txt");
	return done_testing();
}
