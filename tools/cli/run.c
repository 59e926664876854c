// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault run: run a scenario, print the results and write the report. The exit status is
 * the verdict: 0 pass, 1 fail, 2 broken, 99 aborted.
 */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tools/analysis/analysis.h"
#include "tools/render/export/export.h"
#include "tools/render/render.h"
#include "tools/render/text/page.h"
#include "tools/render/web/summary.h"
#include "tools/run/job.h"
#include "tools/run/runner.h"
#include "tools/scenario/scenario.h"

struct options {
	const char *file;
	const char *out;
	struct rf_price price;		/* gpus NULL, rate -1, every_ns 0: as in the scenario */
	uint32_t repeat;		/* 0: as in the scenario */
	uint64_t deadline_ns;		/* 0: as in the scenario */
	uint32_t formats;		/* additional files of the report */
	bool keep_fabric;
	bool keep_settings;
	bool dry;
	bool progress;
	bool tap;
};

#define AT(member) .at = offsetof(struct options, member)

const struct rf_key rf_run_options[] = {
	{ "out", "a directory", &rf_kind_text, AT(out), 1, .letter = 'o', .value = "DIR",
	  .help = "report directory; default: runs/NAME-DATE-TIME, below build/ if build/runs exists" },
	{ "repeat", NULL, &rf_kind_u32, AT(repeat), 1, RF_REPEAT_MAX, .value = "N",
	  .help = "rounds of all cases, 1 to 1000; default: as in the scenario (1)" },
	{ "deadline", NULL, &rf_kind_time, AT(deadline_ns), RF_DEADLINE_MIN, RF_DEADLINE_MAX,
	  .value = "TIME",
	  .help = "terminate a case after this time, 1s to 3600s; default: as in the scenario (600s)" },
	{ "keep", NULL, &rf_kind_bool, AT(keep_settings),
	  .help = "run with settings and rules of earlier commands; default: refuse" },
	{ "keep-fabric", NULL, &rf_kind_bool, AT(keep_fabric),
	  .help = "leave fabric and ports in place; default: remove what the run created" },
	{ "dry-run", NULL, &rf_kind_bool, AT(dry),
	  .help = "print the plan, run nothing; default: run the cases" },
	{ "progress", NULL, &rf_kind_bool, AT(progress),
	  .help = "progress lines every 10 s, also without a terminal; default: on a terminal only" },
	{ "formats", RF_FORMATS_FORM, &rf_kind_formats, AT(formats), .value = "LIST",
	  .help = "additional files of the report: trace, metrics, junit, several with commas, or all; default: those that the directory has" },
	{ "tap", NULL, &rf_kind_bool, AT(tap), .help = "print TAP version 13; default: the page" },
	{ "gpus", RF_GPUS_FORM, &rf_kind_gpus, AT(price), .value = "N,N",
	  .help = "cluster sizes in GPUs for the cost of stalls, up to 8 numbers from 1; default: as in the scenario (256,1024,4096)" },
	{ "gpu-rate", RF_GPU_RATE_FORM, &rf_kind_gpu_rate, AT(price.rate), .value = "DOLLARS",
	  .help = "price of a GPU in dollars per hour, 0 to 1000000; default: as in the scenario (30)" },
	{ "stall-every", NULL, &rf_kind_time,
	  AT(price.every_ns), RF_STALL_EVERY_MIN, RF_STALL_EVERY_MAX,
	  .value = "TIME",
	  .help = "assumed interval between two stalls, 1ms to 366 days; default: as in the scenario (60s)" },
	{ }
};

static int parse_run_options(int argc, char **argv, struct options *o)
{
	int first;

	*o = (struct options){ .price.rate = -1 };
	first = rf_opts_parse_command("run", rf_run_options, o, argc, argv);
	if (first < 0)
		return -first;
	if (first != argc - 1) {
		return first == argc ? rf_missing(rf_commands, "run", "FILE") :
		       rf_unexpected(rf_commands, "run", argv[first + 1]);
	}
	if (o->tap && rf_json) {
		rf_err("run: --tap and --json exclude each other");
		return RF_EXIT_USAGE;
	}
	o->file = argv[first];
	return 0;
}

/* Prices on the command line override the prices in the scenario. */
static void set_price(struct rf_price *given, struct rf_price *price)
{
	if (given->gpus) {
		free(price->gpus);
		price->gpus = given->gpus;
		price->ngpus = given->ngpus;
		given->gpus = NULL;
	}
	if (given->rate >= 0)
		price->rate = given->rate;
	if (given->every_ns)
		price->every_ns = given->every_ns;
}

static int choose_dir(const struct options *o, struct rf_run *run)
{
	bool in_tree = !access("build/runs", W_OK);
	time_t now = time(NULL);
	char stamp[32];
	struct tm tm;

	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S",
		 localtime_r(&now, &tm));
	if (o->out)
		snprintf(run->dir, sizeof(run->dir), "%s", o->out);
	else
		snprintf(run->dir, sizeof(run->dir), "%sruns/%s-%s",
			 in_tree ? "build/" : "", run->scenario->name, stamp);
	return rf_stage_make_dir(run->dir) ? RF_VERDICT_BROKEN : 0;
}

static int set_up_run(const struct options *o, const struct rf_scenario *s,
		      struct rf_run *run)
{
	*run = (struct rf_run){
		.scenario = s,
		.price = &s->price,
		.rounds = s->repeat,
	};
	rf_environment_read(run);
	run->cases = calloc(s->ncases * s->repeat, sizeof(*run->cases));
	if (!run->cases) {
		rf_err("no memory for %u rounds", s->repeat);
		return RF_VERDICT_BROKEN;
	}
	return choose_dir(o, run);
}

static int run_one(struct rf_runner *runner, struct rf_run *run,
		   const struct rf_case *test_case, uint32_t round)
{
	struct rf_run_case *p = &run->cases[run->ncases];
	char dir[PATH_MAX];
	int err;

	*p = (struct rf_run_case){ .test_case = test_case, .round = round };
	rf_run_label(run, p);
	if (rf_stage_path(dir, run->dir, p->label))
		return -ENAMETOOLONG;
	err = rf_machines_say_next(&runner->machines, test_case - run->scenario->cases);
	if (err)
		return err;
	err = rf_runner_run(runner, test_case, p->label, dir, &p->rec);
	if (err) {
		rf_record_free(&p->rec);
		return err;
	}
	run->ncases++;
	return 0;
}

/* Analyse the last case, and remove it from the run if there is no memory. */
static int analyse_last(struct rf_run *run)
{
	struct rf_run_case *p = &run->cases[run->ncases - 1];
	int err = rf_run_analyse(run, p);

	if (!err)
		return 0;
	rf_record_free(&p->rec);
	run->ncases--;
	return err;
}

static int run_rounds(struct rf_runner *runner, struct rf_run *run)
{
	const struct rf_scenario *s = run->scenario;
	uint32_t round;
	int err = 0;
	size_t i;

	for (round = 1; !err && round <= run->rounds; round++)
		for (i = 0; !err && i < s->ncases; i++) {
			err = run_one(runner, run, &s->cases[i], round);
			if (!err)
				err = analyse_last(run);
		}
	return err;
}

static void print_object(struct json_object *o)
{
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
}

static void print_run_json(const struct rf_run *run)
{
	struct json_object *o = rf_summary_json(run);

	print_object(o);
	json_object_put(o);
}

static int report_run(const struct options *o, struct rf_run *run)
{
	int err;

	run->ended = run->verdict;
	if (!run->ncases) {
		if (o->tap)
			rf_export_tap(stdout, run);
		return *run->dir ? rf_run_render(run, o->formats) : 0;
	}
	rf_run_set_verdict(run);
	err = rf_run_save(run);
	if (o->tap)
		rf_export_tap(stdout, run);
	else if (rf_json)
		print_run_json(run);
	else
		rf_page_write(stdout, run);
	return rf_run_render(run, o->formats) || err ? -EIO : 0;
}

struct work {
	const struct options *o;
	struct rf_scenario *s;
	struct rf_runner *runner;
};

static int read_settings(struct rf_runner *runner, struct rf_run *run, int err)
{
	if (!err)
		err = rf_settings_json(&runner->cluster, &run->ports);
	err = rf_machines_agree(&runner->machines, err);
	return err ? err : rf_machines_environment(&runner->machines, run);
}

static enum rf_verdict verdict_of_error(int err)
{
	return err == -EINTR ? RF_VERDICT_ABORTED : RF_VERDICT_BROKEN;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* Run the cases that process 0 on another machine names, until it says the verdict. */
static int follow_cases(struct rf_runner *runner, const char *dir)
{
	const struct rf_scenario *s = runner->scenario;
	char case_dir[PATH_MAX];
	struct rf_run run = { };
	struct rf_record rec;
	uint32_t value;
	bool end;
	int err = read_settings(runner, &run, 0);

	json_object_put(run.ports);
	while (!rf_machines_await_next(&runner->machines, &end, &value)) {
		if (end)
			return value;
		if (value >= s->ncases || rf_stage_path(case_dir, dir, s->cases[value].name))
			return RF_VERDICT_BROKEN;
		err = rf_runner_run(runner, &s->cases[value], s->cases[value].name, case_dir, &rec);
		rf_record_free(&rec);
	}
	return runner->signals.aborted ? RF_VERDICT_ABORTED : verdict_of_error(err);
}

/* Follow process 0. Files are temporary: process 0 gets the records. */
static int follow(struct rf_runner *runner)
{
	char dir[] = "/tmp/rdmafault-XXXXXX";
	int ret = RF_VERDICT_BROKEN;

	if (mkdtemp(dir)) {
		ret = follow_cases(runner, dir);
		nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	} else {
		rf_err("%s: %s", dir, strerror(errno));
	}
	rf_runner_close(runner);
	rf_machines_leave(&runner->machines);
	return ret;
}

static int run_cases(void *arg)
{
	const struct work *work = arg;
	struct rf_runner *runner = work->runner;
	enum rf_verdict verdict;
	struct rf_run run;
	int err = rf_runner_open(runner);

	if (err)
		return verdict_of_error(err);
	if (rf_machines_follow(&runner->machines))
		return follow(runner);
	err = read_settings(runner, &run, set_up_run(work->o, work->s, &run));
	if (!err)
		err = rf_runner_set_up(runner, run.dir);
	if (!err)
		err = run_rounds(runner, &run);
	if (rf_runner_tear_down(runner) && err != -EINTR)
		err = -EIO;
	rf_runner_close(runner);
	if (err)
		run.verdict = verdict_of_error(err);
	if (report_run(work->o, &run))
		run.verdict = RF_VERDICT_BROKEN;
	verdict = run.verdict;
	rf_machines_say_end(&runner->machines, verdict);
	rf_machines_leave(&runner->machines);
	rf_run_free(&run);
	return verdict;
}

static void clear(void *arg)
{
	rf_runner_clear(((struct work *)arg)->runner);
}

static int run_scenario(const struct options *o, struct rf_scenario *s)
{
	struct work work = { .o = o, .s = s };
	const struct rf_guarded guarded = {
		.run = run_cases, .clear = clear, .arg = &work,
	};
	int ret;

	work.runner = rf_runner_new(s);
	if (!work.runner)
		return RF_VERDICT_BROKEN;
	work.runner->cluster.keep = o->keep_fabric;
	work.runner->cluster.keep_settings = o->keep_settings;
	work.runner->progress_lines = !isatty(STDERR_FILENO);
	work.runner->show_progress = o->progress ||
				     (!work.runner->progress_lines && !rf_quiet);
	ret = rf_guard(&guarded, RF_VERDICT_ABORTED, RF_VERDICT_BROKEN);
	rf_runner_free(work.runner);
	return ret;
}

static int show_plan(const struct rf_scenario *s)
{
	struct json_object *plan;

	if (!rf_json) {
		rf_plan_write(stdout, s);
		return 0;
	}
	plan = rf_plan_json(s);
	print_object(plan);
	json_object_put(plan);
	return 0;
}

/* Load the scenario, and run it or print its plan. */
static int run_file(struct options *o)
{
	struct rf_scenario s;
	int ret;

	if (rf_scenario_load(o->file, &s))
		return RF_VERDICT_BROKEN;
	if (o->repeat)
		s.repeat = o->repeat;
	if (o->deadline_ns)
		s.deadline_ns = o->deadline_ns;
	set_price(&o->price, &s.price);
	rf_note_unused_faults(&s);
	rf_warn_cases(&s);
	ret = o->dry ? show_plan(&s) : run_scenario(o, &s);
	rf_scenario_free(&s);
	return ret;
}

/**
 * rf_cmd_run - run "rdmafault run [OPTION...] FILE"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "run"
 *
 * Return: the verdict, enum rf_verdict.
 */
int rf_cmd_run(int argc, char **argv)
{
	struct options o;
	int ret;

	/* If the reader of the output exits early, still run all cases and write all files. */
	signal(SIGPIPE, SIG_IGN);
	ret = parse_run_options(argc, argv, &o);
	if (!ret)
		ret = run_file(&o);
	free(o.price.gpus);
	return ret;
}
