// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault validate: check scenario files. With --schema, print the JSON schema of
 * scenarios, for editors. With --metrics, list the metrics that expectations can use.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tools/run/run.h"
#include "tools/scenario/scenario.h"

const struct rf_key rf_validate_options[] = {
	{ "FILE...", .help = "scenarios to check" },
	{ "--schema", .help = "print the JSON schema of scenarios; default: check files" },
	{ "--metrics", .help = "print the metrics of expectations; default: check files" },
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

static int print_metrics(void)
{
	const struct rf_metric_info *m;
	size_t i;

	rf_out_begin_array();
	for (i = 0; (m = rf_metrics.row(i)); i++) {
		rf_out_push_object(NULL);
		rf_out_str("name", "%-28s ", m->name);
		rf_out_str("kind", "%-7s ", units[m->unit]);
		rf_out_str("help", "%s\n", m->help);
		rf_out_pop();
	}
	rf_out_end();
	return RF_EXIT_OK;
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

static int validate(const char *path)
{
	struct rf_scenario s;

	if (rf_scenario_load(path, &s))
		return RF_VERDICT_BROKEN;
	rf_note_unused_faults(&s);
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
 * rf_cmd_validate - run "rdmafault validate { FILE... | --schema | --metrics }"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "validate"
 *
 * Return: 0 if all files are valid scenarios, otherwise 2.
 */
int rf_cmd_validate(int argc, char **argv)
{
	bool schema = rf_take_flag(&argc, argv, "--schema");
	bool metrics = rf_take_flag(&argc, argv, "--metrics");
	int wishes = schema + metrics + (argc > 1);

	if (wishes != 1) {
		rf_err(wishes ? "validate: FILE, --schema and --metrics exclude each other" :
				"validate: FILE missing; rdmafault validate { FILE... | --schema | --metrics }");
		return RF_EXIT_USAGE;
	}
	if (schema)
		return print_schema();
	return metrics ? print_metrics() : validate_all(argv + 1);
}
