// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics by name. The tables of metrics are in metric_steps.c, metric_losses.c,
 * metric_faults.c and metric_ports.c. A row contains the name, the unit, and the function that
 * gets the value.
 * All metrics can be used in expectations, and are written to summary.json and metrics.prom.
 *
 * If a metric has no value, rf_metric_value() returns the reason. Metrics that are computed
 * from the trace have no value if trace records were lost.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "json.h"
#include "metric_rows.h"
#include "words.h"

/**
 * rf_index_number - parse a numeric index
 * @text: the index
 * @max: largest valid value
 * @v: set to the number
 *
 * Return: false if it is not a number up to the maximum.
 */
bool rf_index_number(const char *text, uint32_t max, uint32_t *v)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end || n > max)
		return false;
	*v = n;
	return true;
}

/**
 * rf_index_rank - get the rank from the index of a metric
 * @q: the query, with the index
 * @rank: gets the rank
 *
 * Return: NULL, or the reason if there is no such rank.
 */
const char *rf_index_rank(const struct rf_metric_query *q, uint32_t *rank)
{
	uint32_t ranks = q->run_case->rec.tl.ranks;

	return ranks && rf_index_number(q->index[0], ranks - 1, rank) ?
	       NULL : "there is no such rank";
}

/* A table of metrics */
struct group {
	const struct rf_metric_row *rows;
	const char *name;
	bool of_job;			/* each job of a case has these metrics */
};

/* Return: the @i-th row of all tables together, with its table; NULL after the last */
static const struct rf_metric_row *nth_in_group(size_t i, const struct group **group)
{
	static const struct group parts[] = {
		{ rf_step_metrics, "job and steps", true }, { rf_loss_metrics, "losses", true },
		{ rf_fault_metrics, "faults", false }, { rf_port_metrics, "ports", false },
	};
	const struct rf_metric_row *m;
	size_t part;

	for (part = 0; part < sizeof(parts) / sizeof(*parts); part++)
		for (m = parts[part].rows; m->info.name; m++) {
			*group = &parts[part];
			if (!i--)
				return m;
		}
	return NULL;
}

static const struct rf_metric_row *nth(size_t i)
{
	const struct group *group;

	return nth_in_group(i, &group);
}

static const char *group_of_row(size_t i)
{
	const struct group *group = NULL;

	nth_in_group(i, &group);
	return group ? group->name : NULL;
}

static bool is_of_job(size_t i)
{
	const struct group *group = NULL;

	return nth_in_group(i, &group) && group->of_job;
}

static const struct rf_metric_info *row(size_t i)
{
	const struct rf_metric_row *m = nth(i);

	return m ? &m->info : NULL;
}

/* Split a name into row and indexes: "rank[2].wrong" is row "rank[].wrong", index "2". */
static bool split_name(const char *name, char *pattern, size_t len, struct rf_metric_query *q)
{
	size_t n = 0, used;
	unsigned int i = 0;

	while (*name && n + 3 < len) {
		pattern[n++] = *name;
		if (*name++ != '[')
			continue;
		used = strcspn(name, "]");
		if (!name[used] || used >= RF_INDEX_LEN || i == RF_INDEXES)
			return false;
		snprintf(q->index[i++], RF_INDEX_LEN, "%.*s", (int)used, name);
		name += used;
	}
	pattern[n] = '\0';
	return !*name;
}

static const struct rf_metric_row *find_metric_row(const char *pattern)
{
	const struct rf_metric_row *m;
	size_t i;

	for (i = 0; (m = nth(i)); i++)
		if (!strcmp(m->info.name, pattern))
			return m;
	return NULL;
}

static const char *ask(struct rf_metric_query *q, const struct rf_metric_row *m,
		       double *v)
{
	const char *why;

	q->arg = m->arg;
	if (m->flags & RF_TRACED && rf_record_has_holes(&q->run_case->rec))
		why = "events of the trace were lost";
	else
		why = m->value(q, v);
	if (why)
		*v = NAN;
	return why;
}

/**
 * rf_metric_value - get the value of a metric of a case, by its name
 * @run: the run
 * @run_case: a case of the run, analysed
 * @name: the name, with its indexes
 * @v: set to the value in the unit of the table; NAN if the case has none
 *
 * Return: NULL, or the reason why there is no value.
 */
const char *rf_metric_value(const struct rf_run *run,
			    const struct rf_run_case *run_case, const char *name,
			    double *v)
{
	struct rf_metric_query q = { .run = run, .run_case = run_case };
	const struct rf_metric_row *m;
	const char *why, *metric;
	char pattern[64], job[RF_INDEX_LEN];

	*v = NAN;
	metric = rf_metric_of_job(name, job);
	if (metric != name) {
		run_case = rf_run_case_job(run_case, job);
		return run_case ? rf_metric_value(run, run_case, metric, v) :
				  "the job does not run in the case";
	}
	m = split_name(name, pattern, sizeof(pattern), &q) ? find_metric_row(pattern) : NULL;
	if (m)
		return ask(&q, m, v);
	why = rf_process_metric(run, run_case, name, v);
	if (why)
		*v = NAN;
	return why;
}

/** rf_metric - get the value of a metric of a case, by its name; NAN: no value */
double rf_metric(const struct rf_run *run, const struct rf_run_case *run_case,
		 const char *name)
{
	double v;

	rf_metric_value(run, run_case, name, &v);
	return v;
}

/*
 * Find another case by its name: in the same round or, if the case was not run in this round,
 * in the first round in which it was run.
 */
static const struct rf_run_case *other_case(const struct rf_metric_case *s,
					    const char *name)
{
	const struct rf_run_case *p, *found = NULL;

	for (p = s->run->cases; p < s->run->cases + s->run->ncases; p++)
		if (!strcmp(p->test_case->name, name) &&
		    (p->round == s->run_case->round || !found))
			found = p;
	return found;
}

static const char *metric_of_case(void *arg, const char *case_name, const char *name, double *v)
{
	const struct rf_metric_case *s = arg;
	const struct rf_run_case *p = case_name ? other_case(s, case_name) : s->run_case;

	*v = NAN;
	return p ? rf_metric_value(s->run, p, name, v) :
		   "the other case was not run";
}

/* A time between two machines has the error of their clocks. */
static double error_of(void *arg, const char *case_name, const char *name)
{
	const struct rf_metric_case *s = arg;
	const struct rf_run_case *p = case_name ? other_case(s, case_name) : s->run_case;
	struct rf_metric_query q = { .run = s->run, .run_case = p };
	const struct rf_metric_row *m;
	char pattern[64];

	m = p && p->rec.nclocks && split_name(name, pattern, sizeof(pattern), &q) ?
	    find_metric_row(pattern) : NULL;
	if (!m || m->info.unit != RF_UNIT_TIME || m->flags & RF_ONE_CLOCK)
		return 0;
	return rf_record_clock_error(&p->rec);
}

/* Get the name of the @i-th job of a case. */
static bool job_name(const struct rf_run_case *p, size_t i, char buf[RF_INDEX_LEN])
{
	const struct rf_case *test_case = p->test_case;

	if (i > test_case->nothers || !test_case->workload.name)
		return false;
	snprintf(buf, RF_INDEX_LEN, "%s", i ? test_case->others[i - 1].name :
					       test_case->workload.name);
	return true;
}

static bool index_of(void *arg, const char *job, const char *what, size_t i,
		     char buf[RF_INDEX_LEN])
{
	const struct rf_metric_case *s = arg;
	const struct rf_run_case *p = job ? rf_run_case_job(s->run_case, job) : s->run_case;
	const struct rf_record *rec = &p->rec;

	if (!strcmp(what, "job"))
		return job_name(s->run_case, i, buf);
	snprintf(buf, RF_INDEX_LEN, "%zu", i);
	if (!strcmp(what, "rank"))
		return i < rec->tl.ranks;
	if (!strcmp(what, "prio"))
		return i < RDMAFAULT_PRIOS;
	/* Steps and faults are numbered from 1. */
	snprintf(buf, RF_INDEX_LEN, "%zu", i + 1);
	if (!strcmp(what, "step"))
		return i < rec->tl.iters;
	if (!strcmp(what, "fault"))
		return i < s->run_case->test_case->nfaults;
	if (strcmp(what, "port") || i >= rec->nports)
		return false;
	snprintf(buf, RF_INDEX_LEN, "%s", rec->ports[i].netdev);
	return true;
}

const struct rf_metric_source rf_metrics = {
	.row = row, .value = metric_of_case, .error = error_of, .index = index_of,
	.group = group_of_row, .of_job = is_of_job,
};

static struct json_object *metric_number(const struct rf_metric_info *m, double v)
{
	if (m->unit == RF_UNIT_WORD)
		return json_object_new_string(rf_value_name(m->names, v));
	if (m->unit == RF_UNIT_SHARE || m->unit == RF_UNIT_DOLLARS ||
	    v != (double)(int64_t)v)
		return json_object_new_double(v);
	return json_object_new_int64((int64_t)v);
}

/* Add a metric of the case, or an array with the values of its ranks. */
static void put_metric_values(struct json_object *o, struct rf_metric_query *q,
			      const struct rf_metric_row *m)
{
	struct json_object *all;
	double v;
	uint32_t i;

	if (!strchr(m->info.name, '[')) {
		json_object_object_add(o, m->info.name, ask(q, m, &v) ? NULL :
							metric_number(&m->info, v));
		return;
	}
	if (strncmp(m->info.name, "rank[]", 6))
		return;
	all = json_object_new_array();
	for (i = 0; i < q->run_case->rec.tl.ranks; i++) {
		snprintf(q->index[0], RF_INDEX_LEN, "%u", i);
		json_object_array_add(all, ask(q, m, &v) ? NULL : metric_number(&m->info, v));
	}
	json_object_object_add(o, m->info.name, all);
}

/**
 * rf_metrics_json - make an object with all metrics of a case, by name
 * @run: the run
 * @run_case: a case of the run
 *
 * Metrics of ranks are arrays; a metric without a value is null. Ports and faults
 * have separate objects in summary.json.
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_metrics_json(const struct rf_run *run,
				    const struct rf_run_case *run_case)
{
	struct rf_metric_query q = { .run = run, .run_case = run_case };
	struct json_object *o = json_object_new_object();
	const struct rf_metric_row *m;
	const struct rf_value *value;
	double v;
	size_t i;

	for (i = 0; (m = nth(i)); i++)
		if (!run_case->owner || is_of_job(i))
			put_metric_values(o, &q, m);
	for (i = 0; (value = rf_process_value(&run_case->test_case->workload.processes, i)); i++)
		json_object_object_add(o, value->info.name,
				       rf_metric_value(run, run_case, value->info.name, &v) ? NULL :
				       metric_number(&value->info, v));
	return o;
}

/**
 * rf_metrics_unknown_json - make an object with the reasons of missing values
 * @run: the run
 * @run_case: a case of the run
 *
 * Return: an object with one reason for each missing value. Metrics with an index are left
 * out. Release the object with json_object_put().
 */
struct json_object *rf_metrics_unknown_json(const struct rf_run *run,
					    const struct rf_run_case *run_case)
{
	struct rf_metric_query q = { .run = run, .run_case = run_case };
	struct json_object *o = json_object_new_object();
	const struct rf_metric_row *m;
	const struct rf_value *value;
	const char *why;
	double v;
	size_t i;

	for (i = 0; (m = nth(i)); i++) {
		if (strchr(m->info.name, '[') || (run_case->owner && !is_of_job(i)))
			continue;
		why = ask(&q, m, &v);
		if (why)
			json_object_object_add(o, m->info.name,
					       json_object_new_string(why));
	}
	for (i = 0; (value = rf_process_value(&run_case->test_case->workload.processes, i)); i++) {
		why = rf_metric_value(run, run_case, value->info.name, &v);
		if (why)
			json_object_object_add(o, value->info.name, rf_json_text(why));
	}
	return o;
}
