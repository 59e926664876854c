// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault run: play a scenario, print the page, leave the report. The exit
 * status is the verdict: 0 pass, 1 fail, 2 broken, 99 aborted.
 *
 * rdmafault validate: read a scenario and say whether it can be played.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tools/report/run.h"
#include "tools/scenario/player.h"
#include "tools/scenario/stage.h"
#include "units.h"

#define DEADLINE_NS	600000000000ull		/* of one play; virtual time leaps */
#define DEADLINE_MIN	1000000000ull
#define DEADLINE_MAX	3600000000000ull
#define REPEAT_MAX	1000

struct options {
	const char *file;
	const char *out;
	const char *gpus;
	const char *rate;
	uint32_t repeat;
	uint64_t deadline_ns;
	bool keep_fabric;
};

static int refuse(const char *option, const char *form, const char *given)
{
	rf_err("%s: want %s, got \"%s\"", option, form, given);
	return RF_VERDICT_BROKEN;
}

static int take_option(int c, struct options *o)
{
	switch (c) {
	case 'o':
		o->out = optarg;
		return *optarg ? 0 : refuse("--out", "a directory", optarg);
	case 'g':
		o->gpus = optarg;
		return 0;
	case 'r':
		o->rate = optarg;
		return 0;
	case 'n':
		if (rf_parse_u32(optarg, &o->repeat) || !o->repeat ||
		    o->repeat > REPEAT_MAX)
			return refuse("--repeat", "1 to 1000", optarg);
		return 0;
	case 'd':
		if (rf_parse_time(optarg, &o->deadline_ns) ||
		    o->deadline_ns < DEADLINE_MIN ||
		    o->deadline_ns > DEADLINE_MAX)
			return refuse("--deadline", "a time from 1s to 3600s, as 90s",
				      optarg);
		return 0;
	case 'k':
		o->keep_fabric = true;
		return 0;
	}
	rf_err("want --out DIR, --gpus N,N, --gpu-rate DOLLARS, --repeat N, --deadline TIME or --keep-fabric; see rdmafault-run(8)");
	return RF_VERDICT_BROKEN;
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "out", required_argument, NULL, 'o' },
		{ "gpus", required_argument, NULL, 'g' },
		{ "gpu-rate", required_argument, NULL, 'r' },
		{ "repeat", required_argument, NULL, 'n' },
		{ "deadline", required_argument, NULL, 'd' },
		{ "keep-fabric", no_argument, NULL, 'k' },
		{ }
	};
	int c, err = 0;

	*o = (struct options){ .repeat = 1, .deadline_ns = DEADLINE_NS };
	optind = 0;
	opterr = 0;
	while (!err && (c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		err = take_option(c, o);
	if (err)
		return err;
	if (optind != argc - 1) {
		rf_err("run: want one scenario, got %d", argc - optind);
		return RF_VERDICT_BROKEN;
	}
	o->file = argv[optind];
	return 0;
}

/* What the command line says about money goes before the scenario. */
static int set_price(const struct options *o, struct rf_price *price)
{
	if (o->gpus && rf_price_parse_gpus(o->gpus, price))
		return refuse("--gpus", "up to 8 numbers from 1, as 256,1024",
			      o->gpus);
	if (o->rate && rf_price_parse_rate(o->rate, &price->rate))
		return refuse("--gpu-rate",
			      "dollars per GPU and hour, as 30 or 2.06", o->rate);
	return 0;
}

static int choose_dir(const struct options *o, struct rf_run *run)
{
	bool in_tree = !access("build", W_OK);
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

static int set_up(const struct options *o, const struct rf_scenario *s,
		  struct rf_run *run)
{
	struct utsname uts;

	*run = (struct rf_run){
		.scenario = s,
		.price = &s->price,
		.rounds = o->repeat,
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
	};
	if (!uname(&uts))
		snprintf(run->kernel, sizeof(run->kernel), "%s", uts.release);
	run->plays = calloc(s->nplays * o->repeat, sizeof(*run->plays));
	if (!run->plays) {
		rf_err("no memory for %u rounds", o->repeat);
		return RF_VERDICT_BROKEN;
	}
	return choose_dir(o, run);
}

static int play_one(struct rf_player *player, struct rf_run *run,
		    const struct rf_play *play, uint32_t round)
{
	struct rf_run_play *p = &run->plays[run->nplays];
	char dir[PATH_MAX];
	int err;

	*p = (struct rf_run_play){ .play = play, .round = round };
	if (run->rounds > 1)
		snprintf(p->label, sizeof(p->label), "%s-%u", play->name, round);
	else
		snprintf(p->label, sizeof(p->label), "%s", play->name);
	if (rf_stage_path(dir, run->dir, p->label))
		return -ENAMETOOLONG;
	err = rf_player_play(player, play, p->label, dir, &p->rec);
	if (err) {
		rf_record_free(&p->rec);
		return err;
	}
	run->nplays++;
	return 0;
}

/* The first play of each round is clean; the round is measured against it. */
static int analyse_one(struct rf_run *run)
{
	size_t last = run->nplays - 1;
	struct rf_run_play *p = &run->plays[last];
	const struct rf_run_play *clean = p - last % run->scenario->nplays;
	int err;

	err = rf_analyse(&p->rec, &clean->rec, &p->an);
	if (!err)
		rf_judge_play(p);
	return err;
}

static int play_all(struct rf_player *player, struct rf_run *run)
{
	const struct rf_scenario *s = run->scenario;
	uint32_t round;
	int err = 0;
	size_t i;

	for (round = 1; !err && round <= run->rounds; round++)
		for (i = 0; !err && i < s->nplays; i++) {
			err = play_one(player, run, &s->plays[i], round);
			if (!err)
				err = analyse_one(run);
		}
	return err;
}

static void copy_out(FILE *f)
{
	char buf[4096];
	size_t n;

	rewind(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		fwrite(buf, 1, n, stdout);
}

static int write_page(const struct rf_run *run)
{
	char path[PATH_MAX];
	int bad;
	FILE *f;

	if (rf_stage_path(path, run->dir, "page.txt"))
		return -ENAMETOOLONG;
	f = fopen(path, "w+e");
	if (f)
		rf_page_write(f, run);
	bad = !f || fflush(f) || ferror(f);
	if (bad)
		rf_err("%s: %s", path, strerror(errno));
	else if (!rf_json)
		copy_out(f);
	if (f)
		fclose(f);
	return bad ? -EIO : 0;
}

static void print_json(const struct rf_run *run)
{
	struct json_object *o = rf_summary_json(run);

	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static int report(struct rf_run *run)
{
	char events[PATH_MAX], summary[PATH_MAX];

	if (!run->nplays)
		return 0;
	rf_judge_run(run);
	if (rf_json)
		print_json(run);
	if (rf_stage_path(events, run->dir, "events.jsonl") ||
	    rf_stage_path(summary, run->dir, "summary.json"))
		return -ENAMETOOLONG;
	if (rf_events_write(events, run) || rf_summary_write(summary, run))
		return -EIO;
	return write_page(run);
}

static void tear_down(struct rf_run *run)
{
	size_t i;

	for (i = 0; i < run->nplays; i++) {
		rf_analysis_free(&run->plays[i].an);
		rf_record_free(&run->plays[i].rec);
	}
	free(run->plays);
}

static int run_scenario(const struct options *o, struct rf_scenario *s)
{
	struct rf_player player = {
		.scenario = s,
		.deadline_ns = o->deadline_ns,
		.cluster.keep = o->keep_fabric,
		.show_progress = isatty(STDERR_FILENO),
	};
	struct rf_run run;
	int err;

	err = set_price(o, &s->price);
	if (!err)
		err = rf_player_open(&player) ? RF_VERDICT_BROKEN : 0;
	if (err)
		return err;
	err = set_up(o, s, &run);
	if (!err)
		err = play_all(&player, &run);
	rf_player_close(&player);
	if (err == -EINTR)
		run.verdict = RF_VERDICT_ABORTED;
	else if (err)
		run.verdict = RF_VERDICT_BROKEN;
	if (report(&run))
		run.verdict = RF_VERDICT_BROKEN;
	tear_down(&run);
	return run.verdict;
}

/**
 * rf_cmd_run - rdmafault run [OPTION...] FILE
 * @argc: number of words
 * @argv: the words
 *
 * Return: the verdict, enum rf_verdict.
 */
int rf_cmd_run(int argc, char **argv)
{
	struct rf_scenario s;
	struct options o;
	int ret;

	ret = parse_options(argc, argv, &o);
	if (ret)
		return ret;
	if (rf_scenario_load(o.file, &s))
		return RF_VERDICT_BROKEN;
	ret = run_scenario(&o, &s);
	rf_scenario_free(&s);
	return ret;
}

/**
 * rf_cmd_validate - rdmafault validate FILE...
 * @argc: number of words
 * @argv: the words
 *
 * Return: 0 if all files are scenarios, otherwise 2.
 */
int rf_cmd_validate(int argc, char **argv)
{
	struct rf_scenario s;
	int ret = RF_EXIT_OK, i;

	if (argc < 2) {
		rf_err("validate: want scenarios, got none");
		return RF_EXIT_USAGE;
	}
	rf_out_begin_array();
	for (i = 1; i < argc; i++) {
		if (rf_scenario_load(argv[i], &s)) {
			ret = RF_VERDICT_BROKEN;
			continue;
		}
		rf_out_push_object(NULL);
		rf_out_str("file", "%s: ", argv[i]);
		rf_out_str("name", "%s, ", s.name);
		rf_out_u64("plays", "%" PRIu64 " plays\n", s.nplays);
		rf_out_pop();
		rf_scenario_free(&s);
	}
	rf_out_end();
	return ret;
}
