// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault report: write the report of a run again from the files in its directory, on any
 * machine, or compare two runs. A comparison writes no file into the two directories. The
 * exit status is the verdict of the run or, for two runs, the worse verdict.
 */
#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>

#include "cmd.h"
#include "err.h"
#include "tools/analysis/analysis.h"
#include "tools/render/export/export.h"
#include "tools/render/render.h"
#include "tools/render/text/page.h"
#include "tools/render/web/summary.h"

static void print_runs_json(const struct rf_run *runs, size_t n)
{
	struct json_object *o, *all = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(all, rf_summary_json(&runs[i]));
	o = n == 1 ? json_object_array_get_idx(all, 0) : all;
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(all);
}

struct options {
	bool tap;
	uint32_t formats;		/* additional files in the directory */
	const char *out;		/* additional HTML page; NULL: none */
	char **dirs;
	size_t n;			/* number of directories, 1 or 2 */
};

static int load_runs(char **dirs, size_t n, struct rf_run *runs)
{
	size_t i;
	int err = 0;

	for (i = 0; i < n; i++) {
		err = rf_run_load(dirs[i], &runs[i]) ? -1 : err;
		if (!err && !runs[i].ncases) {
			rf_err("%s: the run has no case", dirs[i]);
			err = -1;
		}
	}
	return err;
}

static int compare_runs(const struct options *o, const struct rf_run *runs)
{
	const struct rf_compared c = { { &runs[0], &runs[1] } };

	if (rf_json)
		print_runs_json(runs, RF_COMPARED);
	else
		rf_compare_write(stdout, &c);
	return o->out ? rf_compare_html(o->out, &c) : 0;
}

static int render(const struct options *o, const struct rf_run *run)
{
	if (o->tap)
		rf_export_tap(stdout, run);
	else if (rf_json)
		print_runs_json(run, 1);
	else
		rf_page_write(stdout, run);
	if (rf_run_render(run, o->formats))
		return -1;
	return o->out ? rf_html_write(o->out, run) : 0;
}

static int report_runs(const struct options *o)
{
	struct rf_run runs[RF_COMPARED] = { };
	int worst = RF_VERDICT_PASS;
	size_t i;

	rf_show_waiting();
	if (load_runs(o->dirs, o->n, runs) ||
	    (o->n == 1 ? render(o, runs) : compare_runs(o, runs)))
		worst = RF_VERDICT_BROKEN;
	for (i = 0; i < o->n; i++) {
		if ((int)runs[i].verdict > worst)
			worst = runs[i].verdict;
		rf_run_free(&runs[i]);
	}
	return worst;
}

static int formats_take(const struct rf_key *key, const char *word, void *fields)
{
	return rf_formats_parse(word, (uint32_t *)((char *)fields + key->at)) ? -EINVAL : 0;
}

const struct rf_kind rf_kind_formats = { .take = formats_take };

#define AT(member) .at = offsetof(struct options, member)

const struct rf_key rf_report_options[] = {
	{ "out", "a file", &rf_kind_text, AT(out), 1, .letter = 'o', .value = "FILE",
	  .help = "also write a page for a browser to this file; default: none" },
	{ "formats", RF_FORMATS_FORM, &rf_kind_formats, AT(formats), .value = "LIST",
	  .help = "additional files in the directory of the run: trace, metrics, junit, several with commas, or all; default: those that the directory has" },
	{ "tap", NULL, &rf_kind_bool, AT(tap),
	  .help = "print TAP version 13, for one run; default: the page" },
	{ }
};

const struct rf_key rf_report_words[] = {
	{ "DIR [ DIR ]", .help = "report directory of a run; with a second one, the two runs are compared" },
	{ }
};

/**
 * rf_cmd_report - run "rdmafault report [OPTION...] DIR [DIR]"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "report"
 *
 * Return: the verdict (enum rf_verdict) of the run or, for two runs, the worse verdict.
 */
int rf_cmd_report(int argc, char **argv)
{
	struct options o = { };
	int first;

	/* If the reader of the output exits early, still write all files. */
	signal(SIGPIPE, SIG_IGN);
	first = rf_opts_parse_command("report", rf_report_options, &o, argc, argv);
	if (first < 0)
		return -first;
	o.dirs = argv + first;
	o.n = argc - first;
	if (o.n < 1 || o.n > RF_COMPARED) {
		rf_err("report: %zu directories given; 1 to show a run, or 2 to compare runs",
		       o.n);
		return RF_VERDICT_BROKEN;
	}
	if (o.tap && (rf_json || o.n > 1)) {
		rf_err("report: --tap: cannot be combined with --json or two directories");
		return RF_VERDICT_BROKEN;
	}
	if (o.formats && o.n > 1) {
		rf_err("report: --formats: only possible with one directory, because a comparison writes no files");
		return RF_VERDICT_BROKEN;
	}
	return report_runs(&o);
}
