// SPDX-License-Identifier: GPL-2.0
/*
 * Load the cases of a scenario. Expectations are parsed after all cases are known,
 * because ratio() compares a case with another one.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "text.h"
#include "units.h"

#define NAME_LEN_MAX 48

#define NAME_LETTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%"

/*
 * The name of a case is also the name of its directory. Capitals, "%" and "." are
 * allowed because values of a matrix are appended to names.
 */
static int case_name_take(const struct rf_key *key, const char *text, void *base)
{
	size_t len = strspn(text, NAME_LETTERS);

	if (text[len] || len > NAME_LEN_MAX || !isalnum((unsigned char)text[0]))
		return -EINVAL;
	return rf_store_text(key, text, base);
}

static const struct rf_kind case_name_kind = { .take = case_name_take };

static int take_faults(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_key *key, void *to)
{
	static const struct rf_list list = {
		"faults", sizeof(struct rf_fault), rf_take_fault
	};
	struct rf_case *test_case = to;

	(void)key;
	return rf_doc_list(doc, node, &list, &test_case->faults, &test_case->nfaults);
}

static const struct rf_kind faults_kind = { .take_node = take_faults, .form = RF_FORM_LIST };

/* rf_cases_finish() loads what differs from the scenario. */
static const struct rf_kind map_kind = { .form = RF_FORM_MAP };
static const struct rf_kind maps_kind = { .form = RF_FORM_MAP_OR_LIST };

const struct rf_key rf_case_fields[] = {
	{ .name = "name", .help = "of the case; values of the matrix are put behind it",
	  .form = "1 to 48 of a-z, A-Z, 0-9, -, _, . and %, a letter or digit first",
	  .kind = &case_name_kind,
	  .at = AT(rf_case, name) },
	{ .name = "explain", .help = "one sentence for the report: what happens and why",
	  .kind = &rf_kind_line, .optional = true,
	  .at = AT(rf_case, explain) },
	{ .name = "jobs", .help = "names of the jobs that run in the case (all)",
	  .kind = &rf_kind_texts, .optional = true,
	  .at = AT(rf_case, jobs) },
	{ .name = "workload", .help = "what is not as in the scenario; of several jobs, each with its name",
	  .kind = &maps_kind, .optional = true,
	  .keys = rf_case_workload_fields },
	{ .name = "qp", .help = "what is not as in the scenario",
	  .kind = &map_kind, .optional = true,
	  .keys = rf_qp_fields },
	{ .name = "balance", .help = "how leaf switches choose a spine, if not as in the scenario",
	  .form = RF_BALANCE_FORM, .kind = &rf_kind_balance, .optional = true,
	  .at = AT(rf_case, balance) },
	{ .name = "convergence", .help = "time until leaf switches avoid a link that is down, if not as in the scenario",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_case, convergence_ns), .min = RF_CONVERGENCE_MIN, .max = RF_CONVERGENCE_MAX },
	{ .name = "dcqcn", .help = "DCQCN of the ports of all nodes: what is not as in the scenario",
	  .form = RF_DCQCN_FORM, .kind = &rf_kind_dcqcn, .optional = true,
	  .at = AT(rf_case, dcqcn) },
	{ .name = "faults", .help = "what is done, to which port, when",
	  .kind = &faults_kind, .optional = true,
	  .keys = rf_fault_fields },
	{ .name = "expect", .help = "expectations, such as step.time.p99 < 5 ms",
	  .kind = &rf_kind_lines, .optional = true },
	{ }
};

static int take_case(struct rf_doc *doc, struct rf_node *node, void *to)
{
	return rf_doc_map(doc, node, "case", rf_case_fields, to);
}

static int take_cases(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_key *key, void *to)
{
	static const struct rf_list list = {
		"cases", sizeof(struct rf_case), take_case
	};
	struct rf_scenario *s = to;

	(void)key;
	return rf_doc_list(doc, node, &list, &s->cases, &s->ncases);
}

const struct rf_kind rf_kind_cases = { .take_node = take_cases, .form = RF_FORM_LIST };

/* ---- expectations ---- */

static bool has_case(const struct rf_scenario *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->ncases; i++)
		if (!strcmp(s->cases[i].name, name))
			return true;
	return false;
}

static int check_cases(struct rf_doc *doc, const struct rf_node *node,
		       const struct rf_scenario *s,
		       const struct rf_check *check)
{
	const char *case_name;
	size_t i;

	for (i = 0; rf_check_names_case(check, &case_name, i); i++)
		if (!has_case(s, case_name))
			return rf_doc_refuse(doc, node, "expect: ratio: \"%s\" is not a case of this scenario",
					     case_name);
	return 0;
}

static bool is_number_below(const char *index, uint32_t max)
{
	uint32_t v;

	return !rf_parse_u32(index, &v) && v < max;
}

/* Check a number that counts from 1. */
static bool is_number_up_to(const char *index, uint32_t max)
{
	uint32_t v;

	return !rf_parse_u32(index, &v) && v && v <= max;
}

static int refuse_fault(struct rf_doc *doc, const struct rf_node *node,
			const struct rf_case *test_case, const char *index)
{
	if (!test_case->nfaults)
		return rf_doc_refuse(doc, node, "expect: fault[%s]: the case \"%s\" has no faults",
				     index, test_case->name);
	return rf_doc_refuse(doc, node, "expect: fault[%s]: no such fault of the case \"%s\"; 1 to %zu",
			     index, test_case->name, test_case->nfaults);
}

static int refuse_job(struct rf_doc *doc, const struct rf_node *node,
		      const struct rf_case *test_case, const char *index)
{
	char *list = NULL;
	int err;
	size_t i;

	if (test_case->workload.name)
		list = rf_text_list(list, test_case->workload.name);
	for (i = 0; i < test_case->nothers; i++)
		list = rf_text_list(list, test_case->others[i].name);
	err = rf_doc_refuse(doc, node, "expect: job[%s]: no such job in the case \"%s\"; %s", index,
			    test_case->name, list ? list : "its job has no name");
	free(list);
	return err;
}

/* Return: the job to which an index of a rank or step belongs; NULL: to several */
static const struct rf_workload *job_of_index(const struct rf_case *test_case,
					      const struct rf_check_index *index)
{
	return index->job[0] ? rf_case_job(test_case, index->job) : &test_case->workload;
}

/* Refuse an index of a rank, step, port, priority or fault that does not exist. */
static int check_indices(struct rf_doc *doc, const struct rf_node *node,
			 const struct rf_scenario *s, const struct rf_case *test_case,
			 const struct rf_check *check)
{
	const struct rf_workload *w;
	struct rf_check_index found;
	const char *what = found.what, *index = found.index;
	char ports[RF_PORTS_TEXT];
	uint32_t ranks, steps;
	size_t i;

	for (i = 0; rf_check_index(check, i, &found); i++) {
		if (!strcmp(what, "job") && !rf_case_job(test_case, index))
			return refuse_job(doc, node, test_case, index);
		w = job_of_index(test_case, &found);
		ranks = w ? w->ranks : 0;
		steps = w ? w->steps : 0;
		if (!strcmp(what, "rank") && ranks &&
		    !is_number_below(index, ranks))
			return rf_doc_refuse(doc, node, "expect: rank[%s]: no such rank; 0 to %u",
					     index, ranks - 1);
		if (!strcmp(what, "step") && steps && !is_number_up_to(index, steps))
			return rf_doc_refuse(doc, node, "expect: step[%s]: no such step; 1 to %u",
					     index, steps);
		if (!strcmp(what, "prio") &&
		    !is_number_below(index, RDMAFAULT_PRIOS))
			return rf_doc_refuse(doc, node, "expect: prio[%s]: no such priority; 0 to 7",
					     index);
		if (!strcmp(what, "fault") &&
		    !is_number_up_to(index, test_case->nfaults))
			return refuse_fault(doc, node, test_case, index);
		if (!strcmp(what, "port") &&
		    (!rf_port_number(s, index) || !strncmp(index, "rxe", 3)))
			return rf_doc_refuse(doc, node, "expect: port[%s]: not a netdev of this fabric; %s",
					     index, rf_ports_text(s, ports));
	}
	return 0;
}

/*
 * Refuse a mapping instead of a list of expressions. The message shows the first entry of
 * the mapping as an expression: "naks: 1..5" becomes "naks in 1..5".
 */
static int refuse_map(struct rf_doc *doc, const struct rf_node *map)
{
	const char *key = map->n ? rf_doc_text(map->kids[0]->key) : NULL;
	const char *value = key ? rf_doc_text(map->kids[0]) : NULL;

	return rf_doc_refuse(doc, map, "expect: expected a list of expressions; for example \"- %s %s %s\"",
			     value ? key : "naks",
			     value && strstr(value, "..") ? "in" : "==",
			     value ? value : "1");
}

static const struct rf_metric_info *process_row(const void *processes, size_t i)
{
	const struct rf_value *value = rf_process_value(processes, i);

	return value ? &value->info : NULL;
}

static int add_line(struct rf_doc *doc, const struct rf_node *node,
		    const struct rf_scenario *s, struct rf_case *test_case)
{
	struct rf_metric_source source = rf_metrics;
	const char *text = rf_doc_text(node);
	struct rf_check *checks;
	unsigned int column;
	struct rf_why why;
	int err;

	if (node->kind == RF_NODE_MAP)
		return refuse_map(doc, node);
	if (!text || strchr(text, '\n'))
		return rf_doc_refuse(doc, node, "expect: \"%s\": expected one expression per list entry; for example \"- naks == 1\"",
				     rf_doc_shown(node));
	checks = reallocarray(test_case->checks, test_case->nchecks + 1, sizeof(*checks));
	if (!checks)
		return -ENOMEM;
	test_case->checks = checks;
	checks += test_case->nchecks++;
	source.own = process_row;
	source.own_arg = &s->workload.processes;
	err = rf_check_parse(text, &source, checks, &why, &column);
	if (err == -EINVAL)
		return rf_doc_refuse_at(doc, node, column + !node->plain,
					why.text);
	if (!err)
		err = check_indices(doc, node, s, test_case, checks);
	return err ? err : check_cases(doc, node, s, checks);
}

static int add_lines(struct rf_doc *doc, const struct rf_node *node,
		     const struct rf_scenario *s, struct rf_case *test_case)
{
	int err = 0;
	size_t i;

	if (!node)
		return 0;
	if (node->kind != RF_NODE_LIST)
		return add_line(doc, node, s, test_case);
	for (i = 0; rf_doc_goes_on(err) && i < node->n; i++)
		err = rf_doc_worse(err, add_line(doc, node->kids[i], s, test_case));
	return err;
}

static int take_expectations(struct rf_doc *doc, struct rf_node *node,
			     struct rf_scenario *s, struct rf_case *test_case)
{
	int err = add_lines(doc, rf_doc_value(doc->root, "expect"), s, test_case);

	return err ? err : add_lines(doc, rf_doc_value(node, "expect"), s, test_case);
}

/* ---- workload and qp of a case ---- */

static int take_own_workload(struct rf_doc *doc, struct rf_node *node, struct rf_scenario *s,
			     struct rf_case *test_case)
{
	struct rf_node *qp = rf_doc_value(node, "qp");
	int err = 0;

	test_case->qp = s->qp;
	if (qp)
		err = rf_doc_map(doc, qp, "qp", rf_qp_fields, &test_case->qp);
	return rf_doc_worse(err, rf_case_jobs_load(doc, node, s, test_case));
}

/**
 * rf_cases_finish - load the workload, queue-pair attributes and expectations of cases
 * @doc: the document
 * @s: the scenario; what a case does not set is copied from the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_cases_finish(struct rf_doc *doc, struct rf_scenario *s)
{
	struct rf_node *cases = rf_doc_value(doc->root, "cases");
	struct rf_case *test_case;
	int err = 0;
	size_t i;

	for (i = 0; rf_doc_goes_on(err) && i < s->ncases; i++) {
		test_case = &s->cases[i];
		err = rf_doc_worse(err, take_own_workload(doc, cases->kids[i], s, test_case));
	}
	for (i = 0; rf_doc_goes_on(err) && i < s->ncases; i++)
		err = rf_doc_worse(err, take_expectations(doc, cases->kids[i], s,
							  &s->cases[i]));
	return err;
}

static void seed_rule(const struct rf_scenario *s, struct rf_rule_spec *spec,
		      uint64_t key)
{
	if (!rf_rule_draws(spec))
		return;
	if (!(spec->set & RF_RULE_BIT(SEED)))
		spec->seed = s->seed;
	if (!(spec->set & RF_RULE_BIT(KEY)))
		spec->key = key;
	spec->set |= RF_RULE_BIT(SEED) | RF_RULE_BIT(KEY);
}

/* Check whether another fault of the case sets the seed of this port at the same time. */
static bool has_own_seed(const struct rf_scenario *s,
			 const struct rf_case *test_case,
			 const struct rf_fault *fault)
{
	const struct rf_fault *f;

	for (f = test_case->faults; f < test_case->faults + test_case->nfaults; f++)
		if (f->change.link & RF_LINK_BIT(SEED) && !f->seeded &&
		    rf_faults_share_port(s, f, fault) &&
		    rf_when_may_overlap(&f->when, &fault->when))
			return true;
	return false;
}

static void seed_case(const struct rf_scenario *s, struct rf_case *test_case)
{
	struct rf_fault *f;
	size_t i;

	for (i = 0; i < test_case->nfaults; i++) {
		f = &test_case->faults[i];
		if (f->kind == RF_FAULT_RULE)
			seed_rule(s, &f->spec, i + 1);
		else if (f->kind == RF_FAULT_CHANGE &&
			 !has_own_seed(s, test_case, f))
			f->seeded = rf_seed_change(s, f->port, &f->change);
	}
}

/**
 * rf_cases_seed - give the scenario's seed to faults without a seed
 * @s: the scenario
 *
 * Each rule also gets its own key, which distinguishes the random decisions of rules with
 * the same seed. This function must run after rf_faults_agree(), which would refuse the seed
 * as two values for one setting if it is given to two faults on one port.
 */
void rf_cases_seed(struct rf_scenario *s)
{
	size_t i;

	for (i = 0; i < s->ncases; i++)
		seed_case(s, &s->cases[i]);
}
