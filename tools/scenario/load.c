// SPDX-License-Identifier: GPL-2.0
/*
 * Load a scenario: read the YAML file, expand its matrix, parse each mapping by a
 * table of its keys, and check constraints between keys.
 * Documentation/man/rdmafault-scenario.5 explains the keys.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

#define DEADLINE_NS	600000000000ull

/* Load the mapping of a key into the struct @to. field->fields describes the keys in it. */
static int take_section(struct rf_doc *doc, struct rf_node *node,
			const struct rf_field *field, void *to)
{
	return rf_doc_map(doc, node, field->name, field->fields, to);
}

/** rf_take_elsewhere - ignore a key that another function loads */
int rf_take_elsewhere(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_field *field, void *to)
{
	(void)doc;
	(void)node;
	(void)field;
	(void)to;
	return 0;
}

const struct rf_field rf_scenario_fields[] = {
	{ .name = "name", .help = "of the report's directory",
	  .take = rf_take_ident, .form = RF_FORM_IDENT,
	  .offset = AT(rf_scenario, name) },
	{ .name = "title", .help = "one line for the page",
	  .take = rf_take_text, .form = RF_FORM_TEXT,
	  .offset = AT(rf_scenario, title) },
	{ .name = "fabric", .help = "the nodes and what is between them",
	  .take = take_section, .form = RF_FORM_MAP,
	  .fields = rf_fabric_fields },
	{ .name = "ports", .help = "settings of ports before the first case",
	  .take = rf_take_ports, .form = RF_FORM_LIST, .optional = true,
	  .fields = rf_port_fields },
	{ .name = "workload", .help = "the job of each case",
	  .take = take_section, .form = RF_FORM_MAP,
	  .offset = AT(rf_scenario, workload), .fields = rf_workload_fields },
	{ .name = "qp", .help = "attributes of the job's queue pairs",
	  .take = take_section, .form = RF_FORM_MAP, .optional = true,
	  .offset = AT(rf_scenario, qp), .fields = rf_qp_fields },
	{ .name = "seed", .help = "of all that is drawn (0)",
	  .take = rf_take_u64, .form = RF_FORM_NUMBER, .optional = true,
	  .offset = AT(rf_scenario, seed), .max = UINT64_MAX },
	{ .name = "repeat", .help = "rounds of all cases (1)",
	  .take = rf_take_u32, .form = RF_FORM_NUMBER, .optional = true,
	  .offset = AT(rf_scenario, repeat), .min = 1, .max = RF_REPEAT_MAX },
	{ .name = "deadline", .help = "longest time of one case (10m)",
	  .take = rf_take_time, .form = RF_FORM_TIME, .optional = true,
	  .offset = AT(rf_scenario, deadline_ns), .min = RF_DEADLINE_MIN,
	  .max = RF_DEADLINE_MAX },
	{ .name = "cost", .help = "numbers for the cost estimate",
	  .take = take_section, .form = RF_FORM_MAP, .optional = true,
	  .offset = AT(rf_scenario, price), .fields = rf_cost_fields },
	{ .name = "matrix", .help = "values for $NAME in cases, each with each",
	  .take = rf_take_elsewhere, .form = RF_FORM_MATRIX, .optional = true },
	{ .name = "cases", .help = "in their order; the first without faults",
	  .take = rf_take_cases, .form = RF_FORM_LIST,
	  .fields = rf_case_fields },
	{ .name = "expect", .help = "lines that hold for each case",
	  .take = rf_take_elsewhere, .form = RF_FORM_TEXTS, .optional = true },
	{ }
};

static int set_defaults(struct rf_scenario *s, const char *path)
{
	*s = (struct rf_scenario){
		.path = strdup(path),
		.qp = { .timeout = 14, .retry_cnt = 6, .mtu = 4096 },
		.price = { .rate = 30, .every_ns = RF_STALL_EVERY_NS },
		.repeat = 1,
		.deadline_ns = DEADLINE_NS,
	};
	return s->path ? rf_price_parse_gpus("256,1024,4096", &s->price) : -ENOMEM;
}

static int load_scenario(struct rf_doc *doc, struct rf_scenario *s)
{
	int err;

	s->seeded = rf_doc_value(doc->root, "seed");
	err = rf_doc_map(doc, doc->root, "scenario", rf_scenario_fields, s);
	if (!err)
		err = rf_workload_check(doc, rf_doc_find(doc->root, "workload"),
					&s->workload);
	if (!err)
		err = rf_fabric_finish(doc, s);
	if (!err)
		err = rf_cases_finish(doc, s);
	if (!err)
		err = rf_scenario_check(doc, s);
	if (!err)
		rf_cases_seed(s);
	return err;
}

/**
 * rf_scenario_load - load a scenario and validate it
 * @path: its file
 * @s: the scenario
 *
 * Return: 0, or -errno after rf_err() for each error, with file, line and column.
 */
int rf_scenario_load(const char *path, struct rf_scenario *s)
{
	struct rf_doc doc;
	int err;

	err = rf_doc_open(&doc, path);
	if (err)
		return err;
	err = rf_doc_expand(&doc);
	if (!err) {
		err = set_defaults(s, path);
		if (!err) {
			s->text = doc.text;
			s->length = doc.length;
			doc.text = NULL;
			err = load_scenario(&doc, s);
		}
		if (err)
			rf_scenario_free(s);
	}
	rf_doc_close(&doc);
	return err;
}

/**
 * rf_scenario_seed - get the seed that the scenario file sets
 * @s: the scenario
 *
 * Return: the seed, or NULL if the file sets none.
 */
const uint64_t *rf_scenario_seed(const struct rf_scenario *s)
{
	return s->seeded ? &s->seed : NULL;
}

static void free_case(struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nfaults; i++) {
		free(test_case->faults[i].port);
		free(test_case->faults[i].words);
	}
	for (i = 0; i < test_case->nchecks; i++)
		rf_check_free(&test_case->checks[i]);
	rf_workload_free(&test_case->workload);
	free(test_case->checks);
	free(test_case->faults);
	free(test_case->name);
	free(test_case->explain);
}

/** rf_scenario_free - free the memory of a scenario */
void rf_scenario_free(struct rf_scenario *s)
{
	size_t i;

	for (i = 0; i < s->ncases; i++)
		free_case(&s->cases[i]);
	for (i = 0; i < s->nsettings; i++) {
		free(s->settings[i].port);
		free(s->settings[i].words);
	}
	rf_workload_free(&s->workload);
	free(s->settings);
	free(s->cases);
	free(s->price.gpus);
	free(s->title);
	free(s->name);
	free(s->text);
	free(s->path);
	*s = (struct rf_scenario){ };
}
