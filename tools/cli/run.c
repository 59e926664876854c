// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault run: run a scenario, print the results and write the report. The exit status is
 * the verdict: 0 pass, 1 fail, 2 broken, 99 aborted.
 */
#include <errno.h>
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
#include "units.h"

struct options {
	const char *file;
	const char *out;
	const char *gpus;
	const char *rate;
	const char *every;
	uint32_t repeat;		/* 0: as in the scenario */
	uint64_t deadline_ns;		/* 0: as in the scenario */
	uint32_t formats;		/* additional files of the report */
	bool keep_fabric;
	bool keep_settings;
	bool dry;
	bool progress;
	bool tap;
};

static int refuse_run_option(const char *option, const char *form, const char *given)
{
	return rf_refuse_value(option, given, form);
}

static const char *take_run_out(void *fields, const char *word)
{
	((struct options *)fields)->out = word;
	return *word ? NULL : "a directory";
}

static const char *take_run_formats(void *fields, const char *word)
{
	return rf_formats_parse(word, &((struct options *)fields)->formats);
}

#define AT(member) offsetof(struct options, member)

const struct rf_opt rf_run_options[] = {
	{ 'o', "out", RF_OPT_OWN, 0, 0, 0, "DIR", "report directory; default: runs/NAME-DATE-TIME, below build/ if build/runs exists", take_run_out },
	{ 0, "repeat", RF_OPT_NUMBER, AT(repeat), 1, RF_REPEAT_MAX, "N", "rounds of all cases, 1 to 1000; default: as in the scenario (1)", NULL },
	{ 0, "deadline", RF_OPT_TIME, AT(deadline_ns), RF_DEADLINE_MIN, RF_DEADLINE_MAX, "TIME", "terminate a case after this time, 1s to 3600s; default: as in the scenario (600s)", NULL },
	{ 0, "keep", RF_OPT_FLAG, AT(keep_settings), 0, 0, NULL, "run with settings and rules of earlier commands; default: refuse", NULL },
	{ 0, "keep-fabric", RF_OPT_FLAG, AT(keep_fabric), 0, 0, NULL, "leave fabric and ports in place; default: remove what the run created", NULL },
	{ 0, "dry-run", RF_OPT_FLAG, AT(dry), 0, 0, NULL, "print the plan, run nothing; default: run the cases", NULL },
	{ 0, "progress", RF_OPT_FLAG, AT(progress), 0, 0, NULL, "progress lines every 10 s, also without a terminal; default: on a terminal only", NULL },
	{ 0, "formats", RF_OPT_OWN, 0, 0, 0, "LIST", "additional files of the report: trace, metrics, junit, several with commas, or all; default: those that the directory has", take_run_formats },
	{ 0, "tap", RF_OPT_FLAG, AT(tap), 0, 0, NULL, "print TAP version 13; default: the page", NULL },
	{ 0, "gpus", RF_OPT_TEXT, AT(gpus), 0, 0, "N,N", "cluster sizes in GPUs for the cost of stalls, up to 8 numbers from 1; default: as in the scenario (256,1024,4096)", NULL },
	{ 0, "gpu-rate", RF_OPT_TEXT, AT(rate), 0, 0, "DOLLARS", "price of a GPU in dollars per hour, 0 to 1000000; default: as in the scenario (30)", NULL },
	{ 0, "stall-every", RF_OPT_TEXT, AT(every), 0, 0, "TIME", "assumed interval between two stalls, 1ms to 366 days; default: as in the scenario (60s)", NULL },
	{ }
};

static int parse_run_options(int argc, char **argv, struct options *o)
{
	int first;

	*o = (struct options){ };
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
static int set_price(const struct options *o, struct rf_price *price)
{
	if (o->gpus && rf_price_parse_gpus(o->gpus, price))
		return refuse_run_option("--gpus", "up to 8 numbers from 1, for example 256,1024",
					 o->gpus);
	if (o->rate && rf_price_parse_rate(o->rate, &price->rate))
		return refuse_run_option("--gpu-rate",
					 "0 to 1000000 dollars per hour, for example 30 or 2.06",
					 o->rate);
	if (o->every && rf_price_parse_every(o->every, &price->every_ns))
		return refuse_run_option("--stall-every", "1ms to 31622400s, for example 60s",
					 o->every);
	return 0;
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

static int run_cases(void *arg)
{
	const struct work *work = arg;
	struct rf_runner *runner = work->runner;
	struct rf_run run;
	int err;

	if (rf_runner_open(runner))
		return RF_VERDICT_BROKEN;
	err = set_up_run(work->o, work->s, &run);
	if (!err)
		err = rf_settings_json(&runner->cluster, &run.ports);
	if (!err)
		err = run_rounds(runner, &run);
	rf_runner_close(runner);
	if (err == -EINTR)
		run.verdict = RF_VERDICT_ABORTED;
	else if (err)
		run.verdict = RF_VERDICT_BROKEN;
	if (report_run(work->o, &run))
		run.verdict = RF_VERDICT_BROKEN;
	err = run.verdict;
	rf_run_free(&run);
	return err;
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

	ret = set_price(o, &s->price);
	if (ret)
		return ret;
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

/**
 * rf_cmd_run - run "rdmafault run [OPTION...] FILE"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "run"
 *
 * Return: the verdict, enum rf_verdict.
 */
int rf_cmd_run(int argc, char **argv)
{
	struct rf_scenario s;
	struct options o;
	int ret;

	/* If the reader of the output exits early, still run all cases and write all files. */
	signal(SIGPIPE, SIG_IGN);
	ret = parse_run_options(argc, argv, &o);
	if (ret)
		return ret;
	if (rf_scenario_load(o.file, &s))
		return RF_VERDICT_BROKEN;
	if (o.repeat)
		s.repeat = o.repeat;
	if (o.deadline_ns)
		s.deadline_ns = o.deadline_ns;
	ret = o.dry ? show_plan(&s) : run_scenario(&o, &s);
	rf_scenario_free(&s);
	return ret;
}
