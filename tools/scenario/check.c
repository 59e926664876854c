// SPDX-License-Identifier: GPL-2.0
/*
 * Check constraints between the keys of a scenario. Refuse more ranks than nodes, a fault
 * on a port that does not exist, a fault in a step that the job does not have, and a first
 * case that is not clean.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "load.h"
#include "scenario.h"
#include "words.h"

/* Check that the first and last step of a rule exist in the job. */
static int check_rule_steps(struct rf_doc *doc, struct rf_node *node,
			    const struct rf_match *m, uint32_t steps)
{
	if (RF_ASKS(m, STEP_MIN) && m->step_min > steps)
		return rf_doc_refuse(doc, node, "%s: step %u: out of range; the job has %u steps",
				     node->key->text, m->step_min, steps);
	if (RF_ASKS(m, STEP_MAX) && m->step_max > steps)
		return rf_doc_refuse(doc, node, "%s: step %u: out of range; the job has %u steps",
				     node->key->text, m->step_max, steps);
	return 0;
}

/* Return: the node that has the steps of a fault: the key "at" or "from", or the command line */
static struct rf_node *steps_node(struct rf_node *fault)
{
	static const char *const keys[] = { "at", "from", "do" };
	struct rf_node *node = NULL;
	size_t i;

	for (i = 0; !node && i < 3; i++)
		node = rf_doc_value(fault, keys[i]);
	return node;
}

static int check_fault_steps(struct rf_doc *doc, struct rf_node *node,
			     const struct rf_fault *f, uint32_t steps)
{
	const struct rf_when *w = &f->when;

	if (!steps)
		return 0;		/* the number of steps is not known */
	if (f->kind == RF_FAULT_RULE)
		return check_rule_steps(doc, steps_node(node), &f->spec.match,
					steps);
	if (w->clock != RF_CLOCK_STEP)
		return 0;
	if (w->begin > steps)
		return rf_doc_refuse(doc, steps_node(node), "%s: step %llu: out of range; the job has %u steps",
				     steps_node(node)->key->text,
				     (unsigned long long)w->begin, steps);
	if (w->end > steps + 1ull)
		return rf_doc_refuse(doc, rf_doc_find(node, "for"), "for: step %llu: out of range; the job has %u steps",
				     (unsigned long long)w->end - 1, steps);
	return 0;
}

/*
 * Check whether the setting of fault @other is in effect when fault @f is applied. If @maybe is
 * set, also return true if @other can be applied while @f is in effect.
 */
static bool comes_before(const struct rf_fault *other, const struct rf_fault *f,
			 bool maybe)
{
	if (!rf_when_may_overlap(&other->when, &f->when))
		return false;
	if (maybe || other->when.clock != f->when.clock)
		return maybe || other->when.clock == RF_CLOCK_NONE;
	if (other->when.clock == RF_CLOCK_NONE)
		return other < f;
	return other->when.begin < f->when.begin ||
	       (other->when.begin == f->when.begin && other < f);
}

static bool is_node_port(const struct rf_scenario *s, const char *port)
{
	return rf_port_number(s, port) <= s->fabric.nodes && !rf_fabric_is_remote(&s->fabric);
}

/* Validate the settings of a port after the changes of @f and of faults in effect before @f. */
static int validate_change(const struct rf_scenario *s,
			   const struct rf_case *test_case, const struct rf_fault *f,
			   bool maybe, struct rf_why *why)
{
	struct rf_queue_change dcqcn;
	const struct rf_fault *other;
	struct rf_conf conf;

	rf_conf_of_port(s, rf_port_number(s, f->port), s->nsettings, &conf);
	if (is_node_port(s, f->port) && rf_case_dcqcn(s, test_case, &dcqcn))
		rf_conf_apply(&conf, &dcqcn);
	for (other = test_case->faults; other < test_case->faults + test_case->nfaults; other++)
		if (other != f && other->kind == RF_FAULT_CHANGE &&
		    rf_faults_share_port(s, other, f) &&
		    comes_before(other, f, maybe))
			rf_conf_apply(&conf, &other->change);
	rf_conf_apply(&conf, &f->change);
	return rf_validate_conf(&conf, why);
}

static int check_change(struct rf_doc *doc, struct rf_node *node,
			const struct rf_scenario *s, const struct rf_case *test_case,
			const struct rf_fault *f)
{
	struct rf_why why;

	if (f->kind != RF_FAULT_CHANGE ||
	    !validate_change(s, test_case, f, false, &why) ||
	    !validate_change(s, test_case, f, true, &why))
		return 0;
	return rf_doc_refuse(doc, rf_doc_find(node, "do"), "do: %s: %s",
			     f->port, why.text);
}

/* Return: the largest number of steps of a job of the case; 0: unknown */
static uint32_t most_steps(const struct rf_case *test_case)
{
	uint32_t most = test_case->workload.steps;
	size_t i;

	for (i = 0; i < test_case->nothers; i++)
		if (test_case->others[i].workload.steps > most)
			most = test_case->others[i].workload.steps;
	return most;
}

static int check_fault(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_scenario *s, const struct rf_case *test_case,
		       const struct rf_fault *f)
{
	char ports[RF_PORTS_TEXT];
	int err;

	if (!rf_port_number(s, f->port))
		return rf_doc_refuse(doc, rf_doc_find(node, "do"),
				     "port \"%s\": not in this fabric; the ports are %s",
				     f->port, rf_ports_text(s, ports));
	err = check_change(doc, node, s, test_case, f);
	return err ? err : check_fault_steps(doc, node, f, most_steps(test_case));
}

/*
 * Refuse names of cases that differ only in upper and lower case: each case has a directory
 * of the same name, and some file systems ignore upper and lower case.
 */
static int check_case_name(struct rf_doc *doc, struct rf_node *node,
			   const struct rf_scenario *s, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcasecmp(s->cases[i].name, s->cases[j].name))
			return rf_doc_refuse(doc, rf_doc_find(node, "name"),
					     "name \"%s\": used twice; names of cases must differ in more than upper and lower case",
					     s->cases[i].name);
	return 0;
}

static int check_case(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_scenario *s, size_t i)
{
	const struct rf_case *p = &s->cases[i];
	struct rf_node *faults = rf_doc_value(node, "faults");
	int err = check_case_name(doc, node, s, i);
	size_t j;

	for (j = 0; j < p->nfaults; j++)
		err = rf_doc_worse(err, check_fault(doc, faults->kids[j], s, p,
						    &p->faults[j]));
	return err ? err : rf_faults_agree(doc, faults, p, s);
}

static int check_clean(struct rf_doc *doc, struct rf_node *cases,
		       const struct rf_scenario *s)
{
	if (!rf_case_is_clean(&s->cases[0]))
		return rf_doc_refuse(doc, cases->kids[0],
				     "case \"%s\": the first case must be clean (no faults, no --straggler), because the others are compared with it",
				     s->cases[0].name);
	return 0;
}

/* ---- a bridge between other machines ---- */

#define NO_STEPS "no job announces steps to a bridge"

/* Refuse a key that is about the processes of the nodes. */
static int refuse_local(struct rf_doc *doc, struct rf_node *map, const char *const *keys,
			const char *why)
{
	int err = 0;

	for (; *keys; keys++)
		if (rf_doc_value(map, *keys))
			err = rf_doc_refuse(doc, rf_doc_find(map, *keys),
					    "%s: not possible with a fabric of other machines (bridge): %s",
					    *keys, why);
	return err;
}

static int check_remote_processes(struct rf_doc *doc, struct rf_node *list)
{
	static const char *const keys[] = { "node", "mpirun", NULL };
	int err = 0;
	size_t i;

	for (i = 0; list && list->kind == RF_NODE_LIST && i < list->n; i++)
		err = rf_doc_worse(err, refuse_local(doc, list->kids[i], keys,
						     "this machine is none of the nodes"));
	return err;
}

static int check_remote_fault(struct rf_doc *doc, struct rf_node *node, const struct rf_fault *f)
{
	if (f->kind == RF_FAULT_LINK_DOWN)
		return rf_doc_refuse(doc, rf_doc_find(node, "do"), "do: link down: not possible on a port of a bridge between other machines; \"blackhole %s tx TIME both all count 1\" drops its packets",
				     f->port);
	if (f->when.clock == RF_CLOCK_STEP ||
	    (f->kind == RF_FAULT_RULE && rf_rule_waits_for_step(&f->spec.match)))
		return rf_doc_refuse(doc, steps_node(node), "%s: " NO_STEPS ", so this fault would never happen; select the packet by nth, position or message, or use a time",
				     steps_node(node)->key->text);
	return 0;
}

static int check_remote_cases(struct rf_doc *doc, const struct rf_scenario *s)
{
	static const char *const keys[] = { "steps", NULL };
	struct rf_node *cases = rf_doc_value(doc->root, "cases"), *node, *faults, *own;
	int err = 0;
	size_t i, j;

	for (i = 0; i < s->ncases; i++) {
		node = cases->kids[i];
		own = rf_doc_value(node, "workload");
		if (own)
			err = rf_doc_worse(err, refuse_local(doc, own, keys, NO_STEPS));
		faults = rf_doc_value(node, "faults");
		for (j = 0; j < s->cases[i].nfaults; j++)
			err = rf_doc_worse(err, check_remote_fault(doc, faults->kids[j],
								   &s->cases[i].faults[j]));
	}
	return err;
}

/* Refuse what needs the machine of the queue pairs. */
static int check_remote(struct rf_doc *doc, const struct rf_scenario *s)
{
	static const char *const keys[] = { "ranks", "steps", NULL };
	struct rf_node *workload = rf_doc_value(doc->root, "workload");
	int err;

	if (!rf_fabric_is_remote(&s->fabric))
		return 0;
	if (s->workload.kind != RF_WORK_COMMAND)
		return rf_doc_refuse(doc, workload, "workload: only a command is possible with a fabric of other machines (bridge), because the job runs on them; for example command: sleep 10");
	err = refuse_local(doc, workload, keys, NO_STEPS);
	err = rf_doc_worse(err, check_remote_processes(doc, rf_doc_value(workload, "command")));
	err = rf_doc_worse(err, check_remote_processes(doc, rf_doc_value(doc->root, "setup")));
	return rf_doc_worse(err, check_remote_cases(doc, s));
}

/**
 * rf_scenario_check - check constraints between the keys of a scenario
 * @doc: the document of the scenario
 * @s: the scenario; its workloads get the nodes of their ranks
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_scenario_check(struct rf_doc *doc, struct rf_scenario *s)
{
	struct rf_node *cases = rf_doc_value(doc->root, "cases");
	struct rf_node *workload = rf_doc_value(doc->root, "workload");
	int err = check_remote(doc, s);
	size_t i;

	if (err)
		return err;
	err = rf_jobs_fit(doc, s);
	if (err)
		return err;
	err = rf_processes_check(doc, rf_doc_value(workload, "command"), &s->workload.processes,
				 s->fabric.nodes);
	err = rf_doc_worse(err, rf_processes_check(doc, rf_doc_value(doc->root, "setup"), &s->setup,
						   s->fabric.nodes));
	err = rf_doc_worse(err, check_clean(doc, cases, s));
	for (i = 0; i < s->ncases; i++) {
		err = rf_doc_worse(err, rf_balance_check(doc, cases->kids[i], s, &s->cases[i]));
		err = rf_doc_worse(err, rf_dcqcn_check(doc, cases->kids[i], s, &s->cases[i]));
		err = rf_doc_worse(err, check_case(doc, cases->kids[i], s, i));
	}
	return err;
}
