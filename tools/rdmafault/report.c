// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault report: render a run again from its directory, without the kernel
 * that it was run on; or compare several, whose directories are left as they
 * are. The page is printed, and --out writes it for a browser. The exit status is
 * the verdict, of several the worst.
 */
#include <getopt.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>

#include "cmd.h"
#include "err.h"
#include "longopt.h"
#include "tools/report/compare.h"
#include "tools/report/export.h"

static void print_json(const struct rf_run *runs, size_t n)
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
	const char *out;		/* the page in the browser; NULL: the run's */
	char **dirs;
	size_t n;
};

static void list(const struct rf_run *runs, size_t n,
		 const struct rf_run *all[RF_COMPARE_MAX])
{
	size_t i;

	for (i = 0; i < n; i++)
		all[i] = &runs[i];
}

static void compare(const struct rf_run *runs, size_t n)
{
	const struct rf_run *all[RF_COMPARE_MAX];

	list(runs, n, all);
	rf_compare_write(stdout, all, n);
}

static int write_page(const char *path, const struct rf_run *runs, size_t n)
{
	const struct rf_run *all[RF_COMPARE_MAX];

	list(runs, n, all);
	return n == 1 ? rf_html_write(path, runs) : rf_compare_html(path, all, n);
}

static void print(const struct rf_run *runs, size_t n, bool tap)
{
	if (tap)
		rf_export_tap(stdout, runs);
	else if (rf_json)
		print_json(runs, n);
	else if (n > 1)
		compare(runs, n);
	else
		rf_page_write(stdout, runs);
}

static int load(char **dirs, size_t n, struct rf_run *runs)
{
	size_t i;
	int err = 0;

	for (i = 0; i < n; i++) {
		err = rf_run_load(dirs[i], &runs[i]) ? -1 : err;
		if (!err && !runs[i].ncases) {
			rf_err("%s: want a run with a case, got none", dirs[i]);
			err = -1;
		}
	}
	return err;
}

/* Of a single run its own files, then the page that was asked for */
static int render(const struct options *o, const struct rf_run *runs)
{
	int err = o->n == 1 ? rf_run_render(runs) : 0;

	if (!err && o->out)
		err = write_page(o->out, runs, o->n);
	return err;
}

static int report(const struct options *o)
{
	struct rf_run runs[RF_COMPARE_MAX] = { };
	int worst = RF_VERDICT_PASS;
	size_t i;

	if (load(o->dirs, o->n, runs)) {
		worst = RF_VERDICT_BROKEN;
	} else {
		print(runs, o->n, o->tap);
		if (render(o, runs))
			worst = RF_VERDICT_BROKEN;
	}
	for (i = 0; i < o->n; i++) {
		if ((int)runs[i].verdict > worst)
			worst = runs[i].verdict;
		rf_run_free(&runs[i]);
	}
	return worst;
}

static int take_option(int c, struct options *o)
{
	switch (c) {
	case 'o':
		o->out = optarg;
		if (*o->out)
			return 0;
		rf_err("--out: want a file, got \"\"");
		return -1;
	case 't':
		o->tap = true;
		return 0;
	}
	rf_err("report: want --out FILE or --tap; see rdmafault-run(8)");
	return -1;
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "out", required_argument, NULL, 'o' },
		{ "tap", no_argument, NULL, 't' },
		{ }
	};
	int c, err = 0;

	*o = (struct options){ };
	optind = 0;
	opterr = 0;
	while (!err && (c = rf_getopt(argc, argv, "o:", longs)) != -1)
		err = take_option(c, o);
	o->dirs = argv + optind;
	o->n = argc - optind;
	return err;
}

/**
 * rf_cmd_report - rdmafault report [--tap] [--out FILE] DIR...
 * @argc: number of words
 * @argv: the words
 *
 * Return: the worst verdict, enum rf_verdict.
 */
int rf_cmd_report(int argc, char **argv)
{
	struct options o;

	/* A reader that has left takes no file from the run. */
	signal(SIGPIPE, SIG_IGN);
	if (parse_options(argc, argv, &o))
		return RF_VERDICT_BROKEN;
	if (o.n < 1 || o.n > RF_COMPARE_MAX) {
		rf_err("report: want the directories of 1 to %d runs, got %zu",
		       RF_COMPARE_MAX, o.n);
		return RF_VERDICT_BROKEN;
	}
	if (o.tap && (rf_json || o.n > 1)) {
		rf_err("report: --tap: want one run and no --json");
		return RF_VERDICT_BROKEN;
	}
	return report(&o);
}
