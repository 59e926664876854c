// SPDX-License-Identifier: GPL-2.0
/* Test the loader of scenarios: several jobs, the jobs of a case, and their nodes. */
#include "golden.h"
#include "scenario_text.h"
#include "tools/run/run.h"
#include "tools/scenario/scenario.h"

static const char jobs[] =
	"name: x\n"
	"title: X\n"
	"fabric: {nodes: 8, shape: leaf-spine, spines: 2, leaves: 2}\n"
	"workload:\n"
	"  - {name: a, collective: all_reduce, ranks: 2, size: 64KiB, steps: 9}\n"
	"  - {name: b, collective: alltoall, ranks: 3, size: 1MiB, steps: 50, options: --tclass 96}\n"
	"  - {name: c, train: dp, ranks: 2, steps: 7, placement: \"2,6\"}\n"
	"qp: {timeout: 15}\n"
	"expect: \"job[*].rank[*].wrong == 0\"\n"
	"cases:\n"
	"  - {name: all}\n"
	"  - name: changed\n"
	"    qp: {timeout: 17}\n"
	"    workload: [{name: b, size: 2MiB, placement: spread}, {name: a, steps: 8}]\n"
	"    expect: [\"job[b].rank[2].wrong == 0\", \"ratio(step.time.p50, all) < 2\"]\n"
	"  - {name: two, jobs: [c, b], expect: [\"rank[2].wrong == 0\", \"job[c].step[7].time > 0s\"]}\n";

/* Return: the scenario with @from replaced by @to */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(jobs, from);
	char *text = NULL;

	if (at && asprintf(&text, "%.*s%s%s", (int)(at - jobs), jobs, to, at + strlen(from)) < 0)
		text = NULL;
	return text;
}

static void nodes_are(const struct rf_workload *w, const char *want)
{
	char got[64] = "";
	uint32_t i;

	for (i = 0; i < w->ranks; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? "," : "",
			 rf_workload_node(w, i, 0));
	ok(!strcmp(got, want), "the ranks of job %s are on the nodes %s: %s", w->name, want, got);
}

static void loads(void)
{
	const struct rf_case *p;
	struct rf_scenario s;

	ok(!load_text(jobs, &s), "a scenario with three jobs is loaded%s", said);
	ok(!strcmp(s.workload.name, "a") && s.nothers == 2 && !strcmp(s.others[0].name, "b") &&
	   !strcmp(s.others[1].name, "c"), "it has the jobs in the order of the file");
	p = &s.cases[0];
	ok(p->nothers == 2 && !strcmp(p->workload.name, "a") && !strcmp(p->others[0].name, "b") &&
	   p->others[1].workload.kind == RF_WORK_TRAIN, "all jobs run in a case without \"jobs\"");
	nodes_are(&p->workload, "1,3");
	nodes_are(&p->others[0].workload, "4,5,7");
	nodes_are(&p->others[1].workload, "2,6");
	p = &s.cases[1];
	ok(p->workload.steps == 8 && p->others[0].workload.size == 2 << 20 &&
	   p->others[0].qp.timeout == 17, "a case changes values of the jobs that it names");
	nodes_are(&p->others[0].workload, "5,7,4");
	p = &s.cases[2];
	ok(p->nothers == 1 && !strcmp(p->workload.name, "b") && !strcmp(p->others[0].name, "c"),
	   "a case has the jobs of \"jobs\", in the order of the file");
	nodes_are(&p->workload, "1,3,4");
	ok(rf_same_step(&s.cases[0], &s.cases[0]) && !rf_same_step(&s.cases[0], &s.cases[1]) &&
	   !rf_same_step(&s.cases[0], &s.cases[2]), "cases with other jobs cannot be compared");
	rf_scenario_free(&s);
}

/* Errors have the position of the key that is wrong. */
static void is_refused(const char *from, const char *to, const char *where)
{
	char *text = changed(from, to);
	struct rf_scenario s = { };
	int err = text ? load_text(text, &s) : 0;

	ok(err == -EINVAL && strstr(said, where), "\"%s\" instead of \"%s\" is refused at %s: %s",
	   to, from, where, said);
	golden(message(), "\"%s\" instead of \"%s\"", to, from);
	free(text);
}

static void refusals(void)
{
	is_refused("name: b, coll", "name: a, coll", ":6:12: ");
	is_refused("{name: b, coll", "{coll", ":6:5: ");
	is_refused("name: b, coll", "name: b-1, coll", ":6:12: ");
	is_refused("alltoall, ranks: 3", "alltoall, ranks: 9", ":6:44: ");
	is_refused("alltoall, ranks: 3", "alltoall, ranks: 5", ":12:5: ");
	is_refused("options: --tclass 96", "rails: 2", ":6:77: ");
	is_refused("options: --tclass 96", "background: sleep 1", ":6:82: ");
	is_refused("  - {name: b, collective: alltoall, ranks: 3, size: 1MiB, steps: 50, options: --tclass 96}\n",
		   "  - {name: b, command: sleep 1}\n", ":6:24: ");
	is_refused("steps: 50, options", "steps: 50, placement: \"2,3,4\", options", ":7:57: ");
	is_refused("placement: spread", "placement: \"2,3\"", ":14:49: ");
	is_refused("{name: b, size: 2MiB", "{name: d, size: 2MiB", ":14:23: ");
	is_refused("{name: b, size: 2MiB", "{size: 2MiB", ":14:16: ");
	is_refused("jobs: [c, b], expect: [\"rank[2].wrong == 0\", \"job[c].step[7].time > 0s\"]",
		   "jobs: [c, d]", ":16:27: ");
	is_refused("jobs: [c, b]", "jobs: []", ":16:23: ");
	is_refused("job[b].rank[2]", "job[d].rank[2]", ":15:14: ");
	is_refused("job[b].rank[2]", "job[b].rank[3]", ":15:14: ");
	is_refused("job[c].step[7]", "job[c].step[8]", ":16:");
	is_refused("job[c].step[7]", "job[a].step[7]", ":16:");
	is_refused("job[c].step[7].time > 0s", "job[c].port[v1].dropped == 0", ":16:");
}

/* Names do not change what a scenario with one job accepts. */
static void one_job(void)
{
	struct rf_scenario s = { };
	char *text = edited("  collective", "  name: a\n  collective");

	ok(text && !load_text(text, &s) && !strcmp(s.workload.name, "a") && !s.nothers &&
	   !s.cases[0].nothers, "a single job can have a name%s", said);
	rf_scenario_free(&s);
	free(text);
	refused("  - name: lossy\n", "  - name: lossy\n    jobs: a\n", ":13:11: ");
}

int main(void)
{
	loads();
	refusals();
	one_job();
	golden_compare("scenario_jobs.txt");
	return done_testing();
}
