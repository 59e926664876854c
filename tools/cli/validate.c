// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault validate: check scenario files. With --schema, print the JSON schema of
 * scenarios, for editors. With --metrics, list the metrics that expectations can use, by group
 * and object.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tools/render/text/page.h"
#include "text.h"
#include "tools/run/run.h"
#include "tools/scenario/scenario.h"

const struct rf_key rf_validate_options[] = {
	{ "FILE...", .help = "scenarios to check" },
	{ "--schema", .help = "print the JSON schema of scenarios; default: check files" },
	{ "--metrics", .help = "print the metrics of expectations, or those with this word in name, group or text; default: check files" },
	{ }
};

static int print_schema(void)
{
	struct json_object *o = rf_schema_json();

	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return RF_EXIT_OK;
}

static const char *const units[] = {
	[RF_UNIT_COUNT] = "number", [RF_UNIT_SHARE] = "share",
	[RF_UNIT_TIME] = "time", [RF_UNIT_BYTES] = "size",
	[RF_UNIT_RATE] = "rate", [RF_UNIT_DOLLARS] = "money",
	[RF_UNIT_WORD] = "word",
};

/* Return: the length of the object in a name, such as port[].prio[]; 0 for a metric of the case */
static size_t object_len(const char *name)
{
	const char *end = strrchr(name, ']');

	return end ? end + 1 - name : 0;
}

/* Check whether two metrics have the same group and object, and are printed together. */
static bool same_object(size_t i, size_t j)
{
	const char *a = rf_metrics.row(i)->name, *b = rf_metrics.row(j)->name;

	return rf_metrics.group(i) == rf_metrics.group(j) &&
	       object_len(a) == object_len(b) && !strncmp(a, b, object_len(a));
}

static bool has_word(size_t i, const char *word)
{
	const struct rf_metric_info *m = rf_metrics.row(i);

	return !word || strcasestr(m->name, word) || strcasestr(m->help, word) ||
	       strcasestr(rf_metrics.group(i), word);
}

/* The statistics of a time: NAME.min to NAME.sum have the text "... of all ...: help". */
static const char *statistic(const struct rf_metric_info *m)
{
	static const char *const all[] = { "min", "p50", "p90", "p99", "max", "mean", "sum" };
	const char *end = strrchr(m->name, '.');
	size_t i;

	for (i = 0; end && i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(end + 1, all[i]) && strstr(m->help, " of all ") && strstr(m->help, ": "))
			return end + 1;
	return NULL;
}

/* Check whether two metrics are statistics of the same time. */
static bool same_time(const struct rf_metric_info *m, const struct rf_metric_info *next)
{
	const char *end = statistic(m), *next_end = statistic(next);

	return end && next_end && end - m->name == next_end - next->name &&
	       !strncmp(m->name, next->name, end - m->name);
}

/*
 * Print a metric; the statistics of one time together. Return: the index of the last one that was
 * printed
 */
static size_t print_metric(size_t i)
{
	const struct rf_metric_info *m = rf_metrics.row(i), *next;
	const char *help = m->help;
	char head[128];
	size_t used;

	used = snprintf(head, sizeof(head), "%s", m->name);
	if (statistic(m))
		help = strstr(help, ": ") + 2;
	for (; (next = rf_metrics.row(i + 1)) && same_time(m, next); i++)
		used += snprintf(head + used, sizeof(head) - used, ", .%s", statistic(next));
	snprintf(head + used, sizeof(head) - used, " (%s)", units[m->unit]);
	rf_text_wrap(stdout, "", 2, head);
	rf_text_wrap(stdout, "", 6, help);
	return i;
}

/* Print the metrics with this word whose object is that of the @first-th one. */
static void print_metrics_of(size_t first, const char *word)
{
	const char *name = rf_metrics.row(first)->name;
	size_t i;

	printf("%s%s%.*s\n", rf_metrics.group(first), object_len(name) ? ", for each " : "",
	       (int)object_len(name), name);
	for (i = first; rf_metrics.row(i); i++)
		if (has_word(i, word) && same_object(first, i))
			i = print_metric(i);
	putchar('\n');
}

static bool is_printed(size_t i, const char *word)
{
	size_t before;

	for (before = 0; before < i; before++)
		if (has_word(before, word) && same_object(before, i))
			return true;
	return false;
}

/* Print what a scenario can add to the list. Return: false if the text does not have the word */
static bool print_own_metrics(const char *word)
{
	static const char text[] =
		"PROCESS.exit (number), PROCESS.time (time), PROCESS.NAME: each process of a command; NAME is one of its keys metrics and files, see rdmafault-scenario(5). job[NAME].METRIC: a metric of the groups \"job and steps\" and \"losses\" of one of several jobs";

	if (word && !strcasestr(text, word))
		return false;
	puts("processes");
	rf_text_wrap(stdout, "", 2, text);
	return true;
}

static int print_metrics(const char *word)
{
	const struct rf_metric_info *m;
	bool found = false;
	size_t i;

	rf_out_begin_array();
	for (i = 0; (m = rf_metrics.row(i)); i++) {
		if (!has_word(i, word))
			continue;
		found = true;
		if (!rf_json && !is_printed(i, word))
			print_metrics_of(i, word);
		if (!rf_json)
			continue;
		rf_out_push_object(NULL);
		rf_out_str("name", NULL, m->name);
		rf_out_str("group", NULL, rf_metrics.group(i));
		rf_out_str("kind", NULL, units[m->unit]);
		rf_out_str("help", NULL, m->help);
		rf_out_pop();
	}
	rf_out_end();
	if (!rf_json && print_own_metrics(word))
		found = true;
	if (found)
		return RF_EXIT_OK;
	rf_err("validate: --metrics \"%s\": no metric has this word in its name, group or text; without a word, all are listed",
	       word);
	return RF_EXIT_FAILED;
}

/**
 * rf_note_unused_faults - print a note for each rule that no packet of the job can reach
 * @s: the scenario
 */
void rf_note_unused_faults(const struct rf_scenario *s)
{
	const struct rf_case *p;
	size_t i;
	char *why;

	for (p = s->cases; p < s->cases + s->ncases; p++)
		for (i = 0; i < p->nfaults; i++) {
			why = rf_fault_passed_by(s, p, &p->faults[i]);
			if (why)
				rf_note("%s: case %s, fault %zu: \"%s\" will hit no packet: %s",
					s->path, p->name, i + 1, p->faults[i].words, why);
			free(why);
		}
}

/* Print a warning, unless it was printed before. @about: the fault it is about; can be NULL */
static void warn_once(const struct rf_scenario *s, const struct rf_case *c, const char *about,
		      char *text, char **printed)
{
	if (text && !(*printed && strstr(*printed, text))) {
		rf_note("warning: %s: case %s: %s%s%s", s->path, c->name, about ? about : "",
			about ? ": " : "", text);
		*printed = rf_text_list(*printed, text);
	}
	free(text);
}

/**
 * rf_warn_cases - print warnings about cases that cannot have the effect they seem to have
 * @s: the scenario
 *
 * A warning is printed once, with the first case.
 */
void rf_warn_cases(const struct rf_scenario *s)
{
	const struct rf_case *c;
	char *printed = NULL;
	size_t i;

	for (c = s->cases; c < s->cases + s->ncases; c++) {
		warn_once(s, c, NULL, rf_dcqcn_warning(s, c), &printed);
		for (i = 0; i < c->nfaults; i++)
			if (c->faults[i].kind == RF_FAULT_STORM)
				warn_once(s, c, c->faults[i].words,
					  rf_storm_warning(s, c, &c->faults[i]), &printed);
	}
	free(printed);
}

static int validate(const char *path)
{
	struct rf_scenario s;

	if (rf_scenario_load(path, &s))
		return RF_VERDICT_BROKEN;
	rf_note_unused_faults(&s);
	rf_warn_cases(&s);
	rf_out_push_object(NULL);
	if (rf_json || !rf_quiet) {
		rf_out_str("file", "%s: ", path);
		rf_out_str("name", "%s, ", s.name);
		rf_out_u64("cases", "%" PRIu64 " cases\n", s.ncases);
	}
	rf_out_pop();
	rf_scenario_free(&s);
	return RF_EXIT_OK;
}

static int validate_all(char **paths)
{
	int ret = RF_EXIT_OK;

	rf_out_begin_array();
	for (; *paths; paths++)
		if (validate(*paths))
			ret = RF_VERDICT_BROKEN;
	rf_out_end();
	return ret;
}

/**
 * rf_cmd_validate - run "rdmafault validate { FILE... | --schema | --metrics [ WORD ] }"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "validate"
 *
 * Return: 0 if all files are valid scenarios, otherwise 2; with --metrics, 1 if no metric has the
 * word.
 */
int rf_cmd_validate(int argc, char **argv)
{
	bool schema = rf_take_flag(&argc, argv, "--schema");
	bool metrics = rf_take_flag(&argc, argv, "--metrics");

	if (schema + metrics + (argc > 1 && !metrics) > 1 || (metrics && argc > 2)) {
		rf_err("validate: FILE, --schema and --metrics [ WORD ] exclude each other");
		return RF_EXIT_USAGE;
	}
	if (!schema && !metrics && argc < 2) {
		rf_err("validate: FILE missing; rdmafault validate { FILE... | --schema | --metrics [ WORD ] }");
		return RF_EXIT_USAGE;
	}
	if (schema)
		return print_schema();
	return metrics ? print_metrics(argv[1]) : validate_all(argv + 1);
}
