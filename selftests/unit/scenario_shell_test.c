// SPDX-License-Identifier: GPL-2.0
/* Test a scenario whose job is a command that writes no timeline. */
#include "save_run.h"
#include "scenario_text.h"
#include "tools/analysis/analysis.h"
#include "tools/render/render.h"

#define SHELL \
	"name: x\ntitle: X\nfabric: {nodes: 2}\n" \
	"workload: {command: 'ib_write_bw -d rxe1'}\n" \
	"cases:\n" \
	"  - name: clean\n" \
	"  - name: lossy\n" \
	"    faults:\n" \
	"      - {do: drop v2 tx all probability 1%, from: 1s, for: 1s}\n"

static const char shell[] = SHELL
	"    expect: naks == 0\n";

static const char shell_fails[] = SHELL
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
		*p = (struct rf_run_case){ .test_case = &s->cases[i], .round = 1 };
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
	ok(!save_run(&run) && !rf_run_render(&run, RF_FORMATS_ALL),
	   "the run of a command is saved and rendered%s", said);
	ok(!rf_run_load(dir, &again) && again.verdict == want &&
	   !strcmp(again.scenario->workload.processes.p->run, "ib_write_bw -d rxe1"),
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

int main(void)
{
	shell_ok();
	return done_testing();
}
