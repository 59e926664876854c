// SPDX-License-Identifier: GPL-2.0
/*
 * What no single key of a scenario can tell: ranks without a node, a fault on
 * a port that isn't there, in a step that never comes, nothing to compare
 * with.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doc.h"
#include "scenario.h"

static yaml_node_t *item(struct rf_doc *doc, yaml_node_t *list, size_t i)
{
	return yaml_document_get_node(&doc->yaml,
				      list->data.sequence.items.start[i]);
}

static bool port_exists(const char *port, uint32_t nodes)
{
	char name[16];
	uint32_t i;

	for (i = 1; i <= nodes; i++) {
		snprintf(name, sizeof(name), "v%u", i);
		if (!strcmp(port, name))
			return true;
		snprintf(name, sizeof(name), "rxe%u", i);
		if (!strcmp(port, name))
			return true;
	}
	return false;
}

/* A step without end is what it says; a named one must come. */
static int check_rule_steps(struct rf_doc *doc, yaml_node_t *node,
			    const struct rf_match *m, uint32_t steps)
{
	if (RF_ASKS(m, STEP_MIN) && m->step_min > steps)
		return rf_doc_refuse(doc, node, "rule: want a step up to %u, got \"%u\"",
				     steps, m->step_min);
	if (RF_ASKS(m, STEP_MAX) && m->step_max > steps)
		return rf_doc_refuse(doc, node, "rule: want steps up to %u, got \"%u\"",
				     steps, m->step_max);
	return 0;
}

static int check_fault(struct rf_doc *doc, yaml_node_t *node,
		       const struct rf_scenario *s, const struct rf_fault *f)
{
	if (!port_exists(f->port, s->nodes))
		return rf_doc_refuse(doc, rf_doc_find(doc, node, "port"),
				     "port: want v1 to v%u or rxe1 to rxe%u, got \"%s\"",
				     s->nodes, s->nodes, f->port);
	return check_rule_steps(doc, rf_doc_find(doc, node, "rule"),
				&f->spec.match, s->workload.steps);
}

static int check_name(struct rf_doc *doc, yaml_node_t *node,
		      const struct rf_scenario *s, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcmp(s->plays[i].name, s->plays[j].name))
			return rf_doc_refuse(doc, rf_doc_find(doc, node, "name"),
					     "name: want another one for each play, got \"%s\" twice",
					     s->plays[i].name);
	return 0;
}

static int check_play(struct rf_doc *doc, yaml_node_t *node,
		      const struct rf_scenario *s, size_t i)
{
	const struct rf_play *p = &s->plays[i];
	yaml_node_t *faults = rf_doc_find(doc, node, "faults");
	int err = check_name(doc, node, s, i);
	size_t j;

	for (j = 0; !err && j < p->nfaults; j++)
		err = check_fault(doc, item(doc, faults, j), s, &p->faults[j]);
	return err;
}

static int check_clean(struct rf_doc *doc, yaml_node_t *plays,
		       const struct rf_scenario *s)
{
	if (s->plays[0].nfaults)
		return rf_doc_refuse(doc, item(doc, plays, 0),
				     "plays: want the first one without faults, to compare with, got \"%s\" with",
				     s->plays[0].name);
	return 0;
}

/**
 * rf_scenario_check - does the whole of a scenario make sense?
 * @doc: its file
 * @s: the scenario
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_scenario_check(struct rf_doc *doc, const struct rf_scenario *s)
{
	yaml_node_t *root = rf_doc_root(doc);
	yaml_node_t *plays = rf_doc_find(doc, root, "plays");
	int err;
	size_t i;

	if (s->workload.ranks > s->nodes)
		return rf_doc_refuse(doc, rf_doc_find(doc, rf_doc_find(doc, root, "workload"), "ranks"),
				     "ranks: want at most one a node, up to %u, got \"%u\"",
				     s->nodes, s->workload.ranks);
	err = check_clean(doc, plays, s);
	for (i = 0; !err && i < s->nplays; i++)
		err = check_play(doc, item(doc, plays, i), s, i);
	return err;
}
