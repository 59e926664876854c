// SPDX-License-Identifier: GPL-2.0
/*
 * Load the jobs of a scenario and of its cases. A workload is one job, or a list of jobs that run
 * at the same time, each with a name. The first job of a case is the measured one. A case can
 * select some of the jobs, and change values of each of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "text.h"

/* ---- the jobs of the scenario ---- */

static int take_job(struct rf_doc *doc, struct rf_node *node, void *to)
{
	return rf_doc_map(doc, node, "workload", rf_workload_fields, to);
}

/* The first job becomes the workload of the scenario. */
static int take_jobs(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	const struct rf_list list = { key->name, sizeof(struct rf_workload), take_job };
	struct rf_scenario *s = to;
	int err;

	if (node->kind != RF_NODE_LIST)
		return take_job(doc, node, &s->workload);
	err = rf_doc_list(doc, node, &list, &s->others, &s->nothers);
	if (!s->nothers)
		return err;
	s->workload = s->others[0];
	memmove(s->others, s->others + 1, --s->nothers * sizeof(*s->others));
	return err;
}

const struct rf_kind rf_kind_jobs = { .take_node = take_jobs, .form = RF_FORM_MAP_OR_LIST };

static int take_text(struct rf_doc *doc, struct rf_node *node, void *to)
{
	static const struct rf_key line = { .name = "jobs", .kind = &rf_kind_line };

	return rf_doc_scalar(doc, node, &line, to);
}

static int take_texts(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	const struct rf_list list = { key->name, sizeof(char *), take_text };
	struct rf_texts *all = to;

	if (node->kind != RF_NODE_TEXT)
		return rf_doc_list(doc, node, &list, &all->v, &all->n);
	all->v = calloc(1, sizeof(*all->v));
	all->n = !!all->v;
	return all->v ? take_text(doc, node, all->v) : -ENOMEM;
}

const struct rf_kind rf_kind_texts = { .take_node = take_texts, .form = RF_FORM_TEXTS };

/* Return: job @i of a scenario; 0 is the first one */
static struct rf_workload *nth_job(struct rf_scenario *s, size_t i)
{
	return i ? &s->others[i - 1] : &s->workload;
}

/* Return: the mapping of job @i in the file */
static struct rf_node *job_node(struct rf_doc *doc, size_t i)
{
	struct rf_node *node = rf_doc_find(doc->root, "workload");

	return node->kind == RF_NODE_LIST ? node->kids[i] : node;
}

static bool is_name_taken(struct rf_scenario *s, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (!strcmp(nth_job(s, k)->name, nth_job(s, i)->name))
			return true;
	return false;
}

/* Check a job of a list. */
static int check_listed(struct rf_doc *doc, struct rf_scenario *s, size_t i)
{
	struct rf_node *node = job_node(doc, i);
	const struct rf_workload *w = nth_job(s, i);

	if (!w->name)
		return rf_doc_refuse(doc, node, "workload: job %zu has no name; each job of a list needs the key \"name\"",
				     i + 1);
	if (is_name_taken(s, i))
		return rf_doc_refuse(doc, rf_doc_find(node, "name"), "name \"%s\": used twice; each job needs its own name",
				     w->name);
	if (w->kind == RF_WORK_COMMAND)
		return rf_doc_refuse(doc, rf_doc_find(node, "command"), "command: not possible in a list of jobs; collective or train");
	if (w->rails > 1)
		return rf_doc_refuse(doc, rf_doc_find(node, "rails"), "rails: not possible in a list of jobs; each rank has one node");
	if (i && w->background)
		return rf_doc_refuse(doc, rf_doc_find(node, "background"), "background: give it to the first job; the case has one background command");
	return 0;
}

/**
 * rf_jobs_check - check constraints between the keys of each job, and between the jobs
 * @doc: the document
 * @s: the scenario; the kinds of its jobs are set
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_jobs_check(struct rf_doc *doc, struct rf_scenario *s)
{
	bool listed = rf_doc_find(doc->root, "workload")->kind == RF_NODE_LIST;
	int err = 0;
	size_t i;

	for (i = 0; !err && i <= s->nothers; i++) {
		err = rf_workload_check(doc, job_node(doc, i), nth_job(s, i));
		if (!err && listed)
			err = check_listed(doc, s, i);
	}
	return err;
}

static int check_fits(struct rf_doc *doc, struct rf_node *node, const struct rf_workload *w,
		      uint32_t nodes)
{
	uint32_t needed = w->ranks * rf_workload_rails(w);

	if (w->rails > 1 && needed > nodes)
		return rf_doc_refuse(doc, rf_doc_find(node, "rails"),
				     "rails %u: %u ranks need %u nodes; the fabric has %u",
				     w->rails, w->ranks, needed, nodes);
	if (needed > nodes)
		return rf_doc_refuse(doc, rf_doc_find(node, "ranks"),
				     "ranks %u: more than one rank per node; 2 to %u", w->ranks, nodes);
	return 0;
}

/**
 * rf_jobs_fit - check that the fabric has a node for each rank, and compute the nodes of the
 * first job
 * @doc: the document
 * @s: the scenario, with its fabric
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_jobs_fit(struct rf_doc *doc, struct rf_scenario *s)
{
	const char *on[RF_FABRIC_MAX];
	int err = 0;
	size_t i;

	for (i = 0; i <= s->nothers; i++)
		err = rf_doc_worse(err, check_fits(doc, job_node(doc, i), nth_job(s, i),
						   s->fabric.nodes));
	/* Each case places the jobs that run in it. Without a case, each job can have all nodes. */
	for (i = 0; !err && i <= s->nothers; i++) {
		memset(on, 0, sizeof(on));
		err = rf_placement_settle(doc, job_node(doc, i), &s->fabric, nth_job(s, i), on);
	}
	return err;
}

/* ---- the jobs of a case ---- */

/* The jobs of the scenario, as they are in a case */
struct jobs {
	struct rf_workload *w;
	struct rf_node **map;		/* the mapping of each in the file that has its placement */
	bool *runs;
	size_t n;
};

static int find_job(struct rf_doc *doc, const struct rf_node *node, const char *name,
		    const struct jobs *jobs, size_t *i)
{
	char *list = NULL;
	int err;

	for (*i = 0; *i < jobs->n; (*i)++) {
		if (!jobs->w[*i].name)
			return rf_doc_refuse(doc, node, "job \"%s\": the jobs of this scenario have no names",
					     name);
		if (!strcmp(jobs->w[*i].name, name))
			break;
		list = rf_text_list(list, jobs->w[*i].name);
	}
	err = *i < jobs->n ? 0 : rf_doc_refuse(doc, node, "job \"%s\": no such job; %s", name, list);
	free(list);
	return err;
}

/* Load what a case changes in one job: the one that the mapping names, or the first one. */
static int take_changes(struct rf_doc *doc, struct rf_node *map, struct jobs *jobs)
{
	struct rf_node *name = rf_doc_value(map, "name");
	size_t i = 0;
	int err = 0;

	if (name && rf_doc_text(name))
		err = find_job(doc, name, rf_doc_text(name), jobs, &i);
	if (!err)
		err = rf_doc_map(doc, map, "workload", rf_case_workload_fields, &jobs->w[i]);
	if (!err)
		err = rf_workload_check(doc, map, &jobs->w[i]);
	if (!err && rf_doc_value(map, "placement"))
		jobs->map[i] = map;
	return err;
}

static int take_all_changes(struct rf_doc *doc, struct rf_node *node, struct jobs *jobs)
{
	struct rf_node *own = rf_doc_value(node, "workload");
	int err = 0;
	size_t i;

	if (!own || own->kind != RF_NODE_LIST)
		return own ? take_changes(doc, own, jobs) : 0;
	for (i = 0; rf_doc_goes_on(err) && i < own->n; i++) {
		if (!rf_doc_value(own->kids[i], "name"))
			err = rf_doc_refuse(doc, own->kids[i], "workload: the key \"name\" is missing");
		else
			err = rf_doc_worse(err, take_changes(doc, own->kids[i], jobs));
	}
	return err;
}

static int select_jobs(struct rf_doc *doc, struct rf_node *node, const struct rf_texts *names,
		       struct jobs *jobs)
{
	struct rf_node *list = rf_doc_value(node, "jobs");
	int err = 0;
	size_t i, k;

	for (i = 0; i < jobs->n; i++)
		jobs->runs[i] = !names->n;
	for (i = 0; !err && i < names->n; i++) {
		err = find_job(doc, list->kind == RF_NODE_LIST ? list->kids[i] : list, names->v[i],
			       jobs, &k);
		if (!err)
			jobs->runs[k] = true;
	}
	return err;
}

static bool has_list(const struct rf_workload *w)
{
	return w->placement.how == RF_PLACEMENT_LIST;
}

/* Compute the nodes of the jobs that run. Lists come first: other jobs take nodes that are free. */
static int place_jobs(struct rf_doc *doc, struct rf_node *node, const struct rf_fabric *f,
		      struct jobs *jobs)
{
	const char *on[RF_FABRIC_MAX] = { };
	uint32_t needed = 0, n;
	int err = 0, listed;
	size_t i;

	for (i = 0; i < jobs->n; i++) {
		n = jobs->w[i].ranks * rf_workload_rails(&jobs->w[i]);
		if (n > f->nodes)
			return 0;	/* rf_jobs_fit() refuses this */
		needed += jobs->runs[i] ? n : 0;
	}
	if (needed > f->nodes)
		return rf_doc_refuse(doc, rf_doc_find(node, "jobs"), "case \"%s\": its jobs have %u ranks, each on its own node; the fabric has %u nodes",
				     rf_doc_shown(rf_doc_find(node, "name")), needed, f->nodes);
	for (listed = 1; listed >= 0; listed--)
		for (i = 0; !err && i < jobs->n; i++)
			if (jobs->runs[i] && has_list(&jobs->w[i]) == listed)
				err = rf_placement_settle(doc, jobs->map[i], f, &jobs->w[i], on);
	return err;
}

/* Move the jobs that run to the case, and free the others. */
static void give_jobs(struct jobs *jobs, struct rf_case *test_case)
{
	bool first = true;
	size_t i;

	for (i = 0; i < jobs->n; i++) {
		if (!jobs->runs[i]) {
			rf_workload_free(&jobs->w[i]);
		} else if (first) {
			test_case->workload = jobs->w[i];
			first = false;
		} else {
			test_case->others[test_case->nothers++] = (struct rf_case){
				.name = jobs->w[i].name, .workload = jobs->w[i],
				.qp = test_case->qp,
			};
		}
	}
}

static int copy_jobs(struct rf_doc *doc, struct rf_scenario *s, struct jobs *jobs)
{
	size_t i;
	int err = 0;

	if (!jobs->w || !jobs->map || !jobs->runs)
		return -ENOMEM;
	for (i = 0; i < jobs->n; i++) {
		err |= rf_workload_copy(nth_job(s, i), &jobs->w[i]);
		jobs->map[i] = job_node(doc, i);
		jobs->runs[i] = true;
	}
	return err;
}

/**
 * rf_case_jobs_load - load the jobs of a case, and compute the nodes of their ranks
 * @doc: the document
 * @node: the case in the file
 * @s: the scenario
 * @test_case: the case, with its queue-pair attributes; gets the jobs. What it does not set is
 *	copied from the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_case_jobs_load(struct rf_doc *doc, struct rf_node *node, struct rf_scenario *s,
		      struct rf_case *test_case)
{
	struct jobs jobs = {
		.w = calloc(s->nothers + 1, sizeof(*jobs.w)),
		.map = calloc(s->nothers + 1, sizeof(*jobs.map)),
		.runs = calloc(s->nothers + 1, sizeof(*jobs.runs)),
		.n = s->nothers + 1,
	};
	int err;

	test_case->others = calloc(s->nothers + 1, sizeof(*test_case->others));
	err = test_case->others ? copy_jobs(doc, s, &jobs) : -ENOMEM;
	if (!err)
		err = take_all_changes(doc, node, &jobs);
	if (!err)
		err = select_jobs(doc, node, &test_case->jobs, &jobs);
	if (!err)
		err = place_jobs(doc, node, &s->fabric, &jobs);
	if (jobs.w && jobs.runs && test_case->others)
		give_jobs(&jobs, test_case);
	free(jobs.w);
	free(jobs.map);
	free(jobs.runs);
	return err;
}
