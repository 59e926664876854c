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
#define TIMEOUT		14

/* Load the mapping of a key into the struct @to. key->keys describes the keys in it. */
static int take_section(struct rf_doc *doc, struct rf_node *node,
			const struct rf_key *key, void *to)
{
	return rf_doc_map(doc, node, key->name, key->keys, to);
}

static const struct rf_kind section_kind = { .take_node = take_section, .form = RF_FORM_MAP };

/* Kinds without a function: another function loads these keys, before or after the others. */
static const struct rf_kind matrix_kind = { .form = RF_FORM_MATRIX };
const struct rf_kind rf_kind_lines = { .form = RF_FORM_TEXTS };

const struct rf_key rf_scenario_fields[] = {
	{ .name = "name", .help = "of the report's directory",
	  .kind = &rf_kind_ident,
	  .at = AT(rf_scenario, name) },
	{ .name = "title", .help = "one line for the page",
	  .kind = &rf_kind_line,
	  .at = AT(rf_scenario, title) },
	{ .name = "fabric", .help = "the nodes and what is between them",
	  .kind = &section_kind,
	  .keys = rf_fabric_fields },
	{ .name = "ports", .help = "settings of ports before the first case",
	  .kind = &rf_kind_ports, .optional = true,
	  .keys = rf_port_fields },
	{ .name = "setup", .help = "processes that run from before the first case until after the last",
	  .kind = &rf_kind_setup, .optional = true,
	  .at = AT(rf_scenario, setup), .keys = rf_setup_fields },
	{ .name = "teardown", .help = "command lines for the shell at the end of the run",
	  .kind = &rf_kind_teardown, .optional = true,
	  .at = AT(rf_scenario, teardown) },
	{ .name = "workload", .help = "the job of each case, or a list of jobs, each with a name",
	  .kind = &rf_kind_jobs,
	  .keys = rf_workload_fields },
	{ .name = "balance", .help = "how leaf switches choose a spine (static, by destination)",
	  .form = RF_BALANCE_FORM, .kind = &rf_kind_balance, .optional = true,
	  .at = AT(rf_scenario, balance) },
	{ .name = "convergence", .help = "time until leaf switches avoid a link that is down (never)",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_scenario, convergence_ns), .min = RF_CONVERGENCE_MIN,
	  .max = RF_CONVERGENCE_MAX },
	{ .name = "dcqcn", .help = "DCQCN of the ports of all nodes (off)",
	  .form = RF_DCQCN_FORM, .kind = &rf_kind_dcqcn, .optional = true,
	  .at = AT(rf_scenario, dcqcn) },
	{ .name = "qp", .help = "attributes of the job's queue pairs",
	  .kind = &section_kind, .optional = true,
	  .at = AT(rf_scenario, qp), .keys = rf_qp_fields },
	{ .name = "seed", .help = "of all that is drawn (0)",
	  .kind = &rf_kind_u64, .optional = true,
	  .at = AT(rf_scenario, seed), .max = UINT64_MAX },
	{ .name = "repeat", .help = "rounds of all cases (1)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_scenario, repeat), .min = 1, .max = RF_REPEAT_MAX },
	{ .name = "deadline", .help = "longest time of one case (10m)",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_scenario, deadline_ns), .min = RF_DEADLINE_MIN,
	  .max = RF_DEADLINE_MAX },
	{ .name = "sample", .help = "time between two samples of the load and the queue of each port (none)",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_scenario, sample_ns), .min = RF_SAMPLE_MIN, .max = RF_DEADLINE_MAX },
	{ .name = "cost", .help = "numbers for the cost estimate",
	  .kind = &section_kind, .optional = true,
	  .at = AT(rf_scenario, price), .keys = rf_cost_fields },
	{ .name = "matrix", .help = "values for $NAME in cases, each with each",
	  .kind = &matrix_kind, .optional = true },
	{ .name = "cases", .help = "in their order; the first without faults",
	  .kind = &rf_kind_cases,
	  .keys = rf_case_fields },
	{ .name = "expect", .help = "lines that hold for each case",
	  .kind = &rf_kind_lines, .optional = true },
	{ }
};

static int set_defaults(struct rf_scenario *s, const char *path)
{
	*s = (struct rf_scenario){
		.path = strdup(path),
		.qp = { .retry_cnt = 6, .mtu = 4096 },
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
	s->priced = rf_doc_value(doc->root, "cost");
	err = rf_doc_map(doc, doc->root, "scenario", rf_scenario_fields, s);
	if (!err)
		err = rf_jobs_check(doc, s);
	/* A command sets up its queue pairs itself. */
	if (!s->qp.timeout && s->workload.kind != RF_WORK_COMMAND)
		s->qp.timeout = TIMEOUT;
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

static void free_texts(struct rf_texts *all)
{
	while (all->n)
		free(all->v[--all->n]);
	free(all->v);
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
	for (i = 0; i < test_case->nothers; i++)
		rf_workload_free(&test_case->others[i].workload);
	rf_workload_free(&test_case->workload);
	free_texts(&test_case->jobs);
	free(test_case->others);
	free(test_case->checks);
	free(test_case->faults);
	free(test_case->balance);
	free(test_case->dcqcn);
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
	rf_processes_free(&s->workload.processes);
	rf_processes_free(&s->setup);
	for (i = 0; i < s->nothers; i++) {
		rf_processes_free(&s->others[i].processes);
		rf_workload_free(&s->others[i]);
	}
	free_texts(&s->teardown);
	rf_workload_free(&s->workload);
	free(s->others);
	free(s->settings);
	free(s->cases);
	free(s->price.gpus);
	free(s->balance);
	free(s->dcqcn);
	free(s->title);
	free(s->name);
	free(s->text);
	free(s->path);
	*s = (struct rf_scenario){ };
}
